"""Steps read as law does: one key a line, short lines, and what each requires said above it."""

import pytest

from selo.law.loader import load_law
from selo.rules.procedure.step_comments import WIDTH, articles, columns

ART_3 = "specs/portaria-21-96-m/articles/art-03.yaml"


def stale(law):
    return [path.name for path, text, fresh in articles(law) if text != fresh]


def crowded(law):
    """Yield each line of a step that is too long, or that holds the whole of it."""
    for held in law.provisions.values():
        document = held.article.document
        rule = held.provision.rule
        clauses = rule if isinstance(rule, list) else [rule]
        lines = document.path.read_text(encoding="utf-8").split("\n")
        for index, clause in enumerate(clauses):
            if not isinstance(clause, dict) or "step" not in clause:
                continue
            first = document.line("provisions", held.index, "rule", index) - 1
            last = first + 1
            while lines[last].startswith(" " * 8) and not lines[last].lstrip().startswith("- {"):
                last += 1
            for number, line in enumerate(lines[first:last], first + 1):
                if columns(line) > WIDTH or "{step:" in line:
                    yield document.path.name, number


def test_beside_each_step_stands_what_it_requires(law):
    assert len(list(articles(law))) > 20
    assert stale(law) == [], "run: make law-comments"


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("        event: put-out-sign\n        after: ring-bell\n        before: [unfasten",
         "        event: put-out-sign\n        after: light-sign\n        before: [unfasten"),
        ("# 6. «anúncio da abertura do jogo»", "# 6. «anúncio do jogo»"),
        ("      #    「叫“開”」不得發生；如所叫並非中文\n", ""),
    ],
    ids=["another step", "another sentence", "a sentence less"],
)  # fmt: skip
def test_a_stale_sentence_is_noticed(copy, old, new):
    copy.replace(ART_3, old, new)

    assert stale(load_law(specs=copy.specs, bilingual=copy.bilingual)) == ["art-03.yaml"]


def test_other_words_of_an_event_make_every_sentence_of_it_stale(copy):
    copy.replace("specs/portaria-21-96-m/events.yaml", "pt: campainha,", "pt: sineta,")

    assert "art-03.yaml" in stale(load_law(specs=copy.specs, bilingual=copy.bilingual))


def test_a_comment_of_ours_above_a_step_stays(copy):
    copy.replace(ART_3, "      # 6. «anúncio", "      # Why it is so.\n      # 6. «anúncio")

    assert stale(load_law(specs=copy.specs, bilingual=copy.bilingual)) == []


def test_each_step_is_written_one_key_a_line(law):
    assert list(crowded(law)) == []


WHEN = '        when: sound == "not-chinese"\n'
STEP = (
    f"      - step: forbids\n        event: call-open\n{WHEN}"
    "        under: {21-96-m-3-a--which-chinese: any-chinese}\n"
)
IN_ONE_LINE = "      - {step: forbids, event: call-open, when: at_once}\n"
LONG = f"        when: at_once{' || at_once' * 9}\n"


@pytest.mark.parametrize(("old", "new"), [(WHEN, LONG), (STEP, IN_ONE_LINE)])
def test_a_crowded_step_is_noticed(copy, old, new):
    line = copy.replace(ART_3, old, new)

    found = list(crowded(load_law(specs=copy.specs, bilingual=copy.bilingual)))

    assert found == [("art-03.yaml", line)]
