"""A vendor made of one function, to say exactly what a test wants to be said."""

import json
from collections import deque

import pytest

from selo.vendors.faults import VendorBroken
from selo.vendors.resource_limits import Limits
from selo.vendors.session import Session

LOST = {"settlements": [{"result": "lose", "prize": 0, "commission": 0, "stake": 0}]}


class Said:
    """A transport whose vendor is a function from a line to lines."""

    name = "said"
    window = 4
    confinement = None

    def __init__(self, answer):
        self._answer = answer
        self._lines = deque()
        self.sent = []
        self.killed = False

    def send(self, line):
        self.sent.append(line)
        self._lines.extend(self._answer(line))

    def receive(self, seconds):
        if not self._lines:
            from selo.vendors.faults import FaultKind, vendor_broken  # noqa: PLC0415

            raise vendor_broken(FaultKind.LATE, seconds=seconds)
        return self._lines.popleft()

    def stderr(self):
        return b"said nothing"

    def end(self):
        return []

    def kill(self):
        self.killed = True


def answered(line, result=LOST):
    """Return the lawful answer to a line, as Python objects."""
    asked = json.loads(line)
    many = asked if isinstance(asked, list) else [asked]
    answers = [{"jsonrpc": "2.0", "id": one["id"], "result": result} for one in many]
    return answers if isinstance(asked, list) else answers[0]


def line_of(answer):
    return json.dumps(answer, ensure_ascii=False).encode()


@pytest.fixture
def talk():
    """Return a function that asks many things of a vendor function and gives all replies."""

    def ask(answer, method="settle", many=10, limits=Limits()):  # noqa: B008
        session = Session(Said(answer), limits)
        return [reply for _, reply in session.ask_all(method, [{"n": n} for n in range(many)])]

    return ask


@pytest.fixture
def broken_by(talk):
    """Return a function that gives the fault with which a conversation ends."""

    def fault(answer, method="settle", many=10):
        with pytest.raises(VendorBroken) as raised:
            talk(answer, method, many)
        return raised.value.fault

    return fault
