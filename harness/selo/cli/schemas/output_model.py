"""The base of all output types."""

from __future__ import annotations

import msgspec


class OutputStruct(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """An object that holds these fields and no others."""
