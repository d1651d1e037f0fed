"""What ``selo doctor`` looks at: the machine, the installation, and the law that came with it."""
