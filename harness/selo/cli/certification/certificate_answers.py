"""What people answer on the road to a certificate, kept in a file of the folder.

A question that was answered is never asked again; who wants another answer edits the file.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, Final, Literal

import msgspec

from selo.cli.output.language_choice import LANGUAGES
from selo.law.files.provision_file import ClosedRecord
from selo.storage.atomic_write import write_file
from selo.text import say
from selo.yaml_file import read_yaml

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

ANSWERS_FILE: Final = "certify.yaml"


class KeyAnswer(ClosedRecord, frozen=True):
    """A key that signs: in a file, or on a token."""

    p12: str = ""
    passphrase_file: str = ""
    pkcs11_module: str = ""
    token: str = ""
    key_label: str = ""
    pin_file: str = ""
    certificate: str = ""

    def options(self) -> list[str]:
        """Return the options by which ``selo sign`` opens the key."""
        return [
            word
            for name in self.__struct_fields__
            if (value := getattr(self, name))
            for word in (f"--{name.replace('_', '-')}", value)
        ]


class CertificateAnswers(ClosedRecord, frozen=True):
    """Everything that is asked on the road; paths are as they are typed."""

    vendor: str = ""
    folder: str = ""
    games: list[str] = []
    #: ``defaults``, or a file of rulings.
    rulings: str = ""
    budget: Literal["quick", "standard", "full"] = "full"
    #: Outcomes of each sample; none for as many as a certificate needs.
    draws: int | None = None
    text_as_stored: bool = False
    permissions: list[str] = []
    trust: list[str] = []
    edition: str = ""
    #: The time authority of seal and signatures, and the passphrase if it is a key.
    tsa: str = ""
    tsa_passphrase_file: str = ""
    #: Where and when the commitment to the seed was published, without a time authority.
    published: str = ""
    laboratory: KeyAnswer = KeyAnswer()
    bureau: KeyAnswer = KeyAnswer()
    level: str = ""
    #: Who may certify, for ``selo verify``.
    policy: str = ""
    #: Questions that were answered with nothing.
    left_empty: list[str] = []


#: The questions of the usual road, in order, and whether there is no certificate without an answer.
_QUESTIONS: Final = (
    ("vendor", True),
    ("folder", False),
    ("rulings", True),
    ("tsa", False),
    ("laboratory.p12", True),
    ("bureau.p12", False),
    ("policy", True),
)


class AnswerStore:
    """The answers in a folder."""

    def __init__(self, folder: Path) -> None:
        self._path = folder / ANSWERS_FILE
        self.answers = CertificateAnswers()
        if self._path.exists():
            self.answers = read_yaml(self._path).convert(CertificateAnswers)

    def save(self, answers: CertificateAnswers) -> None:
        """Keep answers, whole or not at all."""
        self._path.parent.mkdir(parents=True, exist_ok=True)
        write_file(self._path, "".join(_render(answers)).encode(), replace=True)
        self.answers = answers

    def find_unanswered(self) -> Iterator[tuple[str, bool]]:
        """Yield each question without an answer, and whether it must have one."""
        for key, is_required in _QUESTIONS:
            if not _value_of(self.answers, key) and (
                is_required or key not in self.answers.left_empty
            ):
                yield key, is_required

    def ask_all(self, ask: Callable[[str], str], language: str) -> None:
        """Ask every open question; each answer is kept at once."""
        for key, is_required in list(self.find_unanswered()):
            answer = ""
            while not answer:
                answer = ask(say(f"certify.ask.{key}", language)).strip()
                if not is_required:
                    break
            self.set_answer(key, answer)

    def set_answer(self, key: str, answer: str) -> None:
        """Keep the answer to one question."""
        answers = self.answers
        if not answer:
            empty = [*answers.left_empty, key]
            self.save(msgspec.structs.replace(answers, left_empty=empty))
            return
        name, _, part = key.partition(".")
        value: Any = answer
        if part:
            value = msgspec.structs.replace(getattr(answers, name), **{part: answer})
        self.save(msgspec.structs.replace(answers, **{name: value}))


def _value_of(answers: CertificateAnswers, key: str) -> object:
    name, _, part = key.partition(".")
    value = getattr(answers, name)
    # A token takes the place of a file with a key.
    return value.options() if part else value


def _render(answers: CertificateAnswers) -> Iterator[str]:
    for language in LANGUAGES:
        yield f"# {say('certify.answers', language)}\n"
    for name, value in msgspec.to_builtins(answers).items():
        if value is not None:
            yield f"{name}: {json.dumps(value, ensure_ascii=False)}\n"
