"""The road from a build to a signed document, step by step; it can be left and taken up again."""

from typing import TYPE_CHECKING

from selo.front_door import front_door

if TYPE_CHECKING:
    from selo.cli.certification.certificate_answers import (
        AnswerStore,
        CertificateAnswers,
        KeyAnswer,
    )
    from selo.cli.certification.certification_steps import Certification
else:
    __getattr__ = front_door(__name__)

__all__ = ["AnswerStore", "CertificateAnswers", "Certification", "KeyAnswer"]
