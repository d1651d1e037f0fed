"""Holds header and footer of evidence against each other, and against the law files.

Each claim has a ground: the plan its terms, the terms the vendor's description, the followed
readings the adopted rulings, the seal the product and the edition it was made for, the end of the
run its beginning. ``docs/security.md`` lists them all. Only evidence of the current edition and
version is compared with its grounds.
"""

from __future__ import annotations

import datetime as dt
import re
from typing import TYPE_CHECKING, Any, Final

import msgspec

from selo import __version__
from selo.cases import Scope
from selo.engine import UNNUMBERED
from selo.errors import SeloError
from selo.examine.plan import terms_of
from selo.examine.run.evidence_header import (
    FORMER_TOOL_FIELDS,
    TOOL_FIELDS,
    is_same_program,
)
from selo.examine.run.seed_commitment import (
    SealedSeed,
    description_digest,
    require_fitting_seal,
    require_sealed_start,
)
from selo.examine.vendor_description import check_description, offered_of
from selo.rules.checks import list_games
from selo.vendors.sandbox import GUARANTEES
from selo.vendors.vendor_start import WAYS
from selo.verdict.rulings import Rulings, RulingSource, adopt_rulings

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from selo.examine.run.evidence_header import Header
    from selo.law import Law

_SHA1: Final = re.compile(r"[0-9a-f]{40}")


class _MeasuredFile(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    path: str
    size: int
    sha1: str


class _WorldFault(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    kind: str
    told: str
    path: str


class Footer(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The last line of evidence."""

    cases: int
    rounds: int
    rounds_left_out: list[str]
    reductions: int
    description_after: str
    files: list[_MeasuredFile]
    files_changed: list[str]
    sealed: SealedSeed | None
    #: Files that the vendor opened without declaring them, and whether all were watched.
    files_undeclared: list[str] = []
    files_watched: bool = False
    #: What a vendor answered otherwise in another world.
    world_faults: list[_WorldFault] = []


def find_contradiction(law: Law, header: Header, footer: Mapping[str, Any] | None) -> str | None:
    """Return the first claim that contradicts its ground; the footer is None before the end."""
    try:
        return next(_list_contradictions(law, header, footer), None)
    except (SeloError, ValueError, LookupError) as error:
        # A reading, a day or a provision that does not exist, or a footer in another form.
        return str(error)


def _list_contradictions(
    law: Law, header: Header, footer: Mapping[str, Any] | None
) -> Iterator[str]:
    terms, description = header.terms, header.description
    yield from (
        f"the description: {fault.describe()}" for fault in check_description(law, description)
    )
    if terms != _terms_of_description(law, header):
        yield "the terms of the plan do not follow from the vendor's description"
    if header.plan != terms.digest:
        yield "the digest of the plan is not that of its terms"
    if msgspec.UNSET not in {terms.selo, terms.engine} or terms.engine == UNNUMBERED:
        yield "the plan was made either by a version or by an engine"
    if terms.selo not in {msgspec.UNSET, header.tool.get("selo")} or "selo" not in header.tool:
        yield "the version of the tool is not that of the plan"
    if is_same_program(header) and header.tool["selo"] != __version__:
        yield "the version of the tool is not that of its modules"
    former = set() if is_same_program(header) else {*FORMER_TOOL_FIELDS} & {*header.tool}
    if {*header.tool} - former != {*TOOL_FIELDS} or {*header.confinement} != {*GUARANTEES}:
        yield "what is said of the tool, or of the vendor's room, is more or less than Selo says"
    if header.reached not in {"", *WAYS} or (
        header.reached in WAYS[1:] and (header.started or any(header.confinement.values()))
    ):
        yield "only a product in a process of its own has started files and a room"
    offered = {offer.game for offer in description.games}
    if (
        len(set(header.games)) != len(header.games)
        or not set(header.not_offered) <= set(list_games(law)) - offered
    ):
        yield "the games that are not offered"
    yield from _list_ruling_contradictions(law, header)
    yield from _list_carry_contradictions(header)
    if footer is not None:
        yield from _list_footer_contradictions(header, msgspec.convert(footer, Footer))


def _list_carry_contradictions(header: Header) -> Iterator[str]:
    """Yield how what is carried over differs from what it rests on."""
    carried = {} if header.predecessor is None else header.predecessor.carried
    if header.terms.carried != sorted(carried) or (header.predecessor and not carried):
        yield "the provisions that are carried over are not those of the plan"
    if (header.canonical or header.predecessor) and header.commitment is None:
        yield "canonical answers and what rests on them need a seed that was committed to"
    if header.predecessor and not header.canonical:
        yield "nothing is carried over without answers to the canonical set"


def _terms_of_description(law: Law, header: Header) -> Any:
    """Return the terms that follow from the description for the games that were chosen."""
    terms = header.terms
    chosen = [offer for offer in header.description.games if offer.game in terms.game_names]
    derived = terms_of(
        law,
        Scope(games=tuple(map(offered_of, chosen))),
        as_of=dt.date.fromisoformat(terms.as_of).isoformat(),
        rulings=terms.rulings,
        budget=terms.budget,
        seed=terms.seed,
        provisions=terms.provisions,
        text_as_stored=terms.text_as_stored,
        draws=terms.draws,
        rounds=terms.rounds,
        game_draws=terms.game_draws,
        carried=terms.carried,
    )
    if is_same_program(header):
        return derived
    # Another program may have had another engine and another version of the protocol.
    return msgspec.structs.replace(
        derived, engine=terms.engine, selo=terms.selo, protocol=terms.protocol
    )


def _list_ruling_contradictions(law: Law, header: Header) -> Iterator[str]:
    """Yield how the adopted rulings differ from the readings that the plan follows."""
    rulings = msgspec.convert({"adopted": header.adopted}, Rulings)
    names = [ruling.divergence for ruling in rulings.adopted]
    if names != sorted(set(names)) or rulings.followed != header.terms.rulings:
        yield "the adopted rulings are not the readings that the plan follows"
    if msgspec.to_builtins(list(rulings.adopted)) != header.adopted:
        yield "the adopted rulings are not in their form"
    defaults = adopt_rulings(law, defaults=True).followed
    granted = {f"{permission.issuer} ({permission.number})" for permission in header.permissions}
    for ruling in rulings.adopted:
        if ruling.source is RulingSource.DEFAULTS and (
            ruling.reading != defaults[ruling.divergence] or ruling.by or ruling.on
        ):
            yield f"{ruling.divergence}: not the reading that the register adopts by default"
        if ruling.source is RulingSource.PERMISSION and ruling.by not in granted:
            yield f"{ruling.divergence}: no permission of the authority contains this ruling"
    adopt_rulings(law, rulings.followed)


def _list_footer_contradictions(header: Header, footer: Footer) -> Iterator[str]:
    description = header.description
    changed = set(footer.files_changed)
    if footer.description_after != description_digest(description) and "" not in changed:
        yield "the description after the run is another"
    declared = [file.path for file in description.files]
    measured = [file.path for file in footer.files]
    if measured != sorted(set(measured)) or not {*measured, *changed} <= {*declared, ""}:
        yield "the files at the end are not those of the description"
    # A vendor on another machine has no files here; of any other, each is measured or changed.
    if measured and {*measured, *changed} - {""} != set(declared):
        yield "a file of the description was not looked at in the end"
    if any(file.size < 0 or not _SHA1.fullmatch(file.sha1) for file in footer.files):
        yield "a file at the end has no size or digest"
    if (header.commitment is None) is not (footer.sealed is None):
        yield "a seed was committed to and not revealed, or revealed and not committed to"
    if footer.sealed is not None:
        yield from _list_seal_contradictions(header, footer.sealed)


def _list_seal_contradictions(header: Header, sealed: SealedSeed) -> Iterator[str]:
    if sealed.commitment != header.commitment:
        yield "the seed that is revealed at the end is not the one that was committed to"
    require_fitting_seal(sealed, header.description, header.terms.spec_digest)
    # Programs from before seals said how a product is started left it out.
    if sealed.reached or is_same_program(header):
        require_sealed_start(sealed, header.reached, header.started)
    if sealed.number != header.terms.seed:
        yield "the seed of the plan is not the one that was committed to"
