"""``selo certify``: asks what is missing, can be left at every step, and goes on where it was."""

import sys

import msgspec
import pytest
from tests.verification.certificates import dossier as fill_in_dossier

from selo.cli.certification import AnswerStore, CertificateAnswers, Certification, KeyAnswer
from selo.cli.parser.command_line import parse_arguments, run_command
from selo.errors import UsageError
from selo.law.status import macau_today

QUESTIONS = ["vendor", "folder", "rulings", "tsa", "laboratory.p12", "bureau.p12", "policy"]


class Asked:
    """Answers in turn, and interrupts where there are no more answers."""

    def __init__(self, *answers):
        self._answers, self.questions = list(answers), []

    def __call__(self, question):
        self.questions.append(question)
        if not self._answers:
            raise KeyboardInterrupt
        return self._answers.pop(0)


def test_without_a_terminal_everything_that_is_missing_is_told_at_once(selo, tmp_path):
    done = selo("certify", tmp_path / "case")

    assert done.returncode == 3
    for key in ("vendor", "rulings", "tsa | published", "laboratory.p12", "policy", "dossier.yaml"):
        assert f"  - {key}\n" in done.stderr
    assert "certify.yaml" in done.stderr
    assert (tmp_path / "case" / "certify.yaml").exists()


def test_an_empty_field_of_the_dossier_is_told_by_key_with_the_rest(selo, tmp_path):
    (tmp_path / "dossier.yaml").write_text("number: X-1\n")

    done = selo("certify", tmp_path)

    assert "  - vendor\n" in done.stderr
    assert "  - dossier.yaml: issuer.name\n" in done.stderr
    assert "dossier.yaml: number" not in done.stderr


def test_a_form_that_nobody_filled_in_is_missing_too(selo, root, tmp_path):
    store = AnswerStore(tmp_path)
    store.save(CertificateAnswers(vendor=f"{sys.executable} fixtures/adapters/python/reference.py"))

    done = selo("certify", tmp_path, cwd=root)

    assert "  - witness.yaml\n" in done.stderr
    assert not (tmp_path / "seal.json").exists()


def test_each_question_is_asked_once_and_answers_are_kept_one_by_one(tmp_path):
    first = Asked("python3 adapter.py", "", "defaults")
    with pytest.raises(KeyboardInterrupt):
        AnswerStore(tmp_path).ask_all(first, "en")
    assert len(first.questions) == 4

    second = Asked("", "lab.p12", "", "signers.yaml")
    AnswerStore(tmp_path).ask_all(second, "en")

    kept = AnswerStore(tmp_path)
    assert len(second.questions) == 4
    assert first.questions[3] == second.questions[0]
    assert kept.answers.vendor == "python3 adapter.py"
    assert kept.answers.laboratory.p12 == "lab.p12"
    assert kept.answers.left_empty == ["folder", "tsa", "bureau.p12"]
    assert not list(kept.find_unanswered())


def test_a_question_that_needs_an_answer_is_asked_until_there_is_one(tmp_path):
    asked = Asked("", "  ", "python3 adapter.py")

    with pytest.raises(KeyboardInterrupt):
        AnswerStore(tmp_path).ask_all(asked, "pt")

    assert asked.questions[:3] == [asked.questions[0]] * 3
    assert AnswerStore(tmp_path).answers.vendor == "python3 adapter.py"


def test_a_wrong_answer_file_is_told_with_all_its_faults(tmp_path):
    (tmp_path / "certify.yaml").write_text("vendr: x\nbudget: huge\n")

    with pytest.raises(Exception, match="vendr") as error:
        AnswerStore(tmp_path)

    assert "budget" in str(error.value)


@pytest.mark.full  # keys, an examination under seal, two signatures
def test_the_road_is_left_at_each_step_and_taken_up_again(root, law, tmp_path, monkeypatch, capfd):
    monkeypatch.chdir(root)
    case, keys, secret = tmp_path / "case", tmp_path / "keys", tmp_path / "secret"
    secret.write_text("a passphrase of tests")
    made = ("keys", "demo", "--out", keys, "--passphrase-file", secret)
    assert not run_command(parse_arguments([str(word) for word in made]))
    signing = {"passphrase_file": str(secret)}
    AnswerStore(case).save(
        CertificateAnswers(
            games=["pai-kao"],
            budget="quick",
            draws=0,
            text_as_stored=True,
            tsa=str(keys / "tsa.p12"),
            tsa_passphrase_file=str(secret),
            laboratory=KeyAnswer(p12=str(keys / "laboratory.p12"), **signing),
            bureau=KeyAnswer(p12=str(keys / "bureau.p12"), **signing),
            policy=str(keys / "signers.yaml"),
        )
    )

    def go_on(*answers):
        asked = Asked(*answers)
        code = Certification(case, AnswerStore(case), law, asked, "en").run()
        return code, asked

    with pytest.raises(KeyboardInterrupt):
        go_on(f"{sys.executable} fixtures/adapters/python/reference.py")
    assert not (case / "seal.json").exists()
    with pytest.raises(KeyboardInterrupt):
        # Everything is answered; the examination is made, and the dossier is to be filled in.
        go_on("", "defaults")
    seal, run = (case / "seal.json").read_bytes(), (case / "run" / "result.json").read_bytes()
    assert "Missing in the dossier" in capfd.readouterr().out
    assert not (case / "report.pdf").exists()
    filled = fill_in_dossier("D-1", macau_today())
    (case / "dossier.yaml").write_bytes(msgspec.json.encode(filled))

    code, asked = go_on()

    assert (code, asked.questions) == (0, [])
    assert (case / "seal.json").read_bytes() == seal
    assert (case / "run" / "result.json").read_bytes() == run
    assert (case / "signed.pdf").stat().st_size
    assert "Genuine." in capfd.readouterr().out
    # All of it is there: only the document is verified again.
    assert go_on()[0] == 0


def test_nobody_is_asked_where_nobody_can_answer(law, tmp_path):
    with pytest.raises(UsageError, match="no terminal to ask on"):
        Certification(tmp_path, AnswerStore(tmp_path), law, None, "en").run()
