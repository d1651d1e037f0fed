"""The PDF: pages, layout, tags, PDF/A-3 container."""
