"""More than a hundred kinds of forgery of log, heads, states, lists and codes: all are found."""

import hashlib

import pytest
from tests.often import often
from tests.registry import forgeries
from tests.registry.forgeries import NOW, TRUTH, Scribe

from selo.errors import SeloError
from selo.registry import read_registry_policy
from selo.registry.certificate_registry import CertificateRegistry
from selo.registry.registry_check import check_log
from selo.registry.status import ask_registry, open_source
from selo.registry.status.status_list import compare_with_log
from selo.registry.tree_heads import parse_head
from selo.verification.verification_report import exit_code_of
from selo.verification.verifier import check_registry


@pytest.fixture(scope="module")
def scribe(office_of_module):
    return Scribe(office_of_module, read_registry_policy(office_of_module.policy))


@pytest.fixture(scope="module")
def office_of_module(tmp_path_factory):
    from tests.registry.quick_office import QuickOffice  # noqa: PLC0415 - beside its use

    return QuickOffice(tmp_path_factory.mktemp("forgers"))


@pytest.fixture(scope="module")
def honest(scribe):
    return scribe.write()


@pytest.fixture(scope="module")
def kept(honest):
    """Return the last head, which somebody has kept."""
    return parse_head(honest.raw_heads[-1])


@pytest.fixture
def shown_registry(scribe, office_of_module, tmp_path):
    """Return a registry as somebody shows it, with the policy that is trusted."""
    folder = tmp_path / "shown"
    prepared = CertificateRegistry.prepare(folder)
    prepared.keep_policy(office_of_module.policy, scribe.policy)

    return lambda shown: CertificateRegistry(folder=folder, storage=shown)


def keys(shown, policy, *kept):
    return [problem.key for problem in check_log(shown, policy, kept_heads=kept).problems]


def states(source, policy):
    """Return what is told of each certificate on the day."""
    answer = ask_registry(source, policy, numbers=TRUTH)
    return {number: str(answer.state_of(number, NOW)) for number in TRUTH}


def test_the_honest_log_has_no_problem_and_says_the_truth(
    honest, scribe, shown_registry, kept, tmp_path
):
    log = check_log(honest, scribe.policy, kept_heads=[kept])
    path = tmp_path / "list"
    path.write_bytes(scribe.list(log, honest).encode())

    assert log.problems == []
    assert states(shown_registry(honest), scribe.policy) == TRUTH
    assert states(open_source(path), scribe.policy) == TRUTH


def sample(kinds, step):
    """Return every kind by its name, once; or a part of them."""
    named = dict(kinds)
    return list(named.items())[::step]


STEPS = often([19, 1], 19)


@pytest.mark.parametrize("step", STEPS)
def test_whatever_is_changed_in_a_log_is_found_and_makes_nothing_valid(
    honest, scribe, shown_registry, step
):
    kinds = sample(forgeries.log_forgeries(honest), step)

    for name, shown in kinds:
        assert keys(shown, scribe.policy), name
        told = states(shown_registry(shown), scribe.policy)
        assert all(told[one] in {TRUTH[one], "unknown"} for one in TRUTH), (name, told)
    assert len(kinds) > 150 // step


@pytest.mark.parametrize("step", often([5, 1], 5))
def test_whatever_is_changed_in_a_head_is_found_and_makes_nothing_valid(
    honest, scribe, shown_registry, step
):
    kinds = sample(forgeries.head_forgeries(honest, scribe), step)

    for name, shown in kinds:
        assert keys(shown, scribe.policy), name
        told = states(shown_registry(shown), scribe.policy)
        assert set(told.values()) == {"unknown"} or told == TRUTH, (name, told)
    assert len(kinds) > 20 // step


@pytest.mark.parametrize("step", often([11, 1], 11))
def test_what_people_with_keys_may_not_do_is_found(scribe, step):
    kinds = sample(forgeries.insider_forgeries(scribe), step)

    for name, shown in kinds:
        assert keys(shown, scribe.policy), name
    assert len(kinds) > 70 // step


@pytest.mark.parametrize("step", often([5, 1], 5))
def test_a_log_that_was_rewritten_with_all_keys_contradicts_what_was_kept(scribe, kept, step):
    kinds = sample(forgeries.rewritings(scribe), step)

    for name, shown in kinds:
        assert keys(shown, scribe.policy) == [], name
        found = keys(shown, scribe.policy, kept)
        assert set(found) <= {"kept-head", "rolled-back", "head-registry"}, name
        assert found, name
    assert len(kinds) >= 20 // step


def test_two_heads_shown_to_two_people_convict_whoever_signed_them(scribe, honest, kept):
    other = dict(forgeries.rewritings(scribe))["two heads: another last line"]
    theirs = parse_head(other.raw_heads[-1])

    assert (theirs.head.size, theirs.head.registry) == (kept.head.size, kept.head.registry)
    assert theirs.head.root != kept.head.root
    assert keys(honest, scribe.policy, theirs) == ["kept-head"]
    assert keys(other, scribe.policy, kept) == ["kept-head"]


@pytest.mark.parametrize("step", STEPS)
def test_nothing_is_believed_of_a_forged_list(honest, scribe, tmp_path, step):
    log = check_log(honest, scribe.policy)
    kinds = sample(forgeries.list_forgeries(log, honest, scribe), step)

    for name, raw in kinds:
        path = tmp_path / "list"
        path.write_bytes(raw)
        try:
            source = open_source(path)
        except SeloError:
            continue
        assert ask_registry(source, scribe.policy, numbers=TRUTH).problems, name
        assert set(states(source, scribe.policy).values()) == {"unknown"}, name
        checks = list(check_registry(b"", "SELO-2", source, scribe.policy, NOW))
        assert exit_code_of(checks) == 6, name
    assert len(kinds) >= 40 // step


def test_a_list_that_lies_with_the_right_key_contradicts_the_log(honest, scribe):
    log = check_log(honest, scribe.policy)
    kinds = {
        name: (number, signed)
        for name, number, signed in forgeries.false_lists(log, honest, scribe)
    }

    for name, (number, signed) in kinds.items():
        found = [problem.slots["certificate"] for problem in compare_with_log(signed, log)]
        assert found == [number], name
    assert len(kinds) > 30


def test_nothing_is_believed_of_a_forged_code(honest, scribe, tmp_path):
    log = check_log(honest, scribe.policy)
    kinds = sample(forgeries.code_forgeries(log, honest, scribe), 1)
    document = hashlib.sha256(b"").hexdigest()

    for name, text in kinds:
        path = tmp_path / "code"
        path.write_text(text)
        try:
            source = open_source(path)
        except SeloError:
            continue
        for number in ("SELO-2", "SELO-5"):
            checks = list(check_registry(b"", number, source, scribe.policy, NOW))
            assert exit_code_of(checks) == 6, (name, document)
    assert len(kinds) >= 20


@pytest.mark.full
def test_the_kinds_are_more_than_a_hundred(honest, scribe):
    log = check_log(honest, scribe.policy)
    names = {
        "log": dict(forgeries.log_forgeries(honest)),
        "head": dict(forgeries.head_forgeries(honest, scribe)),
        "state": dict(forgeries.insider_forgeries(scribe)),
        "rewritten": dict(forgeries.rewritings(scribe)),
        "list": dict(forgeries.list_forgeries(log, honest, scribe)),
        "false": {name: 0 for name, _, _ in forgeries.false_lists(log, honest, scribe)},
        "code": dict(forgeries.code_forgeries(log, honest, scribe)),
    }

    counts = {name: len(kinds) for name, kinds in names.items()}

    assert sum(counts.values()) > 400, counts
    assert min(counts.values()) >= 20, counts
