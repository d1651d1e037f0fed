"""Why a document is not signed: where, what, and what to do, in the three languages."""

from __future__ import annotations

from selo.errors import SeloError
from selo.signing.signature_report import SignatureFault
from selo.text.message_catalogue import say


class SigningRefused(SeloError):
    """Nothing was signed, and no file was touched."""

    code = "signing"

    def __init__(self, reason: str, /, **slots: object) -> None:
        self.reason = reason
        self.slots = slots
        super().__init__(self.told("en"))

    def told(self, language: str) -> str:
        """Return what is wrong and what to do, in `language`."""
        slots = {
            name: slot.told(language) if isinstance(slot, SignatureFault) else slot
            for name, slot in self.slots.items()
        }
        problem = say(f"sign.refused.{self.reason}", language, **slots)
        remedy = say(f"sign.remedy.{self.reason}", language)
        return f"{problem}\n  {say('fault.hint', language, hint=remedy)}"

    def in_language(self, language: str) -> str:
        """Return the same, as all errors do."""
        return self.told(language)
