"""Commands for CI: gate and permissions."""
