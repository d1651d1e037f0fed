"""A registry with keys of its own, and events to put into it."""

import datetime as dt

import pytest
from tests.often import often

from selo.registry.certificate_registry import CertificateRegistry
from selo.registry.registry_events import (
    EventKind,
    EventReason,
    RegisteredFile,
    RegisteredInstrument,
    RegisteredProduct,
)
from selo.signing.keys.demo_authority import make_demo_authority
from selo.signing.keys.pkcs12_keys import load_pkcs12

SECRET = "demonstration"  # noqa: S105 - of keys that are made and forgotten here
POLICY = """
roots: [root.pem]
revocations: [root.crl, issuing.crl]
days: 30
signers:
  head: [{{key: {bureau}}}]
  open: [{{key: {bureau}}}]
  policy: [{{key: {bureau}}}, {{key: {laboratory}}}]
  commit: [{{key: {laboratory}}}]
  issue: [{{key: {laboratory}}}]
  suspend: [{{key: {bureau}}}]
  reinstate: [{{key: {bureau}}}, {{key: {laboratory}}}]
  revoke: [{{key: {bureau}}}, {{key: {laboratory}}}]
  supersede: [{{key: {bureau}}}]
  withdraw: [{{key: {laboratory}}}]
"""
WHY = EventReason(pt="Ensaio do registo.", zh="登記冊之測試。")
PRODUCT = RegisteredProduct(vendor="Reference vendor", name="Reference games", version="1.0")


class Office:
    """The keys of laboratory and bureau, and the policy that names them."""

    def __init__(self, folder):
        from selo.signing.keys.certificates import key_digest  # noqa: PLC0415 - only here

        for name, content in make_demo_authority().files(SECRET).items():
            (folder / name).write_bytes(content)
        self.folder = folder
        self.laboratory = load_pkcs12(folder / "laboratory.p12", SECRET)
        self.bureau = load_pkcs12(folder / "bureau.p12", SECRET)
        self.policy = folder / "policy.yaml"
        digests = {
            role: key_digest(getattr(self, role).certificate) for role in ("laboratory", "bureau")
        }
        self.policy.write_text(POLICY.format(**digests), encoding="utf-8")

    def signs(self, kind):
        bureau = {EventKind.SUSPEND, EventKind.SUPERSEDE, EventKind.OPEN}
        return self.bureau if kind in bureau else self.laboratory


@pytest.fixture(scope="session")
def office(tmp_path_factory):
    """Keys that sign quickly; `demonstration_office` has those of the demonstration authority."""
    from tests.registry.quick_office import QuickOffice  # noqa: PLC0415 - it imports this module

    return QuickOffice(tmp_path_factory.mktemp("registry-office"))


@pytest.fixture(scope="session")
def demonstration_office(tmp_path_factory):
    return Office(tmp_path_factory.mktemp("demonstration-office"))


@pytest.fixture
def address(request):
    """Return where a log is kept, by the name of a kind of storage: blank for its folder."""

    def address(kind):
        if kind == "postgresql":
            return request.getfixturevalue("postgresql").make_database()
        return {"folder": "", "sqlite": "sqlite:///log.db"}[kind]

    return address


@pytest.fixture
def registry(request, office, tmp_path, address):
    """Return a new registry, in a folder or where the test asks for: `over_all_storages`."""
    place = address(getattr(request, "param", "folder"))
    return CertificateRegistry.begin(
        tmp_path / "registry", office.policy, office.bureau, office.bureau, place
    )


STORAGES = ["folder", "sqlite", "postgresql"]
#: One set of tests over every kind of storage; every run tries them in a folder.
over_all_storages = pytest.mark.parametrize("registry", often(STORAGES, "folder"), indirect=True)


def issued(number, **other):
    """Return the fields of an event that issues a certificate."""
    return {
        "certificate": number,
        "document": "1" * 64,
        "evidence_root": "2" * 64,
        "product": PRODUCT,
        "files": [RegisteredFile(path="game.py", size=3, sha256="3" * 64, sha1="4" * 40)],
        "instruments": [RegisteredInstrument(id="portaria-21-96-m", status="revoked")],
        "valid_until": dt.date(2099, 12, 31),
        **other,
    }


@pytest.fixture
def happen(registry, office):
    """Put an event into the registry, signed by whoever must."""

    def happen(kind, **fields):
        kind = EventKind(kind)
        if kind not in {EventKind.ISSUE, EventKind.COMMIT}:
            fields.setdefault("reason", WHY)
        key = office.signs(kind)
        line = registry.sign(registry.draft(kind, key, **fields), key)
        if kind in {EventKind.REVOKE, EventKind.REINSTATE}:
            line = registry.countersign(line, office.bureau)
        return registry.append(line, office.bureau)

    return happen
