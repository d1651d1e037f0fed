"""How long a registry of a hundred thousand events takes to check, to ask and to publish again."""

import hashlib
import json
import resource
import time

import pytest
from tests.registry.conftest import WHY
from tests.registry.long_log import content_of, write_long_log
from tests.registry.quick_office import QuickOffice

from selo.registry import read_registry_policy
from selo.registry.certificate_lookup import look_up
from selo.registry.certificate_registry import CertificateRegistry
from selo.registry.publication import publish_registry
from selo.registry.registry_events import EventKind
from selo.registry.status import ask_registry, open_source
from selo.registry.status.status_list import make_status_list

EVENTS = 100_000


@pytest.fixture(scope="module")
def office(tmp_path_factory):
    return QuickOffice(tmp_path_factory.mktemp("office"))


@pytest.fixture(scope="module")
def policy(office):
    return read_registry_policy(office.policy)


@pytest.fixture(scope="module")
def make_registry(office, tmp_path_factory):
    def make(events):
        folder = tmp_path_factory.mktemp("long") / "registry"
        made = CertificateRegistry.begin(folder, office.policy, office.bureau, office.bureau)
        write_long_log(made, office, events)
        return made

    return make


@pytest.fixture(scope="module")
def registry(make_registry):
    return make_registry(EVENTS)


def processor_seconds():
    """Return what this process and its children have used: others share the machine."""
    used = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(one.ru_utime + one.ru_stime for one in used)


def measure(name, work):
    began, used = time.monotonic(), processor_seconds()
    result = work()
    spent = processor_seconds() - used
    print(f"{name}: {spent:.2f} s of processor, {time.monotonic() - began:.2f} s")
    return result, spent


@pytest.mark.bench
def test_a_check_is_linear_and_takes_less_than_a_minute(registry, make_registry, policy):
    small = make_registry(EVENTS // 5)
    part, short = measure("check of 20,000 events", lambda: small.check(policy))
    whole, long = measure("check of 100,000 events", lambda: registry.check(policy))

    assert part.problems == whole.problems == []
    assert whole.size == EVENTS
    assert long < 60
    assert long / short < 5 * 1.3


@pytest.mark.bench
def test_a_certificate_and_a_file_are_found_in_less_than_two_seconds(registry, policy):
    by_number, spent = measure(
        "one certificate", lambda: look_up(registry, policy, numbers=["SELO-050001"])
    )
    digests = [hashlib.sha256(content_of(number)).hexdigest() for number in range(40_000, 41_000)]
    by_file, longer = measure("1000 files", lambda: look_up(registry, policy, digests=digests))

    assert (by_number.problems, len(by_number.records)) == ([], 1)
    assert (by_file.problems, len(by_file.records)) == ([], 900)
    assert max(spent, longer) < 2


@pytest.mark.bench
def test_the_commands_answer_in_less_than_two_seconds(registry, office, installed, tmp_path):
    (tmp_path / "game.py").write_bytes(content_of(77_777))
    words = ("identify", str(tmp_path / "game.py"), "--registry", str(registry.folder))

    done, spent = measure(
        "selo identify", lambda: installed(*words, "--policy", str(office.policy), "--json")
    )

    assert done.returncode == 0, done.stdout + done.stderr
    (told,) = json.loads(done.stdout)["certificates"]
    assert (told["certificate"], told["exact"]) == ("SELO-077777", True)
    assert spent < 2


@pytest.mark.bench
def test_a_status_list_of_all_is_asked_in_less_than_two_seconds(registry, office, policy, tmp_path):
    path = tmp_path / "status.json"
    at = registry.check(signatures=False).head.at
    path.write_bytes(make_status_list(registry, office.bureau, files=True, at=at).encode())

    answer, spent = measure(
        f"a list of {path.stat().st_size >> 20} MiB",
        lambda: ask_registry(open_source(path), policy, numbers=["SELO-050001"]),
    )

    assert (answer.problems, len(answer.records)) == ([], 1)
    assert spent < 2


@pytest.mark.bench
def test_one_event_more_publishes_one_page_more(registry, office, policy, law, tmp_path):
    """The last test here: it changes the registry."""

    def publish():
        return publish_registry(registry, tmp_path / "site", law, policy)

    first, whole = measure("publication of 90,000 certificates", publish)
    fields = {"certificate": "SELO-000001", "reason": WHY}
    draft = registry.draft(EventKind.SUSPEND, office.bureau, **fields)
    registry.append(registry.sign(draft, office.bureau), office.bureau)
    second, spent = measure("publication of one event more", publish)

    pages = [name for name in second.written if name.startswith("certificates/")]
    assert (first.rendered, second.rendered) == (first.certificates, 1)
    assert pages == ["certificates/SELO-000001.html"]
    assert spent < whole / 2
