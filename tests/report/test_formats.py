"""Every format tells the same verdicts and the same ids, whatever a vendor calls itself."""

import json
import sqlite3
import sysconfig
from html.parser import HTMLParser
from pathlib import Path
from xml.etree import ElementTree as ET

import jsonschema
import msgspec
import pytest
import xmlschema

from selo.examine.findings.requested_provisions import UnrequestedFindings
from selo.report.formats.format_registry import render_formats
from selo.report.formats.html_report import render_html
from selo.report.formats.junit import CONCLUSION, render_junit
from selo.report.formats.report_json import MODELS, encode_report, read_report, render_schema
from selo.report.formats.sarif import PROTOCOL_RULE, render_sarif
from selo.report.formats.terminal_summary import MAX_ITEMS, _name_reading, render_text
from selo.report.model.results_model import OpenPoint
from selo.text.multilingual import Words
from selo.text.sanitize import _UNSEEN_CHARACTER
from selo.verdict.provision_verdict import Result

HERE = Path(__file__).parent
HOSTILE = {
    "markup": "<script>alert(1)</script> & \"quotes\" ]]> <!-- 'x' --> {{ 7 * 7 }} {% raw %}",
    "escapes": "\x1b[31mred\x1b]0;title\x07 \x00\x08\r\n\t$(reboot) `x` %s {0} {name}",
    "long": "Sociedade " + "muito comprida " * 12 + "e ainda mais",
    "unbroken": "W" * 200,
    "right-to-left": "\u202eשלום\u202c \u2066مرحبا\u2069 \u200f",
    "unseen": "a\u200bb\u2028c\ufeffd\ufffee\uffff\U000e0041",
    "wide": "𠮷野家遊戲有限公司 👩‍👩‍👧 Å Å",
    "empty": " ",
}
PASSED = {Result.CONFORMS, Result.WITNESSED}
TAGS = {"failure": {Result.VIOLATES}, "error": {Result.INCONCLUSIVE},
        "skipped": {Result.NOT_EXAMINED, Result.TO_BE_WITNESSED}, None: PASSED}  # fmt: skip


def named(report, text):
    """Return the report with `text` wherever a stranger can write something."""
    replace = msgspec.structs.replace
    item = replace(
        report.item, vendor=text, contact=text, product=text, version=text, random=text,
        platform=text, condition=text,
    )  # fmt: skip
    item = replace(item, files=[replace(one, path=f"{text}{one.path}") for one in item.files])
    client = replace(report.client, name=text, address=text, contact=text, licence=text)
    findings = [
        replace(one, observed={text: text}, params={**one.params, text: [text]})
        for one in report.findings
    ]
    method = replace(report.method, vendor_command=text, adapter=item.files[0], left_out=[text])
    return replace(
        report, item=item, client=client, place=text, recipients=[text], findings=findings,
        number=text, method=method, faults=[{"kind": text, "told": text, "path": text}],
        known_issues=[text],
    )  # fmt: skip


def multiplied(report, count):
    """Return the report with `count` findings, each broken provision knowing its own."""
    replace = msgspec.structs.replace
    first = report.findings[0]
    findings = [replace(first, id=f"F-{number:03}") for number in range(1, count + 1)]
    blamed = set(first.provisions)
    provisions = [
        replace(one, findings=[sheet.id for sheet in findings] if one.id in blamed else [])
        for one in report.provisions
    ]
    return replace(report, findings=findings, provisions=provisions)


@pytest.fixture(scope="module", params=["lawful", "faulty", "none", "many", *HOSTILE])
def told(request, report, faulty):
    if request.param == "lawful":
        return report
    if request.param == "none":
        return multiplied(faulty, 0)
    if request.param == "many":
        return multiplied(faulty, 2000)
    return faulty if request.param == "faulty" else named(faulty, HOSTILE[request.param])


@pytest.fixture(scope="session")
def sarif_schema():
    """Return the official schema as the package of JSON SchemaStore carries it."""
    path = Path(sysconfig.get_path("purelib")) / "schemastore" / "cache.sqlite"
    with sqlite3.connect(path) as store:
        rows = store.execute("SELECT value FROM responses")
        kept = next(
            bytes(value) for (value,) in rows
            if b"oasis-tcs/sarif-spec/master/Schemata/sarif-schema-2.1.0.json" in bytes(value)
        )  # fmt: skip
    # What is kept is a page and what was said around it; the schema is the first JSON in it.
    text = kept[kept.index(b"{\r\n") :].decode("utf-8", errors="ignore")
    schema, _ = json.JSONDecoder().raw_decode(text)
    assert schema["title"].endswith("(SARIF) Version 2.1.0 JSON Schema")
    return jsonschema.Draft7Validator(schema)


@pytest.fixture(scope="session")
def junit_schema():
    return xmlschema.XMLSchema(HERE / "schemas" / "junit-10.xsd")


@pytest.fixture(scope="session")
def report_schema(root):
    path = root / "specs" / "schema" / "report.schema.json"
    schema = json.loads(path.read_text(encoding="utf-8"))
    jsonschema.Draft202012Validator.check_schema(schema)
    return jsonschema.Draft202012Validator(schema)


def verdicts(report):
    return {one.id: str(one.result) for one in report.provisions}


def parsed(report):
    return ET.fromstring(render_junit(report))  # noqa: S314 - our own file


def cases(report):
    for case in parsed(report).iter("testcase"):
        tags = [child.tag for child in case if child.tag != "system-out"]
        yield case.get("name"), tags[0] if tags else None, case


def test_json_tells_the_verdicts(told):
    plain = json.loads(encode_report(told))

    assert {one["id"]: one["result"] for one in plain["provisions"]} == verdicts(told)


def test_json_tells_the_findings(told):
    plain = json.loads(encode_report(told))

    assert [one["id"] for one in plain["findings"]] == [one.id for one in told.findings]


def test_json_follows_its_published_schema(told, report_schema):
    assert not list(report_schema.iter_errors(json.loads(encode_report(told))))


def test_json_comes_back_as_it_was(told, tmp_path):
    path = tmp_path / "report.json"
    path.write_bytes(encode_report(told))

    assert encode_report(read_report(path)) == encode_report(told)


def test_junit_has_one_case_for_each_provision(told):
    names = [name for name, _, _ in cases(told) if not name.endswith(f"/{CONCLUSION}")]

    assert names == [one.id for one in told.provisions]


def test_junit_tells_the_verdicts(told):
    results = {one.id: one.result for one in told.provisions}

    for name, tag, _ in cases(told):
        if name in results:
            assert results[name] in TAGS[tag], name


def test_junit_tells_the_conclusion_on_each_game(told):
    found = {name: tag for name, tag, _ in cases(told) if name.endswith(f"/{CONCLUSION}")}

    tags = {"violates": "failure", "inconclusive": "error", "not-fully-verified": "skipped"}
    assert found == {f"{one.game}/{CONCLUSION}": tags.get(str(one.overall)) for one in told.games}


def test_junit_tells_the_findings(told):
    texts = {name: "".join(case.itertext()) for name, _, case in cases(told)}

    for provision in told.provisions:
        for name in provision.findings:
            assert f"{name}: " in texts[provision.id]


def test_junit_follows_the_schema_of_jenkins(told, junit_schema):
    junit_schema.validate(render_junit(told).decode())


def test_junit_counts_what_it_holds(told):
    top = parsed(told)

    for suite in top.iter("testsuite"):
        found = {tag: len(list(suite.iter(tag))) for tag in ("failure", "error", "skipped")}
        counted = {"failure": suite.get("failures"), "error": suite.get("errors"),
                   "skipped": suite.get("skipped")}  # fmt: skip
        assert {tag: str(count) for tag, count in found.items()} == counted
        assert suite.get("tests") == str(len(list(suite.iter("testcase"))))


def sarif_run(report):
    (run,) = json.loads(render_sarif(report))["runs"]
    return run


@pytest.fixture(scope="module")
def narrowed(faulty):
    """The same report, if something else had been asked for than what it found."""
    first, *_ = faulty.findings
    outside = UnrequestedFindings(provisions=first.provisions, findings=[first.id])
    return msgspec.structs.replace(faulty, outside=outside), first


def test_junit_marks_what_was_found_on_the_way(narrowed, junit_schema):
    report, found = narrowed

    groups = {name: case.get("group") for name, _, case in cases(report)}
    named = [
        one.get("value") for one in parsed(report).iter("property") if one.get("name") == "outside"
    ]

    assert {name for name, group in groups.items() if group == "outside"} == {*found.provisions}
    assert named == [*found.provisions, found.id]
    junit_schema.validate(render_junit(report).decode())


def test_sarif_marks_what_was_found_on_the_way(narrowed, sarif_schema):
    report, found = narrowed

    marked = {
        one["properties"]["id"]: one["properties"]["outside"]
        for one in sarif_run(report)["results"]
    }

    assert marked == {one.id: one.id == found.id for one in report.findings}
    assert not list(sarif_schema.iter_errors(json.loads(render_sarif(report))))


def test_where_everything_was_asked_for_nothing_is_marked(faulty):
    assert faulty.outside is None
    assert not any(case.get("group") for _, _, case in cases(faulty))
    assert not any(one["properties"]["outside"] for one in sarif_run(faulty)["results"])


def test_sarif_tells_the_verdicts(told):
    rules = sarif_run(told)["tool"]["driver"]["rules"]

    found = {one["id"]: one["properties"]["verdict"] for one in rules if one["id"] != PROTOCOL_RULE}
    assert found == verdicts(told)


def test_sarif_tells_the_findings(told):
    found = [(one["properties"]["id"], one["ruleId"]) for one in sarif_run(told)["results"]]

    assert found == [(one.id, one.provisions[0]) for one in told.findings]


def test_sarif_follows_the_official_schema(told, sarif_schema):
    assert not list(sarif_schema.iter_errors(json.loads(render_sarif(told))))


def test_sarif_points_into_the_law_file_at_the_line_of_the_provision(faulty, root):
    for result in sarif_run(faulty)["results"]:
        for place in result["relatedLocations"]:
            where = place["physicalLocation"]
            lines = (root / where["artifactLocation"]["uri"]).read_text("utf-8").splitlines()
            said = lines[where["region"]["startLine"] - 1]
            assert said.lstrip("- ").startswith("id: ")


def test_sarif_points_at_the_adapter(faulty):
    for result in sarif_run(faulty)["results"]:
        (place,) = result["locations"]
        assert place["physicalLocation"]["artifactLocation"]["uri"] == "fixtures/planted/vendor.py"


class Entries(HTMLParser):
    """Gathers what a page says by its attributes."""

    def __init__(self, page):
        super().__init__()
        self.found = []
        self.feed(page)

    def handle_starttag(self, tag, attributes):
        given = dict(attributes)
        if tag == "article" and "data-verdict" in given:
            self.found.append((given["id"], given["data-verdict"]))


@pytest.fixture(scope="module")
def entries(told):
    return Entries(render_html(told)).found


def test_the_page_tells_the_verdicts(told, entries):
    found = {name: verdict for name, verdict in entries if name.startswith("p-")}

    assert found == {
        f"p-{name.replace('/', '-')}": verdict for name, verdict in verdicts(told).items()
    }


def test_the_page_tells_the_findings(told, entries):
    found = [name for name, _ in entries if name.startswith("F-")]

    assert found == [one.id for one in told.findings]


def test_the_terminal_tells_the_findings(told):
    text = render_text(told, "en").decode()

    for one in told.findings[:MAX_ITEMS]:
        assert f"\n{one.id}  " in text


@pytest.mark.parametrize("language", ["pt", "zh", "en"])
def test_the_terminal_speaks_every_language(faulty, language):
    text = render_text(faulty, language).decode()

    assert faulty.statement.verdict.get(language) in text


def test_nothing_that_a_stranger_wrote_moves_a_cursor(faulty):
    text = render_text(named(faulty, HOSTILE["escapes"]), "en").decode()

    assert not {one for one in text if ord(one) < 32 and one != "\n"}


@pytest.mark.parametrize("name", MODELS)
def test_the_schema_file_is_not_stale(root, name):
    path = root / "specs" / "schema" / f"{name}.schema.json"

    assert path.read_text(encoding="utf-8") == render_schema(name), "run: make schemas"


def test_every_format_that_is_asked_for_is_made(report):
    names = ["terminal", "json", "junit", "sarif"]

    files = dict(render_formats(report, names, language="en", enclosures=[]))

    assert list(files) == ["report.txt", "report.json", "report.junit.xml", "report.sarif"]


@pytest.mark.parametrize("name", ["escapes", "right-to-left", "unseen"])
@pytest.mark.parametrize("kind", ["terminal", "junit", "sarif", "html"])
def test_no_character_that_turns_or_hides_stands_raw(faulty, kind, name):
    """A line feed and a tab lay out a file; the other unseen characters only mislead."""
    hostile = named(faulty, HOSTILE[name])

    ((_, content),) = render_formats(hostile, [kind], language="en", enclosures=[])
    text = content.decode()

    assert set(_UNSEEN_CHARACTER.findall(text)) <= {"\n", "\t"}


@pytest.mark.parametrize("language", ["pt", "zh", "en"])
def test_the_terminal_says_readings_in_words_and_ids_are_typed_in_english(language):
    point = OpenPoint(
        divergence="21-96-m-5-h--chosen-figure", provisions=["portaria-21-96-m/5/h"],
        question=Words(pt="Qual trio?", zh="何種圍骰？", en="Which triple?"),
        readings={"any-figure": Words(pt="Qualquer trio ganha.", zh="任何圍骰均贏。", en="Any.")},
        default="any-figure", follows="any-figure", times=1, cases=1, ruled=None,
    )  # fmt: skip

    named = _name_reading(point, "any-figure", language)

    assert (
        named == {"pt": "Qualquer trio ganha", "zh": "任何圍骰均贏", "en": "any-figure"}[language]
    )
