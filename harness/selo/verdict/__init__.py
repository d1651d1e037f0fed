"""What is concluded of what was seen, by the program and by people, for each provision."""
