"""What is run: jobs of command lines, each with the files that they leave behind."""

from __future__ import annotations

import hashlib
import json
from dataclasses import asdict, dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

SEED = "1"
AS_OF = "2026-01-15"
#: Stands in a command line for the workspace of the older tree.
OLDER = "{older}"
DOSSIER = "fixtures/demonstration/dossier.yaml"
LANGUAGES = ("en", "pt", "zh")
BUDGETS = ("quick", "standard")
SCOPES = ("help", "law", "json", "plan", "examine", "report", "score")
LAWFUL = "python3 seeded_vendor.py fixtures/adapters/python/reference.py"
FORMATS = ("json", "terminal", "junit", "sarif")
FORMATS_OF_PAGES = ("html", "pdf")

#: Two planted faults of each game: one of settlement, and one of rounds, draws or declarations
#: where the game has such faults. The first is examined at quick, the second at standard.
FAULTS = {
    "fish-prawn-crab": ("three-alike-may-be-small", "takes-bets-after-the-bell"),
    "three-card-baccarat": ("nine-is-not-odd", "the-shoe-repeats"),
    "bacara": ("pays-six-of-the-banker-whole", "2-2009-19--jackpot-without-authorisation"),
    "fortune-three-card-poker": ("pairs-have-no-kicker", "takes-a-raise-lower-than-the-ante"),
    "craps": ("five-wins-the-field", "the-dice-change-hands-within-a-point"),
    "pai-kao": ("rank-98-counts-as-100", "rank-102-counts-as-100"),
}
GAMES = tuple(FAULTS)
#: The game whose findings, at standard, are also printed as pages.
_PRINTED = "fish-prawn-crab"


@dataclass(frozen=True, kw_only=True, slots=True)
class Step:
    """One command line; what it prints goes to a file, and its exit code beside it."""

    #: The words after ``selo``; or a script of this folder, if `script` names one.
    words: tuple[str, ...]
    #: Where the output goes: ``scope/name.ext``.
    output: str
    script: str = ""


@dataclass(frozen=True, kw_only=True, slots=True)
class Job:
    """Steps that follow one another in the workspace, and the files to keep of them."""

    name: str
    scopes: tuple[str, ...]
    steps: tuple[Step, ...]
    #: Folders or files of the workspace, and where in the results they go.
    keep: tuple[tuple[str, str], ...] = ()
    #: The folder of an examination, whose own values are replaced by placeholders.
    run: str = ""
    #: A rough measure of its time, to begin with the longest.
    weight: int = 1
    quick: bool = field(default=False)

    @property
    def digest(self) -> str:
        """A digest of what the job does: a cached result of another definition is stale."""
        return hashlib.sha256(json.dumps(asdict(self), sort_keys=True).encode()).hexdigest()


def list_jobs(games: Iterable[str], budgets: Iterable[str], *, full: bool) -> Iterator[Job]:
    """Yield every job of a comparison, except those of ``--json``."""
    games, budgets = list(games), list(budgets)
    yield from _help_jobs()
    yield from _law_jobs()
    for budget in budgets:
        yield _plan_job(games, budget)
        yield from (_faulty_job(game, budget) for game in games)
        yield _lawful_job(games, budget)
    yield _score_job(games, full=full)


def _help_jobs() -> Iterator[Job]:
    for language in LANGUAGES:
        out = f"out/help/{language}"
        step = Step(words=(language, out), output=f"help/{language}.txt", script="help_pages.py")
        yield Job(
            name=f"help-{language}", scopes=("help",), steps=(step,), weight=3, quick=True,
            keep=((out, f"help/{language}"),),
        )  # fmt: skip


#: Texts of the law scope; the first ones are part of ``--quick``.
_LAW_TEXTS = {
    "check": ("law", "check"),
    "show": ("law", "show", "portaria-21-96-m/5/d", "--lang", "pt", "--as-of", AS_OF),
    "divergence": ("law", "divergences", "78-2008-9-8--which-bets-the-table-pays"),
    "list": ("law", "list", "--as-of", AS_OF),
    "ledger": ("law", "ledger", "--lang", "zh"),
    "divergences": ("law", "divergences", "--lang", "pt"),
    "schema": ("law", "schema"),
    "protocol": ("protocol", "--markdown"),
    "explain": ("explain", "fish-prawn-crab", "--throw", "fish,fish,fish", "--bet", "small"),
    "steps": ("steps", "craps", "--lang", "zh"),
    "odds": ("odds", "fish-prawn-crab", "--lang", "pt"),
    "plan": ("plan", "--game", "pai-kao", "--seed", SEED, "--as-of", AS_OF),
    "completion": ("completion", "bash"),
}
_QUICK_TEXTS = 3


def _law_jobs() -> Iterator[Job]:
    steps = tuple(Step(words=words, output=f"law/{name}.txt") for name, words in _LAW_TEXTS.items())
    # Schemas and chapters that `make schemas` writes are data of the tree: those committed are
    # compared here, and that they are not stale is for the tests.
    generated = ("specs/schema", "docs/protocol.md", "docs/glossary.md", "docs/formats.md")
    keep = tuple((f"tree:{path}", f"law/generated/{path}") for path in generated)
    first, rest = steps[:_QUICK_TEXTS], steps[_QUICK_TEXTS:]
    yield Job(name="law", scopes=("law",), steps=first, keep=keep, weight=8, quick=True)
    yield Job(name="law-texts", scopes=("law",), steps=rest, weight=30)
    site = Step(words=("law", "site", "out/site", "--most", "1", "--as-of", AS_OF),
                output="law/site.txt")  # fmt: skip
    yield Job(
        name="site", scopes=("law",), steps=(site,), keep=(("out/site", "law/site"),), weight=60
    )


def _suffix(games: list[str]) -> str:
    """Return what tells results of some games from those of all, which stay cached."""
    return "" if set(games) == set(GAMES) else "-" + "-".join(games)


def _terms(games: Iterable[str], budget: str) -> tuple[str, ...]:
    named = tuple(word for game in games for word in ("--game", game))
    return (
        *named, "--budget", budget, "--seed", SEED, "--as-of", AS_OF, "--rulings", "defaults",
    )  # fmt: skip


def _plan_job(games: list[str], budget: str) -> Job:
    words = ("plan", "--vendor", LAWFUL, *_terms(games, budget))
    name = f"{budget}{_suffix(games)}"
    step = Step(words=(*words, "--json"), output=f"plan/{name}.json")
    return Job(
        name=f"plan-{name}", scopes=("plan",), steps=(step,), weight=20, quick=budget == "quick"
    )


def _examine_steps(name: str, vendor: str, terms: tuple[str, ...]) -> tuple[Step, ...]:
    run = f"out/{name}"
    words = ("examine", "--vendor", vendor, "--processes", "1", *terms, "--out", run)
    return (Step(words=words, output=f"examine/{name}/terminal.txt"),)


def _report_step(name: str, formats: Iterable[str], language: str) -> Step:
    chosen = tuple(word for kind in formats for word in ("--format", kind))
    words = (
        "report", f"out/{name}", "--dossier", DOSSIER, "--kind", "test-report", *chosen,
        "--out", f"out/{name}-report", "--lang", language,
    )  # fmt: skip
    return Step(words=words, output=f"report/{name}/terminal.txt")


def _faulty_job(game: str, budget: str) -> Job:
    fault = FAULTS[game][BUDGETS.index(budget)]
    name = f"{game}-{budget}-faulty"
    vendor = f"python3 seeded_vendor.py fixtures/planted/vendor.py {game} {fault}"
    steps = _examine_steps(name, vendor, _terms([game], budget))
    keep = [(f"out/{name}", f"examine/{name}")]
    if budget == "quick" or game == _PRINTED:
        language = LANGUAGES[GAMES.index(game) % len(LANGUAGES)]
        pages = () if budget == "quick" else FORMATS_OF_PAGES
        steps += (_report_step(name, (*FORMATS, *pages), language),)
        keep.append((f"out/{name}-report", f"report/{name}"))
    return Job(
        name=name, scopes=("examine", "report"), steps=steps, keep=tuple(keep),
        run=f"out/{name}", weight=25 if budget == "quick" else 40, quick=budget == "quick",
    )  # fmt: skip


def _lawful_job(games: list[str], budget: str) -> Job:
    name = f"lawful-{budget}{_suffix(games)}"
    steps = _examine_steps(name, LAWFUL, _terms(games, budget))
    keep = [(f"out/{name}", f"examine/{name}")]
    if budget == "quick":
        steps += (_report_step(name, (*FORMATS, *FORMATS_OF_PAGES), "en"),)
        keep.append((f"out/{name}-report", f"report/{name}"))
    return Job(
        name=name, scopes=("examine", "report"), steps=steps, keep=tuple(keep),
        run=f"out/{name}", weight=80,
    )  # fmt: skip


def _score_job(games: list[str], *, full: bool) -> Job:
    tried = [game for game in ("pai-kao", *games) if game in games] if full else ["pai-kao"]
    named = tuple(word for game in dict.fromkeys(tried) for word in ("--game", game))
    name = f"selftest-full{_suffix(games)}" if full else "selftest"
    step = Step(words=("selftest", *named, "--json"), output=f"score/{name}.json")
    committed = ("tree:fixtures/planted/score.json", "score/committed.json")
    return Job(
        name=name.replace("selftest", "score"), scopes=("score",), steps=(step,),
        keep=(committed,), weight=400 if full else 10,
    )  # fmt: skip
