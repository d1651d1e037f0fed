"""A vendor in our own process sees and gives what any other would, and cannot change what is ours.

Its shape must be that of JSON, its faults are told as those of a process, its prints stay out of
our output.
"""

import json
import textwrap

import msgspec
import pytest

from selo.vendors.faults import FaultKind, VendorBroken
from selo.vendors.in_process import InProcessTransport, is_object_address
from selo.vendors.resource_limits import Limits
from selo.vendors.session import Session

LOST = {"result": "lose", "prize": 0, "commission": 0, "stake": 0}
ASKED = {"game": "craps", "options": {}, "outcome": {"throws": [[3, 4]]}, "bets": [{"bet": "x"}]}


@pytest.fixture
def written(tmp_path):
    """Write a vendor into a file and return its address."""

    def write(text, name="vendor"):
        path = tmp_path / f"written_{abs(hash(text))}.py"
        path.write_text(textwrap.dedent(text))
        return f"{path}:{name}"

    return write


@pytest.fixture
def talk(written):
    """Return a session with a vendor whose method `settle` is given as text."""

    def to(body):
        text = "class Vendor:\n" + textwrap.indent(textwrap.dedent(body), "    ")
        return Session(InProcessTransport(written(text + "\n\nvendor = Vendor()\n")), Limits())

    return to


def replies(session, many=3):
    return [reply for _, reply in session.ask_all("settle", [ASKED] * many)]


def broken(session):
    with pytest.raises(VendorBroken) as raised:
        replies(session)
    return raised.value.fault


def test_what_a_method_returns_is_the_result(talk):
    session = talk(f"""
        def settle(self, params):
            return {{"settlements": [{LOST}]}}
    """)

    assert [reply.result.settlements[0].result for reply in replies(session)] == ["lose"] * 3


def test_a_dot_in_a_method_is_an_underscore(talk):
    session = talk("""
        def table_open(self, params):
            return {"events": [{"event": params["table"]}]}
    """)

    assert session.ask("table.open", {"table": "甲"}).events == [{"event": "甲"}]


def test_an_exception_with_a_code_is_a_refusal(talk):
    session = talk("""
        def settle(self, params):
            error = ValueError("not here")
            error.code = -32001
            raise error
    """)

    assert {(one.error.code, one.error.message) for one in replies(session)} == {
        (-32001, "not here")
    }
    assert session.transport.stderr() == b""


@pytest.mark.parametrize(
    ("raised", "message"),
    [
        ("1 // 0", "integer division or modulo by zero"),
        ("raise ValueError", "ValueError"),
        ("[][0]", "list index out of range"),
        ("raise RecursionError('too deep')", "too deep"),
        ("raise type('Odd', (Exception,), {'code': 'text'})('odd')", "odd"),
        ("raise type('Odd', (Exception,), {'code': True})('odd')", "odd"),
        ("raise type('Mute', (Exception,), {'__str__': lambda self: 1 // 0})", "Mute"),
    ],
)
def test_any_other_exception_is_an_internal_fault_and_its_trace_is_kept(talk, raised, message):
    session = talk(f"""
        def settle(self, params):
            {raised}
    """)

    assert {(one.error.code, one.error.message) for one in replies(session)} == {(-32000, message)}
    assert b"Traceback" in session.transport.stderr()
    assert b"in settle" in session.transport.stderr()


@pytest.mark.parametrize(
    ("raised", "status"),
    [
        ("raise SystemExit(3)", "3"),
        ("raise SystemExit", "0"),
        ("raise SystemExit('enough')", "enough"),
        ("raise GeneratorExit", "GeneratorExit"),
        ("raise type('Stop', (BaseException,), {})", "Stop"),
    ],
)
def test_what_would_end_a_process_ends_the_vendor_and_not_us(talk, raised, status):
    fault = broken(
        talk(f"""
        def settle(self, params):
            {raised}
    """)
    )

    assert fault.kind == FaultKind.DIED
    assert fault.slots["status"] == status


def test_who_interrupts_us_is_obeyed(talk):
    session = talk("""
        def settle(self, params):
            raise KeyboardInterrupt
    """)

    with pytest.raises(KeyboardInterrupt):
        replies(session)


@pytest.mark.parametrize(
    ("result", "words"),
    [
        ("{1, 2}", "set is not JSON"),
        ("__import__('decimal').Decimal(1)", "Decimal is not JSON"),
        ("__import__('datetime').date.today()", "date is not JSON"),
        ("b'bytes'", "bytes is not JSON"),
        ("object()", "object is not JSON"),
        ("float('nan')", "Out of range float"),
        ("float('inf')", "Out of range float"),
        ("(one := [], one.append(one))[0]", "Circular reference"),
        ("{(1, 2): 3}", "keys must be"),
    ],
)
def test_a_result_that_is_no_json_is_told(talk, result, words):
    fault = broken(
        talk(f"""
        def settle(self, params):
            return {{"settlements": [{result}]}}
    """)
    )

    assert fault.kind == FaultKind.NOT_JSON
    assert words in fault.describe()


@pytest.mark.parametrize("result", ["None", "[]", "'text'", "{}", "{'settlements': None}", "7"])
def test_json_of_another_shape_is_a_fault_of_the_answer(talk, result):
    session = talk(f"""
        def settle(self, params):
            return {result}
    """)

    assert {one.fault.kind for one in replies(session)} == {FaultKind.WRONG_SHAPE}


def test_a_vendor_that_changes_its_params_changes_nothing_of_ours(talk):
    session = talk(f"""
        def settle(self, params):
            params["outcome"]["throws"].clear()
            params["bets"][0].clear()
            params["game"] = "mine"
            return {{"settlements": [{LOST}]}}
    """)
    before = msgspec.json.encode(ASKED)

    assert len(replies(session, 40)) == 40
    assert msgspec.json.encode(ASKED) == before


def test_a_vendor_that_gives_the_same_object_again_is_read_each_time(talk):
    session = talk(f"""
        kept = {LOST}

        def settle(self, params):
            self.kept["prize"] += 1
            return {{"settlements": [self.kept]}}
    """)

    prizes = [one.result.settlements[0].prize for one in replies(session, 40)]

    assert prizes == list(range(1, 41))


def test_what_we_did_not_ask_for_is_not_reached(talk):
    session = talk("""
        def settle(self, params):
            return params
    """)

    ((_, reply),) = session.ask_all("selo.nothing", [{}], reads="end")

    assert reply.error.code == -32601


@pytest.mark.parametrize("missing", ["settle", "compare", "draw", "table.open", "describe"])
def test_a_method_that_is_missing_is_no_such_method(talk, missing):
    session = talk("nothing = None")

    ((_, reply),) = session.ask_all(missing, [{}])

    assert reply.error.code == -32601


def test_a_method_that_cannot_be_called_is_an_internal_fault(talk):
    session = talk("settle = 7")

    assert {one.error.code for one in replies(session)} == {-32000}


# Finding it.


@pytest.mark.parametrize(
    ("address", "known"),
    [
        ("reference:vendor", True),
        ("fixtures/adapters/python/reference.py:vendor", True),
        ("games.craps:vendor", True),
        ("node adapter.mjs", False),
        ("adapter.py", False),
        ("reference:", False),
        (":vendor", False),
        ("reference:vendor.deeper", False),
        ("http://127.0.0.1:8000/", False),
    ],
)
def test_an_object_is_known_by_its_address(address, known):
    assert is_object_address(address) is known


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("other = 1", "AttributeError: module"),
        ("import nothing_of_that_name", "ModuleNotFoundError: No module named"),
        ("vendor = (", "SyntaxError: '(' was never closed"),
        ("vendor = 1 // 0", "ZeroDivisionError: "),
        ("raise SystemExit(3)", "SystemExit: 3"),
        ("class vendor:\n    def __init__(self, needed): ...", "TypeError: "),
        ("class vendor:\n    def __init__(self): raise OSError('no')", "OSError: no"),
    ],
)
def test_an_object_that_cannot_be_had_is_told(written, text, words):
    with pytest.raises(VendorBroken) as raised:
        InProcessTransport(written(text))

    assert raised.value.fault.kind == FaultKind.NO_SUCH_OBJECT
    assert words in raised.value.fault.describe()


@pytest.mark.parametrize("address", ["no_such_file.py:vendor", "no_such_module:vendor"])
def test_a_module_that_is_not_there_is_told(address, tmp_path):
    with pytest.raises(VendorBroken) as raised:
        InProcessTransport(address, tmp_path)

    assert raised.value.fault.kind == FaultKind.NO_SUCH_OBJECT
    assert "no_such_" in raised.value.fault.describe()


def test_a_class_is_made_into_an_object(written):
    address = written("class Vendor:\n    def end(self, params):\n        return {}\n", "Vendor")

    assert Session(InProcessTransport(address), Limits()).end() == []


def test_a_file_is_looked_for_in_the_folder_of_the_vendor(written, tmp_path):
    name = written("class vendor:\n    def end(self, params):\n        return {}\n")

    session = Session(InProcessTransport(name.rpartition("/")[2], tmp_path), Limits())

    assert session.end() == []


def test_a_wrong_object_is_told_by_the_command(selo, written, tmp_path):
    ran = selo("smoke", "--vendor", written("vendor = 7"), "--out", str(tmp_path / "evidence"))

    assert ran.returncode == 4
    assert "The adapter answered describe with error -32601" in ran.stdout
    assert "CAUTION" in ran.stdout


def test_a_vendor_that_raises_is_told_by_the_command_with_its_trace(selo, written, tmp_path):
    address = written("class vendor:\n    def describe(self, params):\n        return 1 // 0\n")

    ran = selo("smoke", "--vendor", address, "--out", str(tmp_path / "evidence"))

    assert ran.returncode == 4
    assert "integer division or modulo by zero" in ran.stdout
    assert b"in describe" in (tmp_path / "evidence" / "fault-1.stderr").read_bytes()


def test_what_a_vendor_prints_does_not_spoil_our_output(selo, written, tmp_path):
    address = written("""
        print("loading")

        class vendor:
            def describe(self, params):
                print("asked")
                raise SystemExit(3)
    """)

    ran = selo("smoke", "--vendor", address, "--json", "--out", str(tmp_path / "evidence"))

    assert ran.returncode == 4
    assert json.loads(ran.stdout)["checks"][0]["faults"][0]["kind"] == "died"
    assert ran.stderr.split() == ["loading", "asked"]
