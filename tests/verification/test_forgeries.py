"""Forgeries by a generator: whoever has valid keys and our program changes one thing at a time.

`FREE` lists, with its reason, every field that nobody can work out again; no other may survive.
"""

import copy
import fnmatch
import functools
import hashlib
import json
import operator
import random
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import nullcontext

import msgspec
import pytest
from tests.examine.forged_evidence import forge_evidence
from tests.examine.test_evidence_claims import replant
from tests.often import often
from tests.tools import needs
from tests.verification.conftest import DAY, DOSSIER, altered, bound, wrong
from tests.verification.forgery_generator import forgeries_of, moves_of

from selo.cli.parser.command_line import parse_arguments, run_command
from selo.errors import SeloError
from selo.evidence.canonical_json import encode_canonical
from selo.evidence.evidence_reader import EvidenceReader
from selo.examine.behaviour.canonical_set import CANONICAL_FOLDER
from selo.examine.conclusion.result import derive_result_from_folder
from selo.examine.run import evidence_header
from selo.examine.run.canonical_run import require_canonical_answers
from selo.examine.run.seed_commitment import SealBroken, read_seal
from selo.report.content import reproducible_content
from selo.report.content.attachments import CANONICAL_FILE, canonical_path
from selo.report.content.report_builder import build_document
from selo.report.formats.report_json import encode_report
from selo.report.model.report_model import Report
from selo.storage import decode_json
from selo.verification import document_parts, recomputation
from selo.verification.document_law import LawSources
from selo.verification.document_parts import DocumentParts, check_attachments, check_report
from selo.verification.fact_comparison import _WORDS_OF_LAW, ADDED_FIELDS, ADDED_WORDS
from selo.verification.recomputation import check_recomputation, write_attachments
from selo.verification.verification_report import CheckState, exit_code_of
from selo.verification.verifier import _check_kind

VENDOR = f"{sys.executable} fixtures/adapters/python/reference.py"
_WRITER_FIELDS = ("evidence", "format", "lines")
#: Of each place, so many forgeries are tried in every run of the tests.
_SAMPLE = 14
_EACH_PLACE = 2

#: Fields outside of what follows from evidence, that have what they say by default.
_LEFT_OUT = {"draws_root", "shortfalls"}
#: What leaves it open whether a document holds: exit 2, with a line of its own.
_OPEN = {"selftest.signer-says", "words.verdict-unknown"}

_WORD = "the word of whoever ran the examination; nobody can measure it again"
_CHOSEN = "chosen by whoever examines, printed on the first page; the same questions follow"
_PEOPLE = "what people say in the dossier, printed as theirs"
_LOG = "the log of the run, which no verdict follows from"
FREE = {
    "header.commitment": "follows from the seal, and is made again by the forgery",
    "header.plan": "follows from the terms, and is made again by the forgery",
    "header.confinement.*": _WORD,
    "header.*: left out": "a field that is left out has its default, and is compared as such",
    "header.terms.as_of": _CHOSEN,
    "header.terms.text_as_stored": _CHOSEN,
    "header.tool.*": _WORD,
    "footer.files": "said to be on another machine; then there is no certificate",
    "footer.files.*.sha1": _WORD,
    "footer.files.*.size": _WORD,
    "footer.files_undeclared": _WORD,
    "footer.files_watched": _WORD,
    "footer.world_faults": _WORD,
    "line.n": "numbers are made again by the forgery",
    "line.answer*": "what the vendor answered: judged again, never better than it is",
    "move answer*": "the same",
    "report.client*": _PEOPLE,
    "report.issuer*": _PEOPLE,
    "report.recipients*": _PEOPLE,
    "report.place": _PEOPLE,
    "report.number": "a number of the issuer",
    "report.page": "an address of the issuer",
    "report.revision": _PEOPLE,
    "report.supersedes": _PEOPLE,
    "report.scheme*": _PEOPLE,
    "report.opinions*": _PEOPLE,
    "report.known_issues*": _PEOPLE,
    "report.deviations*": _PEOPLE,
    "report.dates*": _PEOPLE,
    **{
        f"report.item.{name}*": _PEOPLE
        for name in (
            "received",
            "condition",
            "variant",
            "part_number",
            "parts",
            "platform",
            "languages",
            "built_from_source",
            "equals_delivery",
            "test_differences",
        )
    },
    "report.conditions: invented item": "conditions of the issuer beside those of every document",
    "report.limits: invented item": "limitations of the issuer beside those of every document",
    "report.limits.*.*": "register and retention in the words of the issuer",
    "report.signatories*": "compared with the signatures",
    "report.languages*": "compared with the pages (--pages)",
    "report.edges.*.declared*": _PEOPLE,
    "report.demonstration": "compared with the keys that sign",
    "report.format": "another format is not said to hold",
    "report.attachments.*.attached": "compared with the PDF",
    "report.evidence.file.attached": "compared with the PDF",
    "report.method.commit": _LOG,
    "report.method.environment*": _LOG,
    "report.method.resumed": _LOG,
    "report.method.restarts": _LOG,
    "report.method.starts": _LOG,
    "report.method.vendor_command": _LOG,
    "report.method.within": _LOG,
}


def read_attached(folder):
    """Return the files of a document that lie in a folder."""
    attached = {path.name: path.read_bytes() for path in folder.iterdir() if path.is_file()}
    if canonical_path(folder).is_file():
        attached[CANONICAL_FILE] = canonical_path(folder).read_bytes()
    return attached


def recomputed(report, law, folder):
    """Return the checks of a report whose signatures hold, with its files in a folder."""
    raw, attached = encode_report(report), read_attached(folder)
    sources = LawSources(at_hand=law, given=None, policy=None, is_signed=True)
    parts = DocumentParts(report=report, raw=raw, attached=attached)
    return list(check_recomputation(parts, sources, folder, []))


def is_free(place, change=""):
    """Return whether a field, or one way to change it, is listed."""
    return any(
        fnmatch.fnmatchcase(told, pattern)
        for pattern in FREE
        for told in (place, f"{place}: {change}")
    )


def test_every_field_that_survives_is_justified(root):
    page = (root / "docs" / "security.md").read_text(encoding="utf-8")
    table = page.split("<!-- table: free -->")[1].split("\n\n")[0]
    fields = [line.split("|")[1] for line in table.splitlines() if line.startswith("| `")]

    assert sorted(re.findall(r"`([^`]+)`", " ".join(fields))) == sorted(FREE)


@pytest.fixture(scope="session")
def sealed_run(selo, tmp_path_factory):
    folder = tmp_path_factory.mktemp("sealed")
    selo("seal", "new", "--vendor", VENDOR, "--out", str(folder / "seal.json"))
    done = selo(
        "examine", "--vendor", VENDOR, "--game", "pai-kao", "--rulings", "defaults",
        "--text-as-stored", "--seal", str(folder / "seal.json"), "--out", str(folder / "run"),
    )  # fmt: skip
    assert (folder / "run" / "result.json").is_file(), done.stderr
    return folder / "run"


@pytest.fixture(scope="session")
def decoded(sealed_run):
    header, *lines, footer = [json.loads(line) for line in EvidenceReader(sealed_run)]
    for frame in (header, footer):
        for name in _WRITER_FIELDS:
            frame.pop(name, None)
    return {"header": header, "lines": lines, "footer": footer}


@pytest.fixture(scope="session")
def outcome(sealed_run, law):
    return derive_result_from_folder(sealed_run, law).summary.overall.overall


def evidence_forgeries(decoded):
    """Yield place, name and change of every forgery of the evidence."""
    for part in ("header", "footer"):
        for forgery in forgeries_of(decoded[part]):
            if forgery.path:

                def change(run, part=part, forgery=forgery):
                    forgery.apply(getattr(run, part))
                    _replant(run)

                yield f"{part}.{forgery.place}", f"{part}.{forgery.name}", change
    kinds = {(line["method"], line["group"]): at for at, line in enumerate(decoded["lines"])}
    for at in kinds.values():
        for forgery in forgeries_of(decoded["lines"][at]):
            if forgery.path:
                yield (
                    f"line.{forgery.place}", f"line {at}: {forgery.name}",
                    lambda run, at=at, forgery=forgery: forgery.apply(run.lines[at]),
                )  # fmt: skip
    for name, move in moves_of(len(decoded["lines"]), seed=1, times=20):
        yield f"move {name}", name, lambda run, move=move: move(run.lines)


def _replant(run):
    """Make the digests of plan and seal anew, if plan and seal still have their form."""
    try:
        replant(run)
    except (ValueError, LookupError, TypeError):
        return


def chosen(forgeries, count, seed=7):
    """Return forgeries at places that are drawn, so that every part of a document has its turn."""
    by_place = {}
    for forgery in forgeries:
        by_place.setdefault(forgery[0], []).append(forgery)
    drawn = random.Random(seed)  # noqa: S311 - the same forgeries on each run
    places = sorted(by_place)
    picked = places if count is None else drawn.sample(places, min(count, len(places)))
    each = len(forgeries) if count is None else 1
    return [one for place in picked for one in by_place[place][:each]]


@pytest.mark.parametrize("count", [_SAMPLE, pytest.param(None, marks=pytest.mark.full)])
def test_no_forgery_of_the_evidence_holds(sealed_run, decoded, law, outcome, tmp_path, count):
    forgeries = chosen(list(evidence_forgeries(decoded)), count)
    survivors, nameless = [], []
    for place, name, change in forgeries:
        folder = tmp_path / "forged"
        shutil.rmtree(folder, ignore_errors=True)
        try:
            forge_evidence(sealed_run, folder, change)
            found = derive_result_from_folder(folder, law)
            require_canonical_answers(folder, law, found.header)
        except SeloError as error:
            if not str(error).strip():
                nameless.append(name)
        except (AttributeError, TypeError, KeyError):
            # Not even the forger's own tool can write it.
            continue
        else:
            better = found.summary.overall.overall != outcome and found.exit == 0
            if better or not is_free(place, name.rpartition(": ")[2]):
                survivors.append(name)

    assert count is not None or len(forgeries) >= 1000
    assert (survivors, nameless) == ([], [])


def book_forgeries(folder):
    """Yield place, name and change of forgeries of evidence, of each kind of line once."""
    header, *lines, footer = [json.loads(line) for line in EvidenceReader(folder)]
    parts = {"header": header, "footer": footer}
    for frame in parts.values():
        for field in _WRITER_FIELDS:
            frame.pop(field, None)
    kinds = {(line["method"], line["group"]): at for at, line in enumerate(lines)}
    for part, plain in (*parts.items(), *((at, lines[at]) for at in kinds.values())):
        for forgery in forgeries_of(plain):
            if forgery.path:

                def change(run, part=part, forgery=forgery):
                    forgery.apply(run.lines[part] if isinstance(part, int) else getattr(run, part))

                told = "line" if isinstance(part, int) else part
                yield f"{told}.{forgery.place}", f"{part}.{forgery.name}", change
    for told, move in moves_of(len(lines), seed=2, times=4):
        yield f"move {told}", told, lambda run, move=move: move(run.lines)


def forged_canonical(sealed_run, folder, change):
    """Write the canonical answers again with a change, and a header that names their new root."""
    place = forge_evidence(sealed_run / CANONICAL_FOLDER, folder / "answers", change)
    root = str(EvidenceReader(place).read().root)

    def name_root(run):
        run.header["canonical"]["root"] = root

    forged = forge_evidence(sealed_run, folder / "run", name_root)
    shutil.rmtree(forged / CANONICAL_FOLDER)
    return place.rename(forged / CANONICAL_FOLDER).parent


@pytest.mark.parametrize("count", [4, pytest.param(None, marks=pytest.mark.full)])
def test_no_forgery_of_the_canonical_answers_holds(sealed_run, law, tmp_path, count):
    forgeries = chosen(list(book_forgeries(sealed_run / CANONICAL_FOLDER)), count)
    survivors = []
    for place, told, change in forgeries:
        folder = tmp_path / "forged"
        shutil.rmtree(folder, ignore_errors=True)
        try:
            derive_result_from_folder(forged_canonical(sealed_run, folder, change), law)
        except SeloError:
            continue
        except (AttributeError, TypeError, KeyError):
            # Not even the forger's own tool can write it.
            continue
        if not is_free(place, told.rpartition(": ")[2]):
            survivors.append(told)

    assert count is not None or len(forgeries) >= 500
    assert survivors == []


@pytest.fixture
def worked_out_once(monkeypatch):
    """Work the same out once: most forgeries change nothing that anything follows from."""

    def once(module, name, key):
        plain, known = getattr(module, name), {}

        def remembered(*given, **named):
            asked = key(*given, **named)
            if asked not in known:
                made = plain(*given, **named)
                known[asked] = list(made) if isinstance(made, Iterator) else made
            return known[asked]

        monkeypatch.setattr(module, name, remembered)

    once(recomputation, "_ReplayedRun", lambda *given: given[-1])
    once(recomputation, "derive_result", lambda *_, day, **__: day)
    # Canonical answers that a report names are those of evidence, which no report changes.
    monkeypatch.setattr(recomputation, "prove_canonical_meanwhile", lambda *_: nullcontext())
    once(recomputation, "list_enclosures", lambda *_, groups, **__: msgspec.json.encode(groups))
    once(reproducible_content, "derive_content", lambda _, declared: repr(declared))


#: What nobody compares of a document that another version made, beside its sentences.
FREE_OF_ANOTHER = {
    "report.provisions.*.planted": "the score of another edition is not at hand",
    "report.provisions.*.killed": "the same",
    "report.selftest*": "the same",
}


def is_free_of_another(plain, place, forgery):
    """Return whether a field of a document of another version is not compared."""
    added = {*ADDED_FIELDS, *_LEFT_OUT}.union(
        *(names for below, names in ADDED_WORDS.items() if below in forgery.path)
    )
    if forgery.change == "left out" and forgery.path[-1] in added:
        return True
    return is_sentence_of_another(plain, forgery.path) or any(
        fnmatch.fnmatchcase(place, pattern) for pattern in FREE_OF_ANOTHER
    )


def is_sentence_of_another(plain, path):
    """Return whether a place is a sentence of the program that wrote a report, which may differ.

    The sentence of the verdict is compared, and so is text of the law and of its register.
    """
    holder = functools.reduce(operator.getitem, path[:-1], plain)
    return (
        isinstance(holder, dict)
        and holder.keys() == {"pt", "zh", "en"}
        and not {*path} & {"verdict", *_WORDS_OF_LAW}
    )


def named(parts, law, folder):
    """Return whether a check names what is wrong with a document, or leaves it open."""
    sources = LawSources(at_hand=law, given=None, policy=None, is_signed=True)
    checks = [
        *check_report(parts),
        *(check for check, _ in check_attachments(parts, folder)),
        *_check_kind(parts.report),
        *check_recomputation(parts, sources, folder, []),
    ]
    return any(one.state is CheckState.FAILED or one.key in _OPEN for one in checks)


@pytest.fixture(scope="session")
def broken_run(tmp_path_factory):
    """A run with a finding, open points, and findings outside of what was asked for."""
    folder = tmp_path_factory.mktemp("broken") / "run"
    vendor = f"{sys.executable} fixtures/planted/vendor.py pai-kao rank-98-counts-as-100"
    asked = ("--provision", "portaria-96-85-m/annex/98", "--provision", "portaria-96-85-m/annex/99")
    run_command(
        parse_arguments(
            ["examine", "--vendor", vendor, "--game", "pai-kao", *DAY, *asked, "--out", str(folder)]
        )
    )
    return folder


@pytest.mark.parametrize(
    ("made", "count"),
    [
        ("sealed_run", _SAMPLE),
        pytest.param("sealed_run", None, marks=pytest.mark.full),
        pytest.param("broken_run", 250, marks=pytest.mark.full),
    ],
)
@pytest.mark.usefixtures("worked_out_once")
def test_no_forgery_of_the_report_holds(request, law, tmp_path, monkeypatch, made, count):
    """Whoever forges may also say that another version made the document."""
    built = build_document(request.getfixturevalue(made), law, DOSSIER)
    write_attachments(tmp_path, {one.name: one.read() for one in built.enclosures})
    attached = read_attached(tmp_path)
    plain = json.loads(encode_report(built.report))
    forgeries = chosen(
        [(f"report.{one.place}", one.name, one) for one in forgeries_of(plain) if one.path], count
    )
    survivors = []
    for by_another in (False, True):
        if by_another:
            for module in (evidence_header, document_parts):
                monkeypatch.setattr(module, "compute_tool_digest", lambda: "0" * 64)
        for place, name, forgery in forgeries:
            forged = copy.deepcopy(plain)
            forgery.apply(forged)
            raw = encode_canonical(forged) + b"\n"
            try:
                report = decode_json(raw, Report)
            except msgspec.ValidationError:
                continue
            if is_free(place, forgery.change) or (
                by_another and is_free_of_another(plain, place, forgery)
            ):
                continue
            parts = DocumentParts(report=report, raw=raw, attached=attached)
            if not named(parts, law, tmp_path):
                survivors.append((by_another, name))

    assert survivors == []


@pytest.mark.parametrize(
    "name", often(["result.json", "plan.json", "specs.lock.json"], "plan.json")
)
@pytest.mark.full
def test_no_forgery_of_an_attached_file_holds(sealed_run, law, tmp_path, name):
    built = build_document(sealed_run, law, DOSSIER)
    write_attachments(tmp_path, {one.name: one.read() for one in built.enclosures})
    plain = json.loads((tmp_path / name).read_bytes())
    survivors = []
    forgeries = [(one.place, one.name, one) for one in forgeries_of(plain) if one.path]
    for _, told, forgery in chosen(forgeries, 5):
        forged = copy.deepcopy(plain)
        forgery.apply(forged)
        data = msgspec.json.format(msgspec.json.encode(forged), indent=2) + b"\n"
        attachments = [
            altered(one, sha256=hashlib.sha256(data).hexdigest(), size=len(data))
            if one.name == name
            else one
            for one in built.report.attachments
        ]
        checks = recomputed(altered(built.report, attachments=attachments), law, tmp_path)
        if wrong(checks) != {"attachments": "attachments.differ"}:
            survivors.append(told)

    assert survivors == []


def test_no_forgery_of_a_seal_is_read(sealed_run, tmp_path):
    plain = json.loads((sealed_run.parent / "seal.json").read_bytes())
    read = []
    for forgery in forgeries_of(plain):
        if forgery.path:
            forged = copy.deepcopy(plain)
            forgery.apply(forged)
            (tmp_path / "seal.json").write_bytes(msgspec.json.encode(forged))
            try:
                read_seal(tmp_path / "seal.json")
            except SeloError:
                continue
            read.append(forgery.name)

    assert read == []


def test_a_seal_with_its_own_commitment_but_no_random_seed_is_refused(sealed_run, tmp_path):
    plain = json.loads((sealed_run.parent / "seal.json").read_bytes())
    plain["sealed"]["seed"] = "00" * 32
    plain["commitment"] = hashlib.sha256(b"").hexdigest()
    (tmp_path / "seal.json").write_bytes(msgspec.json.encode(plain))

    with pytest.raises(SealBroken):
        read_seal(tmp_path / "seal.json")


@needs("pdfsig")
def test_a_signed_lie_is_valid_to_others_and_named_by_us(material, signed_by, verify, tmp_path):
    """Readers of PDF ask who signed; whether it follows from the evidence only we ask."""
    report, files = material
    lying = altered(report, item=altered(report.item, product="Another product"))
    document = signed_by(bound(lying, files))
    (tmp_path / "lie.pdf").write_bytes(document)
    asked = ["pdfsig", "-nocert", tmp_path / "lie.pdf"]
    told = subprocess.run(asked, capture_output=True, text=True, check=False)

    checks = verify(document)

    assert told.stdout.count("Signature is Valid") == 2
    assert wrong(checks) == {"contents": "contents.differ"}
    assert exit_code_of(checks) == 6
