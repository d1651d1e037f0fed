"""Signing documents, and looking at signatures: keys, timestamps, boxes on the page, trust."""

import logging

# What pyHanko finds wrong is told by our own words, not by its log on somebody's terminal.
for _name in ("pyhanko", "pyhanko_certvalidator"):
    logging.getLogger(_name).addHandler(logging.NullHandler())
