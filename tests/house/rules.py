"""The rules of the house as functions: each takes the source root and returns the offenders."""

import ast
import functools
import itertools
import json
import re
import typing
from collections import defaultdict
from pathlib import Path

import jsonschema
from rich.console import OverflowMethod

from selo.rules.language.vocabulary import COMMON_FUNCTIONS

MOST_MODULES = 15
MOST_LINES = 400
MOST_EXPORTS = 10
#: Single words that are verbs, adverbs or prepositions and name nothing.
_NO_NOUN = re.compile(r"[a-z]+(ed|ing|en)|told|found|often|around|near|apart|again|whole|alike")
#: Nouns that end like participles.
_NOUNS = {"rounding"}
_EMPTY = {"dict", "list", "set", "defaultdict", "Counter", "OrderedDict", "deque"}


def sources(harness):
    """Return every module of the source root."""
    return sorted(path for path in Path(harness).rglob("*.py") if "_data" not in path.parts)


def module_name(harness, path):
    """Return the dotted name of a module."""
    parts = path.relative_to(harness).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


@functools.cache
def tree(path):
    """Return the parsed module."""
    return ast.parse(path.read_text(encoding="utf-8"))


def crowded_folders(harness):
    """Return each folder that holds too many modules, with their number."""
    counts = defaultdict(int)
    for path in sources(harness):
        counts[str(path.parent.relative_to(harness))] += path.name != "__init__.py"
    return {folder: count for folder, count in counts.items() if count > MOST_MODULES}


def long_modules(harness):
    """Return each module that is longer than the rule allows, with its lines."""
    lines = {path: len(path.read_text(encoding="utf-8").splitlines()) for path in sources(harness)}
    return {
        str(path.relative_to(harness)): count for path, count in lines.items() if count > MOST_LINES
    }


def repeated_basenames(harness):
    """Return each basename that several modules have, with their names."""
    places = defaultdict(list)
    for path in sources(harness):
        if not path.name.startswith("__"):
            places[path.stem].append(module_name(harness, path))
    return {name: sorted(found) for name, found in places.items() if len(found) > 1}


def repeated_classes(harness):
    """Return each class name that is defined more than once, with the modules."""
    places = defaultdict(list)
    for path in sources(harness):
        for node in ast.walk(tree(path)):
            if isinstance(node, ast.ClassDef):
                places[node.name].append(module_name(harness, path))
    return {name: sorted(found) for name, found in places.items() if len(found) > 1}


def modules_without_a_noun(harness):
    """Return the modules and packages that a lone participle, adverb or preposition names."""
    names = [
        (path, path.parent.name if path.stem == "__init__" else path.stem)
        for path in sources(harness)
    ]
    return sorted(
        module_name(harness, path)
        for path, name in names
        if path.stem != "__main__" and _NO_NOUN.fullmatch(name) and name not in _NOUNS
    )


def exported_names(harness):
    """Return what ``__all__`` of each package names; None for a package without a front door."""
    doors = {}
    for path in sources(harness):
        if path.name == "__init__.py":
            doors[module_name(harness, path)] = next(
                (
                    tuple(ast.literal_eval(node.value))
                    for node in tree(path).body
                    if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "__all__"
                ),
                None,
            )
    return doors


def wide_front_doors(harness):
    """Return each package that exports too many names, with their number."""
    return {
        package: len(names)
        for package, names in exported_names(harness).items()
        if names is not None and len(names) > MOST_EXPORTS
    }


def is_past_front_door(doors, importer, imported):
    """Return whether an import reaches a module that its package does not export."""
    package, _, name = imported.rpartition(".")
    inside = importer == package or importer.startswith(f"{package}.")
    if imported in doors or "." not in package or inside:
        return False
    return name not in (doors.get(package) or ())


def imports(harness):
    """Yield importer and imported module of every import inside of the source root."""
    known = {module_name(harness, path) for path in sources(harness)}
    for path in sources(harness):
        importer = module_name(harness, path)
        for node in ast.walk(tree(path)):
            if isinstance(node, ast.ImportFrom) and node.module:
                for alias in node.names:
                    full = f"{node.module}.{alias.name}"
                    yield importer, full if full in known else node.module
            elif isinstance(node, ast.Import):
                for alias in node.names:
                    yield importer, alias.name


def imports_past_front_doors(harness):
    """Return every import that goes past a front door."""
    doors = exported_names(harness)
    known = {module_name(harness, path) for path in sources(harness)}
    return sorted(
        {
            (importer, imported)
            for importer, imported in imports(harness)
            if imported in known and is_past_front_door(doors, importer, imported)
        }
    )


def mutable_module_state(harness):
    """Return each module-level name that begins as an empty collection."""
    found = []
    for path in sources(harness):
        for node in tree(path).body:
            value = getattr(node, "value", None)
            if isinstance(node, ast.Assign | ast.AnnAssign) and _is_empty_collection(value):
                target = node.target if isinstance(node, ast.AnnAssign) else node.targets[0]
                found.append(f"{module_name(harness, path)}.{ast.unparse(target)}")
    return sorted(found)


def _is_empty_collection(value):
    if isinstance(value, ast.Dict | ast.List | ast.Set):
        return not ast.unparse(value).strip("{}[] ")
    if isinstance(value, ast.Call) and isinstance(value.func, ast.Name):
        return value.func.id in _EMPTY and not value.args
    return False


def literals(harness):
    """Yield file and text of every string in the code, but for docstrings and front doors."""
    for path in sources(harness):
        if path.name == "__init__.py":
            continue
        docstrings = {
            id(node.body[0].value)
            for node in ast.walk(tree(path))
            if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef)
            and node.body
            and isinstance(node.body[0], ast.Expr)
        }
        for node in ast.walk(tree(path)):
            if (
                isinstance(node, ast.Constant)
                and isinstance(node.value, str)
                and id(node) not in docstrings
            ):
                yield path.relative_to(harness).as_posix(), node.value


def ids_of_law(law):
    """Return the ids of bets, events, options, games and articles of the law files."""
    instruments = itertools.chain.from_iterable(
        (folder.instrument.id, folder.instrument.game) for folder in law.folders
    )
    events = itertools.chain.from_iterable(
        (
            [event.id for event in folder.events.events]
            + [option.id for option in folder.events.options]
            + [declaration.id for declaration in folder.events.declarations]
        )
        for folder in law.folders
        if folder.events is not None
    )
    clauses = (rule for held in law.provisions.values() for rule in _rules(held.provision.rule))
    named = (
        rule[word]
        for rule in clauses
        for word in ("bet", "option")
        if isinstance(rule.get(word), str)
    )
    return {*instruments, *events, *named, *law.provisions}


def words_of_schemas(root):
    """Return the words that formats, the protocol and libraries define by themselves.

    1. The fields of every published format with their words, and of messages of the protocol.
    2. The fields of bets and outcomes, which their equipment has, and the options with a form.
    3. The functions of the condition language; the keywords of JSON Schema; how a terminal folds.
    """
    formats = (root / "specs" / "schema").rglob("*.schema.json")
    fields = itertools.chain.from_iterable(
        _schema_words(json.loads(path.read_text(encoding="utf-8"))) for path in formats
    )
    source = root / "harness" / "selo"
    annotated = (_annotated(source / name) for name in ("table_values.py", "protocol/messages.py"))
    return {
        *fields,
        *itertools.chain.from_iterable(annotated),
        *(function.name for function in COMMON_FUNCTIONS),
        *jsonschema.Draft202012Validator.VALIDATORS,
        *typing.get_args(OverflowMethod),
    }


def _schema_words(schema):
    """Yield the names of the fields in a schema, and the words that a field may be."""
    if isinstance(schema, dict):
        fields, words = schema.get("properties"), schema.get("enum")
        yield from fields if isinstance(fields, dict) else ()
        yield from (word for word in words or () if isinstance(word, str))
    for part in schema.values() if isinstance(schema, dict) else schema:
        if isinstance(part, dict | list):
            yield from _schema_words(part)


def _annotated(path):
    """Yield the fields of the classes of a module."""
    for node in ast.walk(tree(path)):
        if isinstance(node, ast.ClassDef):
            for line in node.body:
                if isinstance(line, ast.AnnAssign):
                    yield line.target.id


def _rules(rule):
    if isinstance(rule, dict):
        yield rule
    for part in rule.values() if isinstance(rule, dict) else rule if isinstance(rule, list) else ():
        yield from _rules(part)


def ids_in_code(harness, ids):
    """Return, for each file, the ids of the law that stand in it as literals."""
    found = defaultdict(set)
    for file, text in literals(harness):
        if text in ids:
            found[file].add(text)
    return {file: sorted(words) for file, words in sorted(found.items())}


#: Fields and attributes that hold the name of something that a law calls so.
_NAMING = {"bet", "act", "event", "game", "option"}


def compared_ids(harness, ids):
    """Return each file in which the name of a bet, an act, an event or a game is compared."""
    found = defaultdict(set)
    for path in sources(harness):
        for node in ast.walk(tree(path)):
            if isinstance(node, ast.Compare):
                sides = (node.left, *node.comparators)
                words = {
                    part.value
                    for side in sides
                    if isinstance(side, ast.Constant | ast.Tuple | ast.List | ast.Set)
                    for part in ast.walk(side)
                    if isinstance(part, ast.Constant) and isinstance(part.value, str)
                }
                # On the right of `in` stands what is looked into, such as the fields of an act.
                inside = any(isinstance(sign, ast.In | ast.NotIn) for sign in node.ops)
                named = [node.left] if inside else sides
                if words & ids and any(map(_names_something, named)):
                    found[path.relative_to(harness).as_posix()] |= words & ids
    return dict(found)


def _names_something(node):
    """Return whether a value is a field or an attribute that names a thing of a law."""
    if isinstance(node, ast.Subscript) and isinstance(node.slice, ast.Constant):
        return node.slice.value in _NAMING
    if isinstance(node, ast.Call) and node.args and isinstance(node.args[0], ast.Constant):
        return getattr(node.func, "attr", "") == "get" and node.args[0].value in _NAMING
    return (
        isinstance(node, ast.Attribute | ast.Name)
        and {node.attr if isinstance(node, ast.Attribute) else node.id} <= _NAMING
    )


#: Calls that read a file or parse its content.
_READERS = {
    "read_text", "read_bytes", "file_digest", "PdfFileReader", "ZstdDecompressor", "fdopen",
    "yaml.load", "yaml.safe_load", "yaml.compose", "yaml.parse", "json.load", "json.loads",
    "tomllib.load", "tomllib.loads", "pikepdf.open", "os.open", "open",
}  # fmt: skip
#: Calls that write a file.
_WRITERS = {"write_text", "write_bytes", "replace", "rename", "hardlink_to"}


def opening_modules(harness):
    """Return each module that reads or writes files by itself, with the calls."""
    offenders = defaultdict(set)
    for path in sources(harness):
        for node in ast.walk(tree(path)):
            if isinstance(node, ast.Call):
                for name in _called_names(node):
                    if name in _READERS or (name in _WRITERS and _is_path_call(node)):
                        offenders[module_name(harness, path)].add(name)
    return {name: sorted(calls) for name, calls in sorted(offenders.items())}


def _called_names(node):
    """Return the names of a call: `yaml.load` and `load`; a method of a table is none."""
    called = node.func
    if isinstance(called, ast.Name):
        return {called.id}
    if not isinstance(called, ast.Attribute):
        return set()
    owner = called.value.id if isinstance(called.value, ast.Name) else ""
    names = {f"{owner}.{called.attr}"}
    if called.attr != "open" or _is_opening(node):
        names.add(called.attr)
    return names


def _is_opening(node):
    """Return whether `.open(...)` is given the mode of a file."""
    modes = [one.value for one in node.args if isinstance(one, ast.Constant)]
    return not node.args or any(
        isinstance(one, str) and set(one) <= set("rwxab+t") for one in modes
    )


def _is_path_call(node):
    """Return whether a call that strings have too is that of a path: one argument, no text."""
    if not isinstance(node.func, ast.Attribute):
        return False
    if node.func.attr in {"write_text", "write_bytes", "hardlink_to"}:
        return True
    return len(node.args) == 1 and not node.keywords
