"""The rules of the house that a machine can see, each shown to catch a planted offender."""

import re

import pytest
import yaml
from tests.house import rules

#: Basenames that stand twice because they mean the same, each with its reason.
SAME_MEANING = {
    "permission": "the model of a permission, and the command on permissions",
}
#: Packages that a gerund names because that is what the field calls them, each with its reason.
GERUNDS = {"selo.signing": "digital signing", "selo.examine.findings.finding": "a noun"}
FILE_MODULES = "tests/house/file_modules.yaml"


@pytest.fixture(scope="module")
def harness(root):
    return root / "harness"


@pytest.fixture
def planted(tmp_path):
    """Write modules of a made-up house and return its source root: `planted({"a/b.py": "…"})`."""

    def write(files):
        for name, text in files.items():
            path = tmp_path / "selo" / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
        return tmp_path

    return write


def test_no_folder_holds_more_modules_than_a_person_can_overlook(harness, planted):
    crowd = planted({f"room/module_{number}.py": "" for number in range(rules.MOST_MODULES + 1)})

    assert rules.crowded_folders(crowd)
    assert not rules.crowded_folders(harness)


def test_no_module_is_longer_than_the_rule_allows(harness, planted):
    assert rules.long_modules(planted({"long.py": "x = 1\n" * (rules.MOST_LINES + 1)}))
    assert not rules.long_modules(harness)


def test_a_basename_stands_once_in_the_house(harness, planted):
    twice = planted({"a/reader.py": "", "b/reader.py": ""})

    assert list(rules.repeated_basenames(twice)) == ["reader"]
    assert set(rules.repeated_basenames(harness)) == set(SAME_MEANING)


def test_a_class_name_stands_once_in_the_house(harness, planted):
    twice = planted({"a.py": "class Reader: ...\n", "b.py": "class Reader: ...\n"})

    assert list(rules.repeated_classes(twice)) == ["Reader"]
    assert not rules.repeated_classes(harness)


@pytest.mark.parametrize("name", ["asked", "telling", "written", "often", "around"])
def test_no_participle_or_adverb_names_a_module(harness, planted, name):
    assert rules.modules_without_a_noun(planted({f"room/{name}.py": ""})) == [f"selo.room.{name}"]
    assert set(rules.modules_without_a_noun(harness)) == set(GERUNDS)


def test_a_front_door_names_at_most_ten_things(harness, planted):
    names = ", ".join(f'"name_{number}"' for number in range(rules.MOST_EXPORTS + 1))

    assert rules.wide_front_doors(planted({"room/__init__.py": f"__all__ = [{names}]\n"}))
    assert not rules.wide_front_doors(harness)


def test_every_package_that_others_import_has_a_front_door(harness):
    doors = rules.exported_names(harness)
    entered = {
        imported
        for importer, imported in rules.imports(harness)
        if imported in doors and imported.count(".") and not importer.startswith(f"{imported}.")
    }

    assert not {package for package in entered if doors[package] is None}


def test_nothing_is_imported_past_a_front_door(harness, planted):
    house = planted(
        {
            "__init__.py": "",
            "room/__init__.py": '__all__ = ["public"]\n',
            "room/public.py": "from selo.room.private import thing\n",
            "room/private.py": "thing = 1\n",
            "guest.py": "from selo.room.private import thing\nfrom selo.room import public\n",
        }
    )

    assert rules.imports_past_front_doors(house) == [("selo.guest", "selo.room.private")]
    assert not rules.imports_past_front_doors(harness)


def test_files_are_opened_in_one_home(root, harness, planted):
    """What others made is read with bounds and written whole; exceptions are listed."""
    allowed = yaml.safe_load((root / FILE_MODULES).read_text(encoding="utf-8"))
    offenders = {
        "text.py": "path.read_text()\n",
        "mode.py": 'path.open("rb")\n',
        "plain.py": "open(name)\n",
        "yaml.py": "yaml.load(text, Loader=yaml.CSafeLoader)\n",
        "pdf.py": "pikepdf.open(file)\n",
        "new.py": "unfinished.replace(path)\n",
        "word.py": 'text.replace("a", "b")\n',
    }

    assert set(rules.opening_modules(planted(offenders))) == {
        f"selo.{name.removesuffix('.py')}" for name in offenders if name != "word.py"
    }
    assert set(rules.opening_modules(harness)) == set(allowed)


def test_nothing_is_remembered_in_a_module(harness, planted):
    cache = planted({"memo.py": "_KNOWN: dict[str, int] = {}\n_FIXED = {1: 2}\n"})

    assert rules.mutable_module_state(cache) == ["selo.memo._KNOWN"]
    assert not rules.mutable_module_state(harness)


def test_no_id_of_the_law_stands_in_python(root, harness, law, planted):
    ids = rules.ids_of_law(law) - rules.words_of_schemas(root)
    bet = planted({"room.py": 'if bet == "hard-way":\n    pass\n'})

    assert rules.ids_in_code(bet, ids) == {"selo/room.py": ["hard-way"]}
    assert not rules.ids_in_code(harness, ids)


@pytest.mark.parametrize(
    "line",
    [
        'bet["bet"] == "player"',
        'act.get("act") in {"cut", GO_ON}',
        '"odd" != plain["bet"]',
        'bet.plain["bet"] in ("even", "tie")',
        'setting.game == "craps"',
    ],
)
def test_no_bet_event_or_game_is_compared_with_a_literal(harness, law, planted, line):
    """Words that a format defines too are no excuse where something is what a law calls so."""
    ids = rules.ids_of_law(law)

    assert rules.compared_ids(planted({"room.py": f"if {line}:\n    pass\n"}), ids)
    assert not rules.compared_ids(harness, ids)


def test_no_sentence_of_law_stands_in_python(harness, law):
    code = "\n".join(path.read_text(encoding="utf-8") for path in rules.sources(harness))

    for held in law.provisions.values():
        for language in held.provision.text.languages():
            words = held.provision.text.get(language)
            assert len(words) < 12 or words not in code, held.id


@pytest.mark.parametrize("word", ["TODO", "FIXME", "XXX"])
def test_nothing_is_left_for_later(harness, word):
    for path in rules.sources(harness):
        assert not re.search(rf"\b{word}\b", path.read_text(encoding="utf-8")), path
