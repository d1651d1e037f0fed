"""Live rounds as scripts: planned without a vendor, played at its tables, judged by the law."""
