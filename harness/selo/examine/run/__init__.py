"""One examination in its folder: begun, resumed, sealed, and read back."""
