"""The steps from a build to a signed document; what is there already is not made again.

1. Questions are asked, and the product is asked what it is.
2. The seed is sealed, with a time or with a place where its commitment is published.
3. The form for what only people can see is written, if there is any.
4. The product is examined, or an interrupted examination goes on.
5. The form joins, when two people filled it in.
6. The dossier is written, to be filled in.
7. The documents are written.
8. They are signed, by the laboratory and by the bureau.
9. The document is verified.
"""

from __future__ import annotations

import shlex
import sys
from typing import TYPE_CHECKING, Any, Final

import msgspec

from selo.cli.output import Exit
from selo.cli.parser import parse_arguments, run_command
from selo.cli.parser.shared_arguments import CERTIFICATE_DRAWS
from selo.cli.resolved_options.vendor_options import open_session
from selo.cli.runs import render_witness_files
from selo.evidence.run_files import CASES_FILE, RESULT_FILE
from selo.examine.vendor_description import introduce_vendor
from selo.law.status import macau_today
from selo.report.formats import available_formats
from selo.report.model.dossier import read_dossier
from selo.report.requirements import list_empty_fields
from selo.storage import read_json
from selo.storage.atomic_write import write_new_files
from selo.text import say, user_error
from selo.verdict.witness import blank_form, check_form, form_exit_code
from selo.verdict.witness.form import InspectedItem

if TYPE_CHECKING:
    import argparse
    from collections.abc import Callable
    from pathlib import Path

    from selo.cli.certification.certificate_answers import AnswerStore, CertificateAnswers
    from selo.examine.vendor_description import Introduction
    from selo.law import Law

SEAL, FORM = "seal.json", "witness.yaml"
RUN, DOSSIER, DOCUMENT, SIGNED = "run", "dossier.yaml", "report.pdf", "signed.pdf"
_FULL: Final = "full"
#: What `run_command` returns for an interrupted command.
_INTERRUPTED: Final = 130
_JUDGED: Final = frozenset({Exit.CONFORMS, Exit.VIOLATES, Exit.OPEN})


class _RunEnd(msgspec.Struct, frozen=True):
    """How a run ended, and with which forms."""

    exit: int
    witnessed: Any = None


def _read_end(run: Path) -> _RunEnd:
    return read_json(run / RESULT_FILE, _RunEnd)


class Certification:
    """One road to a certificate, in a folder that holds all that was done so far."""

    def __init__(
        self,
        folder: Path,
        file: AnswerStore,
        law: Law,
        ask: Callable[[str], str] | None,
        language: str,
    ) -> None:
        self._folder, self._file, self._law = folder, file, law
        self._ask, self._language = ask, language
        self._known: Introduction | None = None

    @property
    def _answers(self) -> CertificateAnswers:
        return self._file.answers

    def run(self) -> int:
        """Take every step that is left; return how the last one ended."""
        if self._ask is None:
            self._require_everything()
        else:
            self._file.ask_all(self._ask, self._language)
        introduction = self._introduce()
        code = self._seal()
        if code:
            return code
        has_form = self._write_form(introduction)
        examined = self._examine(with_form=has_form and self._is_form_complete())
        if examined not in _JUDGED:
            return examined
        if has_form:
            examined = self._join_form(examined)
        self._fill_in_dossier()
        code = self._write_documents(examined)
        if code != examined:
            return code
        signed = self._sign() if "pdf" in available_formats() else int(Exit.CONFORMS)
        return signed or examined

    def _require_everything(self) -> None:
        """Refuse if something is missing and nobody can be asked; name all of it at once."""
        missing = [key for key, is_required in self._file.find_unanswered() if is_required]
        if not (self._answers.tsa or self._answers.published):
            missing.append("tsa | published")
        dossier = self._folder / DOSSIER
        if dossier.exists():
            missing += [f"{DOSSIER}: {key}" for key in list_empty_fields(read_dossier(dossier))]
        else:
            missing.append(DOSSIER)
        if not (self._folder / RUN / RESULT_FILE).exists() and self._answers.vendor:
            games = self._answers.games or self._introduce().scope.names()
            if blank_form(self._law, games).entries and not self._is_form_complete():
                missing.append(FORM)
        if missing:
            if self._answers == type(self._answers)():
                self._file.save(self._answers)
            lines = "".join(f"\n  - {line}" for line in missing)
            raise user_error("certify-missing", folder=self._folder, missing=lines)

    def _introduce(self) -> Introduction:
        """Ask the product what it is; without an introduction there is nothing to certify."""
        if self._known is not None:
            return self._known
        session = open_session(self._parse("seal", "new", *self._vendor(), "--out", SEAL))
        try:
            introduction = introduce_vendor(session, self._law, self._answers.games or None)
            session.end()
        finally:
            session.kill()
        self._known = introduction
        return introduction

    def _seal(self) -> int:
        path, answers = self._folder / SEAL, self._answers
        if not path.exists():
            stamp = [] if not answers.tsa else ["--tsa", answers.tsa]
            if answers.tsa_passphrase_file:
                stamp += ["--passphrase-file", answers.tsa_passphrase_file]
            code = self._run_step("seal", "new", *self._vendor(), *stamp, "--out", str(path))
            if code:
                return code
        if not (answers.tsa or answers.published):
            # Published before the examination, or *when* is not proven.
            self._say("certify.publish")
            self._file.set_answer("published", self._insist("certify.ask.published"))
        return Exit.CONFORMS

    def _write_form(self, introduction: Introduction) -> bool:
        """Write the form if it is not there; return whether there is anything to see."""
        form = blank_form(self._law, introduction.scope.names())
        if not form.entries:
            return False
        path, described = self._folder / FORM, introduction.description
        if not path.exists():
            item = InspectedItem(
                vendor=described.vendor.name,
                product=described.product.name,
                version=described.product.version,
            )
            files = render_witness_files(msgspec.structs.replace(form, item=item), self._law)
            write_new_files(self._folder, files.items())
            self._say("certify.form", count=len(form.entries), path=path)
        return True

    def _is_form_complete(self) -> bool:
        path = self._folder / FORM
        if not path.exists():
            return False
        return form_exit_code([check_form(path, self._law, macau_today())]) in {
            Exit.CONFORMS, Exit.VIOLATES,
        }  # fmt: skip

    def _examine(self, *, with_form: bool) -> int:
        run, answers = self._folder / RUN, self._answers
        form = ["--witness", str(self._folder / FORM)] if with_form else []
        if (run / RESULT_FILE).exists():
            return _read_end(run).exit
        if (run / CASES_FILE.file).exists():
            return self._run_step("resume", str(run), *form)
        draws: int | str | None = answers.draws
        if draws is None and answers.budget == _FULL:
            draws = CERTIFICATE_DRAWS
        more = [
            *(["--text-as-stored"] if answers.text_as_stored else []),
            *(["--edition", answers.edition] if answers.edition else []),
            *(["--draws", str(draws)] if draws else []),
            *(word for path in answers.permissions for word in ("--permission", path)),
            *(word for path in answers.trust for word in ("--trust", path)),
        ]
        return self._run_step(
            "examine", *self._vendor(), *self._games(), "--seal", str(self._folder / SEAL),
            "--rulings", answers.rulings, "--budget", answers.budget, *more, *form,
            "--out", str(run),
        )  # fmt: skip

    def _join_form(self, examined: int) -> int:
        """Wait for a form that two people signed; draw the conclusions of the run with it."""
        run = self._folder / RUN
        if _read_end(run).witnessed is not None:
            return examined
        while not self._is_form_complete():
            self._run_step("witness", "check", str(self._folder / FORM))
            self._insist("certify.wait.form", optional=True)
        return self._run_step("resume", str(run), "--witness", str(self._folder / FORM))

    def _fill_in_dossier(self) -> None:
        path = self._folder / DOSSIER
        if not path.exists():
            self._run_step("dossier", "new", str(self._folder / RUN), "--out", str(path))
        while missing := list_empty_fields(read_dossier(path)):
            self._say("certify.dossier", path=path, missing=", ".join(missing))
            self._insist("certify.wait.dossier", optional=True)

    def _write_documents(self, examined: int) -> int:
        if (self._folder / DOCUMENT).exists():
            return examined
        kind = "certificate" if examined == Exit.CONFORMS else "test-report"
        if examined != Exit.CONFORMS:
            self._say("certify.no-certificate")
        words = (
            "report", str(self._folder / RUN), "--dossier", str(self._folder / DOSSIER),
            "--kind", kind, "--out", str(self._folder),
        )  # fmt: skip
        code = self._run_step(*words)
        while code != examined and self._ask is not None:
            self._insist("certify.wait.dossier", optional=True)
            code = self._run_step(*words)
        return code

    def _sign(self) -> int:
        """Sign as the laboratory, then as the bureau if it has a key here, and verify."""
        answers, last, signed = self._answers, self._folder / DOCUMENT, self._folder / SIGNED
        common = ["--policy", answers.policy]
        common += ["--tsa", answers.tsa] if answers.tsa else []
        common += ["--level", answers.level] if answers.level else []
        roles = {"laboratory": answers.laboratory, "bureau": answers.bureau}
        roles = {role: key for role, key in roles.items() if key.options()}
        for role, key in roles.items():
            target = signed if role == [*roles][-1] else self._folder / f"report.{role}.pdf"
            if not target.exists():
                code = self._run_step(
                    "sign", str(last), "--as", role, *key.options(), *common, "--out", str(target)
                )
                if code:
                    return code
            last = target
        return self._run_step("verify", str(signed), "--policy", answers.policy)

    def _vendor(self) -> list[str]:
        folder = self._answers.folder
        return ["--vendor", self._answers.vendor, *(["--folder", folder] if folder else [])]

    def _games(self) -> list[str]:
        return [word for game in self._answers.games for word in ("--game", game)]

    def _parse(self, *words: str) -> argparse.Namespace:
        return parse_arguments(["--lang", self._language, *words])

    def _run_step(self, *words: str) -> int:
        """Print and run a command of Selo."""
        typed = [word.replace(sys.executable, "python") for word in words]
        print(f"\n$ selo {shlex.join(typed)}", flush=True)
        code = run_command(self._parse(*words))
        if code == _INTERRUPTED:
            raise KeyboardInterrupt
        return code

    def _insist(self, key: str, *, optional: bool = False) -> str:
        """Ask until there is an answer; refuse if nobody can be asked."""
        if self._ask is None:
            raise user_error("certify-unfinished", what=say(key, self._language))
        answer = self._ask(say(key, self._language)).strip()
        while not (answer or optional):
            answer = self._ask(say(key, self._language)).strip()
        return answer

    def _say(self, key: str, **slots: object) -> None:
        print(f"\n{say(key, self._language, **slots)}", flush=True)
