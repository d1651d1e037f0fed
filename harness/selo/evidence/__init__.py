"""What was asked and answered, kept so that nobody can change a line of it unnoticed."""
