"""Keys, certificates, timestamps and the demonstration authority."""
