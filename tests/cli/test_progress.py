"""How far the work has come: a bar where it can move, lines in a log, nothing among results."""

import io

import pytest

from selo.cli.output import progress


class Clock:
    def __init__(self):
        self.now = 0.0

    def monotonic(self):
        return self.now


class Stream(io.StringIO):
    def __init__(self, *, terminal):
        super().__init__()
        self._terminal = terminal

    def isatty(self):
        return self._terminal


@pytest.fixture
def watched(monkeypatch):
    """Count a hundred a second for two minutes, and return what was printed."""

    def watch(*, terminal, **environment):
        clock, stream = Clock(), Stream(terminal=terminal)
        monkeypatch.setattr(progress.time, "monotonic", clock.monotonic)
        monkeypatch.setattr(progress.sys, "stderr", stream)
        for name in ("CI", "NO_COLOR", "FORCE_COLOR"):
            monkeypatch.delenv(name, raising=False)
        for name, value in {"TERM": "xterm", **environment}.items():
            monkeypatch.setenv(name, value)
        with progress.show_progress("cases", 12_000) as told:
            for second in range(1, 121):
                clock.now = float(second)
                told(100)
        return stream.getvalue()

    return watch


def test_a_log_gets_a_line_soon_and_then_every_half_minute(watched):
    assert watched(terminal=False).splitlines() == [
        "cases: 500 / 12,000, 100/s, ETA 1:55",
        "cases: 3,500 / 12,000, 100/s, ETA 1:25",
        "cases: 6,500 / 12,000, 100/s, ETA 0:55",
        "cases: 9,500 / 12,000, 100/s, ETA 0:25",
    ]


@pytest.mark.parametrize("environment", [{"CI": "true"}, {"TERM": "dumb"}])
def test_a_terminal_that_is_a_log_gets_lines(watched, environment):
    assert "\x1b" not in watched(terminal=True, **environment)


def test_a_terminal_gets_a_bar_that_goes_away(watched):
    shown = watched(terminal=True)

    assert "\r" in shown
    assert shown.endswith(("\x1b[2K", "\x1b[?25h", "\n", "\x1b[1A\x1b[2K"))


def test_a_bar_has_no_colour_where_none_is_wanted(watched):
    assert "\x1b[3" not in watched(terminal=True, NO_COLOR="1")
