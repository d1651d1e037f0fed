"""YAML files read as text, with the line of every value.

Scalars stay text because YAML 1.1 turns ``8:1`` into 481, ``NO`` into false and ``010`` into 8.
"""

from __future__ import annotations

import copy
import hashlib
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeVar

import msgspec
import msgspec.inspect
import yaml

from selo.errors import Problem, SpecError
from selo.storage.bounded_read import TEXT_LIMIT, read_bounded

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

#: A key or an index on a path into a document.
YamlStep = str | int

M = TypeVar("M")

_FAULT_PATH = re.compile(r" - at `(?P<path>[^`]*)`$")
_STEP_PATTERN = re.compile(r"\.(?P<key>[^.\[]+)|\[(?P<index>\d+|\.\.\.)\]")
#: Messages of msgspec that need other words for users.
_FRIENDLY_MESSAGES = {"Invalid RFC3339 encoded date": "not a day, such as 2030-12-31"}
_MISSING_FIELD = re.compile(r"missing required field `(?P<key>[^`]+)`")
#: More faults than this in one file are told when the first ones are corrected.
_MAX_FAULTS = 50
_UNKNOWN_FIELD = re.compile(r"unknown field `(?P<key>[^`]+)`")


#: Deeper nesting would exhaust the stack of the C parser.
_MAX_DEPTH = 100


class _NestedTooDeeply(yaml.YAMLError):
    """A document with more levels than any file of people has."""


class _Loader(yaml.CBaseLoader):
    """The C parser without type resolution, which took a third of its time."""

    _depth = 0

    def resolve(self, kind: Any, value: Any, implicit: Any) -> str:
        """Return no type: every scalar is text."""
        del kind, value, implicit
        return ""

    def descend_resolver(self, current_node: Any, current_index: Any) -> None:
        """Count the levels: the parser calls this before each node."""
        del current_node, current_index
        self._depth += 1
        if self._depth > _MAX_DEPTH:
            raise _NestedTooDeeply

    def ascend_resolver(self) -> None:
        """Count the levels: the parser calls this after each node."""
        self._depth -= 1


@dataclass(frozen=True, kw_only=True, slots=True)
class YamlDocument:
    """The content of one file with the nodes that know its lines."""

    path: Path
    plain: Any
    root: yaml.Node
    text: str

    @property
    def sha256(self) -> str:
        """The digest of the file."""
        return hashlib.sha256(self.text.encode("utf-8", "surrogatepass")).hexdigest()

    def line(self, *steps: YamlStep) -> int:
        """Return the line of the value at `steps`, or of its nearest ancestor."""
        node = self.root
        for step in steps:
            below = _child_of(node, step)
            if below is None:
                break
            node = below
        return _first_line(node)

    def problem(self, *steps: YamlStep, problem: str, hint: str, code: str = "spec") -> Problem:
        """Return a problem at `steps`."""
        return Problem(
            path=self.path, line=self.line(*steps), problem=problem, hint=hint, code=code
        )

    def convert(self, model: type[M]) -> M:
        """Return the document as `model`; refuse unknown and missing fields, all at once."""
        try:
            return msgspec.convert(self.plain, model, strict=False)
        except msgspec.ValidationError as error:
            raise SpecError(*self._collect_faults(str(error), model)) from error

    def _collect_faults(self, message: str, model: type[Any]) -> list[Problem]:
        """Return every fault: what is wrong is left out, and the rest is tried again.

        Of an object with a missing field, the other missing fields are told beside it.
        """
        left = copy.deepcopy(self.plain)
        faults: dict[str, Problem] = {}
        while len(faults) < _MAX_FAULTS:
            text, steps = _split_fault(message)
            fault = self._fault(text, steps)
            faults.setdefault(str(fault), fault)
            unknown, missing = _UNKNOWN_FIELD.search(text), _MISSING_FIELD.search(text)
            if missing:
                for name in _missing_fields(model, left, steps, besides=missing["key"]):
                    other = self._fault(text.replace(missing["key"], name), steps)
                    faults.setdefault(str(other), other)
            at = [*steps, unknown["key"]] if unknown else steps
            if not (at and _leave_out(left, at)):
                break
            try:
                msgspec.convert(left, model, strict=False)
            except msgspec.ValidationError as error:
                message = str(error)
            else:
                break
        return list(faults.values())

    def _fault(self, message: str, steps: list[YamlStep]) -> Problem:
        unknown = _UNKNOWN_FIELD.search(message)
        hint = "Compare with the schema: selo schema."
        if unknown:
            line = _key_line(self.root, steps, unknown["key"]) or self.line(*steps)
            hint = "Remove it or correct its spelling; selo schema lists what is allowed."
        else:
            line = self.line(*steps)
        where = ".".join(str(step) for step in steps)
        text = _FRIENDLY_MESSAGES.get(message, message[0].lower() + message[1:])
        return Problem(
            path=self.path, line=line, problem=f"{where}: {text}" if where else text, hint=hint
        )


def _split_fault(message: str) -> tuple[str, list[YamlStep]]:
    """Return what msgspec says is wrong, and the path to it."""
    match = _FAULT_PATH.search(message)
    steps: list[YamlStep] = []
    if not match:
        return message, steps
    for part in _STEP_PATTERN.finditer(match["path"]):
        if part["key"] is not None:
            steps.append(part["key"])
        elif part["index"] == "...":
            break
        else:
            steps.append(int(part["index"]))
    return message[: match.start()], steps


def _leave_out(plain: Any, steps: list[YamlStep]) -> bool:
    """Remove what stands at `steps`; return whether something stood there."""
    *above, last = steps
    for step in above:
        try:
            plain = plain[step]
        except (KeyError, IndexError, TypeError):
            return False
    if isinstance(plain, dict) and last in plain:
        del plain[last]
        return True
    if isinstance(plain, list) and isinstance(last, int) and last < len(plain):
        # Others keep their places, so that their lines stay known.
        del plain[last:]
        return True
    return False


def _missing_fields(
    model: Any, plain: Any, steps: list[YamlStep], *, besides: str
) -> Iterator[str]:
    """Yield the required fields that an object lacks, apart from the one that is known."""
    kind = msgspec.inspect.type_info(model)
    for step in steps:
        kind = _type_below(kind, step)
        try:
            plain = plain[step]
        except (KeyError, IndexError, TypeError):
            return
    kind = _only_struct(kind)
    if isinstance(kind, msgspec.inspect.StructType) and isinstance(plain, dict):
        for field in kind.fields:
            name = field.encode_name
            if field.required and name not in plain and name != besides:
                yield name


def _type_below(kind: Any, step: YamlStep) -> Any:
    """Return the type of what stands at a step in a value; None if that is not one type."""
    kind = _only_struct(kind)
    if isinstance(kind, msgspec.inspect.StructType):
        return next((field.type for field in kind.fields if field.encode_name == step), None)
    if isinstance(kind, msgspec.inspect.DictType):
        return kind.value_type
    return getattr(kind, "item_type", None)


def _only_struct(kind: Any) -> Any:
    """Return the one type of a union that holds others, if there is one."""
    if not isinstance(kind, msgspec.inspect.UnionType):
        return kind
    held = [
        member
        for member in kind.types
        if isinstance(
            member,
            msgspec.inspect.StructType | msgspec.inspect.DictType | msgspec.inspect.ListType,
        )
    ]
    return held[0] if len(held) == 1 else None


def read_yaml(path: Path) -> YamlDocument:
    """Return the document in `path`; refuse duplicate keys and folded text."""
    try:
        text = read_bounded(path, TEXT_LIMIT).decode("utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise SpecError(
            Problem(
                path=path,
                line=0,
                problem=f"cannot be read: {_read_error_text(error)}",
                hint="Check that the file exists and is UTF-8.",
            )
        ) from error
    return parse_yaml(text, path)


def read_typed_yaml(path: Path) -> Any:
    """Return the content of `path` with its bare numbers as numbers, under the same bounds."""
    document = read_yaml(path)
    try:
        return yaml.load(document.text, Loader=yaml.CSafeLoader)
    except (yaml.YAMLError, ValueError) as error:
        problem = Problem(
            path=path,
            line=0,
            problem=f"not YAML: {error}",
            hint="Check the indentation and the quotes on this line.",
        )
        raise SpecError(problem) from error


def typed_problem(
    path: Path, error: msgspec.ValidationError, *above: YamlStep, hint: str
) -> Problem:
    """Return what is wrong with a file of bare numbers below `above`, at its line."""
    message, steps = _split_fault(str(error))
    where = ".".join(str(step) for step in (*above, *steps))
    problem = f"{where}: {message}" if where else message
    return read_yaml(path).problem(*above, *steps, problem=problem, hint=hint)


def _read_error_text(error: OSError | UnicodeDecodeError) -> str:
    """Return why a file cannot be read, without the error number."""
    return (error.strerror if isinstance(error, OSError) else None) or str(error)


def parse_yaml(text: str, path: Path) -> YamlDocument:
    """Return the document in `text`, which came from `path`."""
    try:
        root = yaml.compose(text, Loader=_Loader)
    except _NestedTooDeeply as error:
        raise SpecError(
            Problem(
                path=path,
                line=0,
                problem=f"nested more than {_MAX_DEPTH} levels deep",
                hint="Check that it is the right file.",
            )
        ) from error
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark
        raise SpecError(
            Problem(
                path=path,
                line=mark.line + 1 if mark else 1,
                problem=f"not YAML: {error.problem}",
                hint="Check the indentation and the quotes on this line.",
            )
        ) from error
    except yaml.YAMLError as error:
        raise SpecError(
            Problem(
                path=path,
                line=1,
                problem=f"not YAML: {error}",
                hint="Remove the characters that YAML does not allow.",
            )
        ) from error
    if root is None:
        raise SpecError(
            Problem(path=path, line=0, problem="the file is empty", hint="Write it or remove it.")
        )
    return YamlDocument(path=path, plain=_to_plain(root, path, set()), root=root, text=text)


def _to_plain(node: yaml.Node, path: Path, seen: set[int]) -> Any:
    """Return the values below `node`; `seen` holds the nodes that were met."""
    if id(node) in seen:
        raise SpecError(_alias_problem(node, path))
    seen.add(id(node))
    if isinstance(node, yaml.ScalarNode):
        if node.style == ">":
            raise SpecError(
                Problem(
                    path=path,
                    line=node.start_mark.line + 1,
                    problem="a folded block (>) puts spaces into Chinese text",
                    hint="Use a literal block (|-) instead.",
                )
            )
        return node.value
    if isinstance(node, yaml.SequenceNode):
        return [_to_plain(item, path, seen) for item in node.value]
    plain: dict[str, Any] = {}
    for key, value in node.value:
        if not isinstance(key, yaml.ScalarNode):
            raise SpecError(
                Problem(
                    path=path,
                    line=key.start_mark.line + 1,
                    problem="a key that is not text",
                    hint="Write a word before the colon.",
                )
            )
        if id(key) in seen:
            raise SpecError(_alias_problem(key, path))
        seen.add(id(key))
        if key.value in plain:
            raise SpecError(
                Problem(
                    path=path,
                    line=key.start_mark.line + 1,
                    problem=f"key '{key.value}' appears twice",
                    hint="Keep one; the second would silently win.",
                )
            )
        plain[key.value] = _to_plain(value, path, seen)
    return plain


def _alias_problem(node: yaml.Node, path: Path) -> Problem:
    return Problem(
        path=path,
        line=node.start_mark.line + 1,
        problem="an alias (*) repeats this value",
        hint="Write the value out: a few aliases can stand for a million values.",
    )


def _child_of(node: yaml.Node, step: YamlStep) -> yaml.Node | None:
    if isinstance(node, yaml.MappingNode):
        for key, value in node.value:
            if key.value == step:
                below: yaml.Node = value
                return below
    elif isinstance(node, yaml.SequenceNode) and isinstance(step, int) and step < len(node.value):
        item: yaml.Node = node.value[step]
        return item
    return None


def _key_line(node: yaml.Node, steps: list[YamlStep], name: str) -> int | None:
    for step in steps:
        below = _child_of(node, step)
        if below is None:
            return None
        node = below
    if isinstance(node, yaml.MappingNode):
        for key, _ in node.value:
            if key.value == name:
                return int(key.start_mark.line) + 1
    return None


def _first_line(node: yaml.Node) -> int:
    # The text of a literal block begins on the line after its mark.
    literal = isinstance(node, yaml.ScalarNode) and node.style == "|"
    return int(node.start_mark.line) + (2 if literal else 1)
