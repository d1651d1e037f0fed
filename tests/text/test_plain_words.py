"""Messages and help are plain technical English: no phrase that a new user stumbled over."""

import re

from selo.yaml_file import read_yaml

#: Phrases that new users had to read twice, each with what is written instead.
STUMBLED = {
    r"\b(hangs?|hung) on\b": "depends on",
    r"\bas the law has it\b": "matches the law",
    r"\bas if the law said\b": "looks as if",
    r"\bis no (finding|reading|seal|time zone|point|reason|stretch)\b": "is not a …",
    r"\bnobody (owns|asked|rounds)\b": "not assigned, unknown",
    r"\b(is|are|was|were) told\b": "is reported, is printed",
    r"\btold apart\b": "listed separately",
    r"\bputs? (one|a|an|the) (message|case|question)\b": "send",
    r"\bheld against\b": "compared with",
    r"\b(worked|works|work) out\b(?! by hand)": "computed",
    r"\ball the same\b": "anyway",
    r"\bso many\b": "the number",
    r"\b(no longer|still|never) so\b": "fixed, still fails, never",
    r"\bstands in the way\b": "is missing, prevents",
    r"\bunder our care\b": "isolated",
    r"\bopenly\b": "expressly",
    r"\bmend(s|ed)?\b": "fix",
    r"\bat hand\b": "in use",
    r"\bby chance\b": "consistent with chance",
    r"\b(readings|cases) part\b": "differ",
}


def english(node):
    """Yield every English sentence beside its Portuguese."""
    if isinstance(node, dict):
        if "en" in node and "pt" in node:
            yield node["en"]
        else:
            for value in node.values():
                yield from english(value)
    elif isinstance(node, list):
        for value in node:
            yield from english(value)


def stumbles(sentences):
    return {
        (phrase, text)
        for text in sentences
        for phrase in STUMBLED
        if re.search(phrase, text, re.IGNORECASE)
    }


def test_no_message_has_a_phrase_that_is_read_twice(root):
    files = [*(root / "bilingual" / "messages").glob("*.yaml"), root / "bilingual" / "help.yaml"]
    sentences = [text for file in files for text in english(read_yaml(file).plain)]

    assert len(sentences) > 2000
    assert not stumbles(sentences)


def test_no_guide_has_a_phrase_that_is_read_twice(root):
    pages = [*(root / "docs").glob("*.md"), root / "README.md", root / "CONTRIBUTING.md"]
    # The glossary quotes the law files, formats are made from descriptions of fields.
    written = [page for page in pages if page.name not in {"glossary.md", "formats.md"}]

    assert len(written) > 20
    for page in written:
        assert not stumbles(page.read_text(encoding="utf-8").splitlines()), page
