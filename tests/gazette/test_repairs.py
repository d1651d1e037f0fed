import hashlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from selo.gazette import repairs
from selo.gazette.repairs import Repair, RepairNotApplicable


def repair(scanned, read, **more):
    return Repair(file="004", line=1, scanned=scanned, read=read, why="letter", **more)


def test_a_repair_puts_right_what_was_misread():
    assert repairs.apply_repairs("Di- versdes", [repair("versdes", "versões")]) == "Di- versões"


def test_undoing_gives_the_scanned_line_again():
    line = "Art, 3.0— 1. «Don’t Passy"
    log = [repair("Art,", "Art."), repair("3.0—", "3.º —"), repair("Passy", "Pass»")]

    working = repairs.apply_repairs(line, log)

    assert working == "Art. 3.º — 1. «Don’t Pass»"
    assert repairs.undo_repairs(working, line, log) == line


@pytest.mark.parametrize(
    "log",
    [
        pytest.param([repair("x", "y")], id="words that are not there"),
        pytest.param([repair("a", "b")], id="words that stand twice"),
        pytest.param([repair("a", "b", nth=3)], id="a third of two"),
        pytest.param([repair("ab", "c"), repair("ba", "d")], id="two that overlap"),
        pytest.param([repair("", "c")], id="nothing"),
    ],
)
def test_a_log_that_does_not_fit_the_line_is_refused(log):
    with pytest.raises(RepairNotApplicable):
        repairs.apply_repairs("aba", log)


def test_undoing_refuses_a_line_that_was_changed_afterwards():
    log = [repair("versdes", "versões")]

    with pytest.raises(RepairNotApplicable):
        repairs.undo_repairs("versoes", "versdes", log)


def test_every_shipped_repair_can_be_undone_to_the_received_bytes(law, root):
    for source in law.sources.by_id.values():
        scanned = []
        for number, (line, working) in enumerate(
            zip(source.received, source.working, strict=True), start=1
        ):
            here = [
                one
                for one in law.sources.log.repairs
                if (one.file, one.line) == (source.entry.id, number)
            ]
            scanned.append(repairs.undo_repairs(working, line, here))
        received = (root / "bilingual" / "sources" / source.entry.file).read_bytes()
        assert "\n".join(scanned).encode() == received
        assert hashlib.sha256(received).hexdigest() == source.entry.sha256


@given(
    st.lists(st.text("abc ", max_size=6), min_size=1, max_size=6),
    st.lists(st.text("xyzãé", max_size=4), min_size=5, max_size=5),
)
def test_applying_and_undoing_is_the_identity(gaps, read):
    # Every misread piece is unique, as the log demands.
    scanned = [f"#{index}#" for index in range(len(gaps) - 1)]
    line = "".join(f"{gap}{piece}" for gap, piece in zip(gaps, [*scanned, ""], strict=True))
    log = [repair(one, read[index]) for index, one in enumerate(scanned)]

    assert repairs.undo_repairs(repairs.apply_repairs(line, log), line, log) == line
