"""From the specs and a vendor to what was asked, what was answered, and what that means."""
