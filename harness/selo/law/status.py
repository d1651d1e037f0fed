"""The legal status of an instrument or article on a day, in words too; today in Macau.

A law is in force from a date on, and two machines must apply the same law at the same moment.
"""

from __future__ import annotations

import datetime as dt
import enum
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

from selo.law.citation import cite_article
from selo.law.files.provision_file import ClosedRecord, Effect
from selo.text import Words, say

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from selo.law.files.provision_file import Day, Instrument, Link
    from selo.law.loader import InstrumentFolder
    from selo.text import Text

#: An act that affects every article.
_ALL_ARTICLES: Final = "all"
#: Portuguese nouns for acts that are feminine and do not end in -a.
_FEMININE_ACTS: Final = frozenset({"Lei", "Deliberação", "Ordem", "Resolução"})
#: Macau has no daylight saving time, so no time zone database is needed.
MACAU: Final = dt.timezone(dt.timedelta(hours=8))


def macau_today(moment: dt.datetime | None = None) -> dt.date:
    """Return the date in Macau, now or at `moment`."""
    return (moment or dt.datetime.now(dt.UTC)).astimezone(MACAU).date()


class LegalStanding(enum.IntEnum):
    """The status of the stored text on that day; greater is graver."""

    NO_LATER_ACT = 0
    AMENDED = 1
    REVOKED = 2
    NOT_YET = 3


class Certainty(enum.Enum):
    """Whether the day lies before, within or after the uncertain period of a date."""

    NO = "no"
    PERHAPS = "perhaps"
    YES = "yes"


@dataclass(frozen=True, kw_only=True, slots=True)
class Status:
    """The legal status of the stored text on a day."""

    standing: LegalStanding
    #: False if the known dates, or the known extent of an act, leave it open.
    certain: bool
    #: The act that amended or revoked the text, if any.
    by: Link | None
    #: The last day up to which later acts are known, if the day lies after it.
    known_until: dt.date | None = None

    @property
    def is_law(self) -> bool:
        """Whether the stored text was the law on that day, as far as is known of that day."""
        return (
            self.standing is LegalStanding.NO_LATER_ACT
            and self.certain
            and self.known_until is None
        )

    @property
    def is_open(self) -> bool:
        """Whether what is known leaves open if the stored text was the law on that day."""
        return not self.is_law and (not self.certain or self.standing is LegalStanding.NO_LATER_ACT)


class TextOfLaw(ClosedRecord, frozen=True):
    """How the stored text of an instrument stood on the day asked for."""

    instrument: str
    game: str
    as_of: str
    #: Whether all its articles were the law on that day, as far as is known.
    is_law: bool
    #: Whether it was applied anyway, because somebody asked for that.
    as_stored: bool
    status: Words


_LANGUAGES: Final = ("pt", "zh", "en")
#: The standings by the names that files and messages use.
STANDING_NAMES: Final = {
    LegalStanding.NO_LATER_ACT: "no-later-act",
    LegalStanding.AMENDED: "amended",
    LegalStanding.REVOKED: "revoked",
    LegalStanding.NOT_YET: "not-yet",
}
_APPROVAL: Final = "approval"
_ANNEX: Final = "annex"


def status_on(instrument: Instrument, day: dt.date, *, article: str | None = None) -> Status:
    """Return the status of `instrument`, or of an `article` or a provision of it, on `day`."""
    in_force = _has_reached(instrument.dates.in_force, day)
    if in_force is Certainty.NO:
        return Status(standing=LegalStanding.NOT_YET, certain=True, by=None)
    known = instrument.known_until
    gravest = Status(
        standing=LegalStanding.NO_LATER_ACT, certain=in_force is Certainty.YES, by=None
    )
    for status in _statuses_by_act(instrument, day, article):
        # Of equally grave acts the later one is reported.
        if _gravity(status) >= _gravity(gravest):
            gravest = status
    return replace(gravest, known_until=known if known is not None and day > known else None)


def gravest_status(instrument: Instrument, day: dt.date, articles: Iterable[str]) -> Status:
    """Return the gravest status of some articles of `instrument` on `day`."""
    statuses = [status_on(instrument, day, article=article) for article in articles]
    return max(statuses, key=_gravity, default=status_on(instrument, day))


def _gravity(status: Status) -> tuple[LegalStanding, bool]:
    return status.standing, status.certain


def _statuses_by_act(instrument: Instrument, day: dt.date, article: str | None) -> Iterator[Status]:
    for link in instrument.chain:
        if link.effect not in {Effect.AMENDED_BY, Effect.REVOKED_BY}:
            continue
        if article is not None and not any(_touches(place, article) for place in link.articles):
            continue
        reached = _has_reached(link.day, day)
        if reached is Certainty.NO:
            continue
        revoked = link.effect is Effect.REVOKED_BY
        yield Status(
            standing=LegalStanding.REVOKED if revoked else LegalStanding.AMENDED,
            certain=reached is Certainty.YES and not link.perhaps,
            by=link,
        )


def _touches(place: str, article: str) -> bool:
    """Return whether an act on `place` touches an article or provision, or a part of it."""
    return (
        place in {_ALL_ARTICLES, article}
        or article.startswith(f"{place}/")
        or place.startswith(f"{article}/")
    )


def _has_reached(date: Day, day: dt.date) -> Certainty:
    if day < date.not_before:
        return Certainty.NO
    return Certainty.YES if day >= date.not_after else Certainty.PERHAPS


def describe_status(status: Status, day: dt.date) -> Words:
    """Return what is known of a text on `day`, in every language."""
    return Words(**{language: _say_status(status, day, language) for language in _LANGUAGES})


def _say_status(status: Status, day: dt.date, language: str) -> str:
    key = f"law.status.{STANDING_NAMES[status.standing]}"
    if status.by is not None and status.by.perhaps:
        key += ".extent"
    elif not status.certain:
        key += ".perhaps"
    act = None if status.by is None else name_act(status.by.act, language)
    sentence = say(key, language, day=day.isoformat(), act=act)
    if status.known_until is None:
        return sentence
    beyond = say("law.status.beyond", language, known=status.known_until.isoformat())
    return f"{sentence}{'' if language == 'zh' else ' '}{beyond}"


def name_act(act: Text, language: str) -> str | None:
    """Return the name of an act; in Portuguese after «pelo» or «pela», as its noun wants."""
    if language == "zh":
        return act.zh
    if language != "pt" or act.pt is None:
        return act.pt
    noun = act.pt.split(" ", 1)[0]
    feminine = noun.endswith("a") or noun in _FEMININE_ACTS
    return f"{'pela' if feminine else 'pelo'} {act.pt}"


def describe_text(folder: InstrumentFolder, day: dt.date) -> Words:
    """Return on one line how all articles of an instrument stood on `day`."""
    groups: list[tuple[Status, list[str]]] = []
    for file in folder.articles:
        status = status_on(folder.instrument, day, article=file.article.article)
        alike = next((articles for known, articles in groups if known == status), None)
        if alike is None:
            groups.append((status, alike := []))
        alike.append(file.article.article)
    if len(groups) == 1:
        return describe_status(groups[0][0], day)
    groups.sort(key=lambda group: group[0].by is None)
    return Words(
        **{
            language: " ".join(
                say(
                    "law.status.of-articles",
                    language,
                    articles=say("law.status.others", language)
                    if status.by is None
                    else _name_articles(articles, language),
                    status=_say_status(status, day, language),
                )
                for status, articles in groups
            )
            for language in _LANGUAGES
        }
    )


def _name_articles(articles: list[str], language: str) -> str:
    separator = "、" if language == "zh" else ", "
    return separator.join(_name_article(article, language) for article in articles)


def _name_article(article: str, language: str) -> str:
    if article in {_APPROVAL, _ANNEX}:
        return say(f"law.status.{article}", language)
    if language == "en":
        return say("law.status.article", language, number=article)
    return cite_article(article).get(language) or article
