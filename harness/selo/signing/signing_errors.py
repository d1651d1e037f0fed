"""The error of refusing to sign, with problem and remedy in three languages."""

from __future__ import annotations

from selo.errors import SeloError
from selo.signing.signature_report import SignatureFault
from selo.text import say


class SigningRefused(SeloError):
    """Nothing was signed, and no file was touched."""

    code = "signing"

    def __init__(self, reason: str, /, **slots: object) -> None:
        self.reason = reason
        self.slots = slots
        super().__init__(self.in_language("en"))

    def in_language(self, language: str) -> str:
        """Return problem and remedy in `language`."""
        slots = {
            name: slot.in_language(language) if isinstance(slot, SignatureFault) else slot
            for name, slot in self.slots.items()
        }
        problem = say(f"sign.refused.{self.reason}", language, **slots)
        remedy = say(f"sign.remedy.{self.reason}", language)
        return f"{problem}\n  {say('fault.hint', language, hint=remedy)}"
