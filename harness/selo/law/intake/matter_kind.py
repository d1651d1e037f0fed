"""What a paragraph around the articles is: title, date, recital, enacting words, signature."""

from __future__ import annotations

import re
from typing import Final

from selo.law.files.provision_file import MatterKind
from selo.law.intake import enumeration

_DIGITS: Final = "一二三四五六七八九十零〇"
_MATTER: Final = {
    "pt": (
        (MatterKind.RULE_LINE, re.compile(r"[–—_\-=*]{3,}")),
        (MatterKind.DATE, re.compile(r"de \d{1,2}\.?\S? de [A-Za-zç]+")),
        (MatterKind.SIGNING, re.compile(r"Publique-se\.?|Governo de .*, aos .*|Aprovad[oa] em .*")),
        (MatterKind.SIGNING, re.compile(r".{0,40}\b\d{1,2} de [A-Za-zç]+ de \d{4}\.?")),
        (MatterKind.SIGNATURE, re.compile(r"(?:O|A) [A-ZÁÉÍÓÚ][^;:]{3,110}, \S[^,;:]{3,50}\.?")),
        (MatterKind.ENACTING, re.compile(r".*\b(?:manda|determina|decreta|ordena)\s?:")),
        (MatterKind.ISSUER, re.compile(r"(?:GABINETE|GOVERNO|DIREC|SECRETARIA|E FINAN).*")),
        (MatterKind.REGULATION_TITLE, re.compile(r"(?i:regulamento)\b[^;]{0,160}")),
    ),
    "zh": (
        (MatterKind.RULE_LINE, re.compile(r"[–—_\-=*]{3,}")),
        (MatterKind.DATE, re.compile(rf"[{_DIGITS}]{{1,2}}月[{_DIGITS}]{{1,3}}日")),
        (MatterKind.SIGNING, re.compile(rf"命令公[布佈]。?|[{_DIGITS}]{{4}}年.{{2,12}}日.{{0,9}}")),
        (MatterKind.ENACTING, re.compile(r".*(?:命令|下令|作出本批示|決定)[：:。]")),
        (MatterKind.ISSUER, re.compile(r".{2,20}(?:辦公室|政府|局)")),
        (MatterKind.REGULATION_TITLE, re.compile(r".{0,60}(?:規則|規章|章程)[》”]?")),
        (MatterKind.SIGNATURE, re.compile(r"[^，。；：]{2,24}")),
    ),
}  # fmt: skip


def is_signing(text: str, language: str) -> bool:
    """Return whether `text` is the place and day of signing: no article goes on after it."""
    return any(
        kind is MatterKind.SIGNING and pattern.fullmatch(text) is not None
        for kind, pattern in _MATTER[language]
    )


def matter_kind(text: str, language: str, *, enacted: bool) -> MatterKind:
    """Return what `text` is; signatures stand only after the enacting words."""
    if enumeration.read_act(text, language) is not None:
        return MatterKind.TITLE
    for kind, pattern in _MATTER[language]:
        if pattern.fullmatch(text) and (enacted or kind is not MatterKind.SIGNATURE):
            return kind
    return MatterKind.SIGNATURE if enacted else MatterKind.RECITAL
