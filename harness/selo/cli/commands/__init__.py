"""What each command takes, one module for each group; imported at every start, so kept light."""
