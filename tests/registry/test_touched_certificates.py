"""A change of the law names the certificates that rest on it, and no others."""

import json

import jsonschema
import pytest
from tests.registry.conftest import WHY, issued
from tests.verification.certificates import run

from selo.cli.schemas.published_schemas import build_schema
from selo.registry.certificate_registry import CertificateRegistry
from selo.registry.registry_events import EventKind, RegisteredInstrument

#: Order 97/2008 replaced the first text of this game between these days.
DAYS = ("2008-12-01", "2009-01-01")
GAME = "fortune-three-card-poker"


@pytest.fixture(scope="module")
def registry(office, law, tmp_path_factory):
    folder = tmp_path_factory.mktemp("touched") / "registry"
    made = CertificateRegistry.begin(folder, office.policy, office.bureau, office.bureau)
    own = next(one.instrument.id for one in law.folders if one.instrument.game == GAME)
    for number, instrument in (("A", own), ("B", "portaria-97-85-m"), ("C", own), ("D", own)):
        fields = issued(number, instruments=[RegisteredInstrument(id=instrument, status="law")])
        event = made.draft(EventKind.ISSUE, office.laboratory, **fields)
        made.append(made.sign(event, office.laboratory), office.bureau)
    for kind, number in ((EventKind.SUSPEND, "C"), (EventKind.SUPERSEDE, "D")):
        more = {"successor": "A"} if kind is EventKind.SUPERSEDE else {}
        event = made.draft(kind, office.bureau, certificate=number, reason=WHY, **more)
        made.append(made.sign(event, office.bureau), office.bureau)
    return folder


def diff(capsys, *more):
    assert run("law", "diff", *DAYS, *more, "--json") == 0
    printed = json.loads(capsys.readouterr().out)
    jsonschema.Draft202012Validator(build_schema("law-diff")).validate(printed)
    return printed["changes"]


def test_certificates_that_rest_on_the_changed_text_are_named(registry, capsys):
    (change,) = diff(capsys, "--game", GAME, "--registry", registry)

    named = {one["certificate"]: one["state"] for one in change["certificates"]}
    assert named == {"A": "valid", "C": "suspended"}


def test_without_a_registry_nothing_is_said_of_certificates(capsys):
    (change,) = diff(capsys, "--game", GAME)

    assert change["certificates"] is None
