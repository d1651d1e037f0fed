"""Which document a result allows: the table of docs/documents.md is the rule."""

import itertools
import re

import msgspec
import pytest

from selo.edition import digest_edition, read_edition_files
from selo.report.model.dossier import DocumentKind, Dossier
from selo.report.model.report_model import DeviationRecord, MissingRequirement, StatisticRecord
from selo.report.pdf.first_page import summarize_shortfalls
from selo.report.phrases.composition import words
from selo.report.requirements.document_kind import (
    _COLUMNS,
    DocumentNotAllowed,
    check_edition,
    find_missing,
    find_shortfalls,
    is_allowed,
    require_allowed,
)
from selo.report.requirements.required_fields import REQUIRED_FIELDS
from selo.vendors.sandbox import GUARANTEES
from selo.verdict.overall import Overall
from selo.verdict.provision_verdict import Result

CONDITIONS = {
    "asked": [str(one) for one in DocumentKind],
    "run": ["own", "laboratory"],
    "verdict": ["conforms", "other"],
    "scope": ["whole", "some"],
    "fields": ["complete", "incomplete"],
    "seed": ["committed", "open"],
    "isolation": ["whole", "partial"],
    "law": ["stated", "not-stated"],
    "rulings": ["named", "nameless"],
    "extent": ["full", "less"],
}
COMBINATIONS = [
    dict(zip(CONDITIONS, values, strict=True)) for values in itertools.product(*CONDITIONS.values())
]


@pytest.fixture(scope="module")
def page(root):
    return (root / "docs" / "documents.md").read_text(encoding="utf-8")


@pytest.fixture(scope="module")
def rows(page):
    found = re.search(r"<!-- table: kinds -->\n((?:\|.*\n)+)", page)
    head, _, *lines = [
        [cell.strip() for cell in line.strip("|").split("|")] for line in found[1].splitlines()
    ]
    return [dict(zip(head, line, strict=True)) for line in lines]


def fitting(rows, given):
    return [
        row
        for row in rows
        if all(
            row[name] == "any" or value in row[name].split(", ") for name, value in given.items()
        )
    ]


def test_exactly_one_row_fits_every_combination(rows):
    assert {len(fitting(rows, given)) for given in COMBINATIONS} == {1}


def test_every_row_is_needed(rows):
    used = {rows.index(fitting(rows, given)[0]) for given in COMBINATIONS}

    assert used == set(range(len(rows)))


def test_the_program_does_what_the_table_says(rows):
    for given in COMBINATIONS:
        told = is_allowed(
            DocumentKind(given["asked"]),
            own_run=given["run"] == "own",
            conforms=given["verdict"] == "conforms",
            whole=given["scope"] == "whole",
            complete=given["fields"] == "complete",
            committed=given["seed"] == "committed",
            isolated=given["isolation"] == "whole",
            law_stated=given["law"] == "stated",
            rulings_named=given["rulings"] == "named",
            extensive=given["extent"] == "full",
        )

        assert ("made" if told else "refused") == fitting(rows, given)[0]["document"], given


def test_the_page_names_the_fields_that_a_certificate_needs(page):
    listed = re.search(r"<!-- list: required -->\n(.*)\n", page)[1]

    assert re.findall(r"`([\w.]+)`", listed) == list(REQUIRED_FIELDS)


def test_without_a_dossier_a_run_is_the_vendors_own(report):
    assert report.kind is DocumentKind.PRE_CHECK


def without(report, **changes):
    return msgspec.structs.replace(report, **changes)


def keys(report, dossier):
    return {one.key for one in find_missing(report, dossier)}


@pytest.mark.parametrize("path", REQUIRED_FIELDS)
def test_a_field_left_empty_stands_in_the_way(certifiable, path):
    report, dossier = certifiable
    group, _, name = path.rpartition(".")
    empty = getattr(getattr(Dossier(), group) if group else Dossier(), name)
    changed = {name: empty}
    if group:
        changed = {group: msgspec.structs.replace(getattr(dossier, group), **changed)}

    assert keys(report, msgspec.structs.replace(dossier, **changed)) == {f"field:{path}"}


@pytest.mark.parametrize("path", REQUIRED_FIELDS)
def test_a_field_left_empty_is_told_by_its_name_and_its_key(certifiable, path):
    report, _ = certifiable
    told = {
        one.key: one.says for one in find_missing(report, Dossier(kind=DocumentKind.CERTIFICATE))
    }
    says = told[f"field:{path}"]

    assert len({says.pt, says.zh, says.en}) == 3
    for text in (says.pt, says.zh, says.en):
        # The key by which the dossier is filled in, and apart from it no path.
        assert text.count(path) >= 1
        assert "_" not in text.replace(path, "")


def test_nothing_stands_in_the_way_of_a_whole_one(certifiable):
    report, dossier = certifiable

    assert find_missing(report, dossier) == []


def isolation_keys(report, dossier):
    return {key for key in keys(report, dossier) if key.startswith("isolation")}


def with_method(report, *, demonstration=False, **changes):
    method = msgspec.structs.replace(report.method, **changes)
    # Outside of a demonstration a text that is applied as stored needs a permission.
    norms = [msgspec.structs.replace(one, permitted_by="P-1") for one in report.norms]
    return without(report, method=method, demonstration=demonstration, norms=norms)


@pytest.mark.parametrize("name", GUARANTEES)
def test_a_guarantee_that_was_not_measured_stands_in_the_way(certifiable, name):
    report, dossier = certifiable
    measured = {**dict.fromkeys(GUARANTEES, True), name: False}

    assert isolation_keys(with_method(report, confinement=measured, undeclared=[]), dossier) == {
        f"isolation:{name}"
    }


def test_a_guarantee_that_nobody_looked_at_stands_in_the_way(certifiable):
    report, dossier = certifiable

    found = isolation_keys(with_method(report, confinement={}, undeclared=[]), dossier)

    assert found == {f"isolation:{name}" for name in GUARANTEES}


def test_a_demonstration_needs_no_isolation(certifiable):
    report, dossier = certifiable

    shown = with_method(report, demonstration=True, confinement={}, undeclared=None)

    assert keys(shown, dossier) == set()


@pytest.mark.parametrize("demonstration", [True, False])
def test_a_file_that_was_opened_and_not_declared_stands_in_the_way(certifiable, demonstration):
    report, dossier = certifiable
    measured = dict.fromkeys(GUARANTEES, True)

    opened = with_method(
        report, demonstration=demonstration, confinement=measured, undeclared=["rates.txt"]
    )

    assert isolation_keys(opened, dossier) == {"isolation:rates.txt"}


def test_files_that_nobody_watched_stand_in_the_way(certifiable):
    report, dossier = certifiable
    measured = dict.fromkeys(GUARANTEES, True)

    found = isolation_keys(with_method(report, confinement=measured, undeclared=None), dossier)

    assert found == {"isolation:opened"}


@pytest.mark.parametrize(
    ("changes", "key"),
    [
        ({"budget": "standard"}, "extent:budget"),
        ({"reached": "object", "started": []}, "started:process"),
        ({"reached": "server", "started": []}, "started:process"),
        ({"started": []}, "started:none"),
        ({"started": ["other.py"]}, "started:other.py"),
        ({"started": ["…/elsewhere.py"]}, "started:…/elsewhere.py"),
    ],
)
def test_what_a_certificate_insists_on_stands_in_the_way(certifiable, changes, key):
    report, dossier = certifiable

    real = with_method(report, **{"budget": "full", **changes})

    assert key in keys(real, dossier)
    assert key not in keys(with_method(report, budget="full"), dossier)


def test_a_demonstration_may_fall_short_of_extent_and_isolation_and_of_nothing_else(certifiable):
    report, dossier = certifiable
    shown = with_method(
        report, demonstration=True, confinement={}, undeclared=None, reached="object", started=[]
    )

    assert keys(shown, dossier) == {"started:process"}
    short = {one.key.partition(":")[0] for one in find_shortfalls(shown)}
    assert short == {"extent", "isolation"}


def test_without_a_time_or_a_publication_a_commitment_is_not_enough(certifiable):
    report, dossier = certifiable
    seed = msgspec.structs.replace(report.method.seed, token=None, published="")

    assert keys(with_method(report, demonstration=True, seed=seed), dossier) == {"seed:when"}


def test_statistics_without_the_stated_power_stand_in_the_way(certifiable):
    report, dossier = certifiable
    weak = StatisticRecord(
        test="face 1", game="pai-kao", provisions=[], sample=10, statistic="0", freedom=1,
        p_value="1", level="0.1", result="fair", power="0.1", notices="0.9",
    )  # fmt: skip
    real = without(with_method(report, budget="full"), statistics=[weak])
    strong = msgspec.structs.replace(weak, notices="0.2")

    assert "extent:power:pai-kao" in keys(real, dossier)
    assert "extent:power:pai-kao" not in keys(without(real, statistics=[strong]), dossier)


def test_a_deviation_that_would_not_be_noticed_stands_in_the_way(certifiable):
    report, dossier = certifiable
    weak = DeviationRecord(
        deviation="card-missing", name=words("draws.deviation.card-missing"), game="pai-kao",
        outcomes="draw", test="cards", sample=10, power="0.2", risk="0.8", wanted="9/10",
        needed=600,
    )  # fmt: skip
    real = with_method(report, budget="full")
    key = "extent:power:pai-kao:card-missing"
    strong = msgspec.structs.replace(weak, power="0.91")
    certain = msgspec.structs.replace(weak, deviation="pack-card-missing", power="1", wanted=None)

    assert key in keys(without(real, powers=[weak]), dossier)
    assert key not in keys(without(real, powers=[strong]), dossier)
    assert key in keys(without(real, powers=[weak, certain]), dossier)
    assert key in keys(without(real, powers=[strong, weak]), dossier)


def test_law_for_which_nobody_answers_stands_in_the_way(law):
    edition = digest_edition(read_edition_files(law))

    assert list(check_edition(law, edition, signed=False)) == []
    assert [one.key for one in check_edition(law, "0" * 64, signed=False)] == ["edition:foreign"]
    assert list(check_edition(law, "0" * 64, signed=True)) == []


def test_a_whole_one_is_permitted(certifiable):
    report, dossier = certifiable

    require_allowed(report, dossier)


@pytest.mark.parametrize(
    ("result", "counts", "stands"),
    [
        (Result.CONFORMS, True, False),
        (Result.WITNESSED, True, False),
        (Result.VIOLATES, True, True),
        (Result.INCONCLUSIVE, True, True),
        (Result.NOT_EXAMINED, True, True),
        (Result.TO_BE_WITNESSED, True, True),
        (Result.NOT_EXAMINED, False, False),
    ],
)
def test_only_what_conforms_or_was_witnessed_lets_a_certificate_pass(
    certifiable, result, counts, stands
):
    report, dossier = certifiable
    first, *rest = report.provisions
    other = msgspec.structs.replace(first, result=result, counts=counts)

    found = keys(without(report, provisions=[other, *rest]), dossier)

    assert (f"provision:{first.id}" in found) is stands


@pytest.mark.parametrize("overall", [one for one in Overall if one is not Overall.CONFORMS])
def test_a_conclusion_that_is_not_conforms_stands_in_the_way(certifiable, overall):
    report, dossier = certifiable

    assert keys(without(report, overall=overall), dossier) == {"overall"}


def test_a_seed_that_nobody_sealed_stands_in_the_way(certifiable):
    report, dossier = certifiable
    seed = msgspec.structs.replace(report.method.seed, commitment=None, revealed=None)
    method = msgspec.structs.replace(report.method, seed=seed)

    assert keys(without(report, method=method), dossier) == {"seed"}


def test_a_seed_that_was_never_revealed_stands_in_the_way(certifiable):
    report, dossier = certifiable
    seed = msgspec.structs.replace(report.method.seed, revealed=None)
    method = msgspec.structs.replace(report.method, seed=seed)

    assert keys(without(report, method=method), dossier) == {"seed"}


def test_a_text_that_is_not_yet_law_stands_in_the_way(certifiable):
    report, dossier = certifiable
    norm = msgspec.structs.replace(report.norms[0], standing="not-yet", is_law=False)
    method = msgspec.structs.replace(report.method, text_as_stored=False)

    assert keys(without(report, norms=[norm], method=method), dossier) == {f"law:{norm.instrument}"}


def test_a_file_that_changed_stands_in_the_way(certifiable):
    report, dossier = certifiable
    first, *rest = report.item.files
    changed = msgspec.structs.replace(first, unchanged=False)
    item = msgspec.structs.replace(report.item, files=[changed, *rest])

    assert keys(without(report, item=item), dossier) == {f"file:{first.path}"}


def test_a_file_that_nobody_hashed_stands_in_the_way(certifiable):
    report, dossier = certifiable
    first, *rest = report.item.files
    unread = msgspec.structs.replace(first, hashed=False)
    item = msgspec.structs.replace(report.item, files=[unread, *rest])

    assert keys(without(report, item=item), dossier) == {f"field:files:{first.path}"}


def test_a_reading_adopted_by_nobody_stands_in_the_way(certifiable):
    report, dossier = certifiable
    adopted = [msgspec.structs.replace(one, by="") for one in report.method.adopted]
    method = msgspec.structs.replace(report.method, adopted=adopted)

    assert keys(without(report, method=method), dossier) == {"rulings"}


def test_odds_that_nobody_can_count_stand_in_the_way(certifiable):
    report, dossier = certifiable

    assert [one.key for one in find_missing(report, dossier, ["craps"])] == ["edge:craps"]


def test_a_run_of_some_provisions_stands_in_the_way(certifiable):
    report, dossier = certifiable
    method = msgspec.structs.replace(report.method, provisions=[report.provisions[0].id])

    assert keys(without(report, method=method), dossier) == {"scope"}


@pytest.mark.parametrize(
    "key",
    [
        "own-run", "provision:x", "overall", "file:x", "scope", "field:x", "edge:x", "seed",
        "law:x", "rulings",
    ],
)  # fmt: skip
def test_whatever_stands_in_the_way_refuses_a_certificate(certifiable, key):
    report, dossier = certifiable
    one = MissingRequirement(key=key, says=words("report.missing.seed"))
    dossier = msgspec.structs.replace(
        dossier, kind=DocumentKind.PRE_CHECK if key == "own-run" else dossier.kind
    )

    with pytest.raises(DocumentNotAllowed):
        require_allowed(without(report, kind=DocumentKind.CERTIFICATE, missing=[one]), dossier)


def test_every_key_that_can_stand_in_the_way_is_known(root):
    code = "".join(
        (root / "harness" / "selo" / "report" / "requirements" / name).read_text(encoding="utf-8")
        for name in ("document_kind.py", "required_fields.py")
    )
    written = set(re.findall(r'key=f?"([a-z-]+)', code))

    assert written == set(_COLUMNS)


def test_the_vendors_own_run_stands_in_the_way(certifiable):
    report, dossier = certifiable
    own = msgspec.structs.replace(dossier, kind=DocumentKind.PRE_CHECK)

    assert keys(report, own) == {"own-run"}


@pytest.mark.parametrize("kind", [DocumentKind.TEST_REPORT, DocumentKind.CERTIFICATE])
def test_the_vendors_own_run_is_never_anything_but_a_pre_check(report, kind):
    with pytest.raises(DocumentNotAllowed):
        require_allowed(without(report, kind=kind), Dossier())


def test_a_refusal_lists_everything_at_once(report):
    with pytest.raises(DocumentNotAllowed) as refused:
        require_allowed(without(report, kind=DocumentKind.CERTIFICATE), Dossier())

    assert all(one.says.en in str(refused.value) for one in report.missing)


def test_answers_to_the_canonical_set_that_are_missing_or_wrong_stand_in_the_way(certifiable):
    report, dossier = certifiable

    assert keys(with_method(report, budget="full", canonical_wrong=None), dossier) >= {
        "canonical:none"
    }
    assert keys(with_method(report, demonstration=True, canonical_wrong=1), dossier) == {
        "canonical"
    }


def test_a_game_without_a_kill_score_of_this_edition_stands_in_the_way(certifiable):
    report, dossier = certifiable
    real = with_method(report, budget="full")
    game = report.games[0].game
    scored = [msgspec.structs.replace(one, planted=(1, 1)) for one in report.provisions]
    unscored = [msgspec.structs.replace(one, planted=None) for one in report.provisions]

    assert f"extent:kills:{game}" in keys(without(real, provisions=unscored), dossier)
    assert f"extent:kills:{game}" not in keys(without(real, provisions=scored), dossier)


def test_a_text_that_is_applied_as_stored_needs_a_permission(certifiable):
    report, dossier = certifiable
    past = [msgspec.structs.replace(one, is_law=False, permitted_by=None) for one in report.norms]
    permitted = [msgspec.structs.replace(one, permitted_by="P-1") for one in past]
    method = msgspec.structs.replace(report.method, text_as_stored=True)
    real = without(report, method=method, demonstration=False)
    key = f"law:{report.norms[0].instrument}"

    assert key in keys(without(real, norms=past), dossier)
    assert key not in keys(without(real, norms=permitted), dossier)


INSISTED = {
    "isolation": {"confinement": {}},
    "opened files": {"undeclared": None},
    "extent": {"budget": "quick"},
}


@pytest.mark.parametrize("name", INSISTED)
def test_what_a_real_certificate_is_refused_for_stands_on_the_first_page_of_a_demonstration(
    certifiable, name
):
    report, dossier = certifiable
    whole = {"confinement": dict.fromkeys(GUARANTEES, True), "undeclared": [], "budget": "full"}
    short = {**whole, **INSISTED[name]}
    real = with_method(report, **short)
    shown = with_method(report, demonstration=True, **short)
    shown = without(shown, shortfalls=list(find_shortfalls(shown)))

    refused = keys(real, dossier) - keys(with_method(report, **whole), dossier)
    assert refused
    assert refused <= {one.key for one in shown.shortfalls}
    bare = without(shown, shortfalls=[one for one in shown.shortfalls if one.key in refused])
    for language, colon in (("pt", ": "), ("zh", "：")):
        told = summarize_shortfalls(bare, language).partition(colon)[2][:-1]
        assert told in summarize_shortfalls(shown, language)
