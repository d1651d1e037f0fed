"""``selo witness`` as a person types it: a form written, filled in, and checked."""

import json

import pytest

from selo.law.spec_digest import compute_spec_digest

BLANKS = {
    'vendor: ""': 'vendor: "Reference vendor"',
    'product: ""': 'product: "Fish-Prawn-Crab"',
    'version: ""': 'version: "1.0"',
    'result: ""': 'result: "met"',
    'observation: ""': 'observation: "Seen on the table."',
    'date: ""': 'date: "2025-06-02"',
    'place: ""': 'place: "Table 4"',
    'valid_until: ""': 'valid_until: "2026-06-01"',
    'examiner: {name: "", number: ""}': 'examiner: {name: "First signatory", number: "101"}',
    'second: {name: "", number: ""}': 'second: {name: "Second signatory", number: "102"}',
}


@pytest.fixture(scope="module")
def form(selo, tmp_path_factory):
    """Return the text of the form of one game, as the command writes it."""
    out = tmp_path_factory.mktemp("form")
    done = selo("witness", "new", "--game", "fish-prawn-crab", "--out", str(out))
    assert (done.returncode, done.stderr) == (0, "")
    return (out / "witness.yaml").read_text(encoding="utf-8")


@pytest.fixture
def filled(form, tmp_path):
    """Fill the form in as a person would: in the blanks and nowhere else."""
    for blank, answer in BLANKS.items():
        assert blank in form
        form = form.replace(blank, answer)
    path = tmp_path / "witness.yaml"
    path.write_text(form, encoding="utf-8")
    return path


def edit(path, old, new):
    text = path.read_text(encoding="utf-8")
    assert old in text
    path.write_text(text.replace(old, new, 1), encoding="utf-8")
    return text[: text.index(old)].count("\n") + 1


def test_a_new_form_is_written_to_fill_in_and_to_print(selo, tmp_path):
    out = tmp_path / "deep" / "w"

    done = selo("witness", "new", "--game", "fish-prawn-crab", "--out", str(out))

    assert done.returncode == 0
    assert done.stdout == (
        f"Provisions that a person must inspect: 6. Files: {out}/witness.yaml (to fill in), "
        f"{out}/witness.html (to print) and {out}/witness-tablet.html "
        "(to fill in on a tablet, offline)\n"
    )
    assert sorted(path.name for path in out.iterdir()) == [
        "witness-tablet.html", "witness.html", "witness.yaml",
    ]  # fmt: skip


def test_a_form_that_is_there_is_never_written_over(selo, tmp_path):
    there = tmp_path / "witness.yaml"
    there.write_text("filled in\n", encoding="utf-8")

    done = selo("witness", "new", "--out", str(tmp_path))

    assert done.returncode == 3
    assert "hint: Give another folder with --out" in done.stderr
    assert there.read_text(encoding="utf-8") == "filled in\n"


def test_a_game_with_nothing_to_see_writes_nothing(selo, tmp_path):
    done = selo("witness", "new", "--game", "pai-kao", "--out", str(tmp_path / "w"), "--lang", "pt")

    assert done.returncode == 0
    assert done.stdout == "Nada há a presenciar em: pai-kao. Nenhum ficheiro foi escrito.\n"
    assert not (tmp_path / "w").exists()


def test_a_game_that_does_not_exist_is_refused(selo, tmp_path):
    done = selo("witness", "new", "--game", "roulette", "--out", str(tmp_path))

    assert done.returncode == 3
    assert "there is no game 'roulette'" in done.stderr


def test_new_as_json_holds_the_whole_form(selo, tmp_path, law):
    done = selo("witness", "new", "--out", str(tmp_path), "--json")

    found = json.loads(done.stdout)
    assert found["form"]["spec_digest"] == compute_spec_digest(law)
    entries = [one["id"] for one in found["form"]["entries"]]
    assert len(entries) == 18
    # Weight and opposite faces of dice are in no rule: a person looks at them.
    assert "portaria-21-96-m/1/a/close" in entries
    names = ("witness.yaml", "witness.html", "witness-tablet.html")
    assert found["files"] == [str(tmp_path / name) for name in names]


def test_a_form_filled_in_by_two_people_is_witnessed(selo, filled):
    done = selo("witness", "check", str(filled), "--as-of", "2025-06-30")

    assert done.returncode == 0
    assert done.stdout == (
        "✓ portaria-21-96-m/1/a  met · valid\n"
        "✓ portaria-21-96-m/1/a/close  met · valid\n"
        "✓ portaria-21-96-m/1/b  met · valid\n"
        "✓ portaria-21-96-m/1/b/1  met · valid\n"
        "✓ portaria-21-96-m/1/b/2  met · valid\n"
        "✓ portaria-21-96-m/1/c  met · valid\n"
        "WITNESSED: 6 provisions, all met.\n"
    )
    assert done.stderr == ""


def test_an_inspection_expires(selo, filled):
    done = selo("witness", "check", str(filled), "--as-of", "2026-06-02")

    assert done.returncode == 2
    assert done.stdout.splitlines()[-1] == "TO BE WITNESSED: 6 provisions remain open."
    assert "valid until 2026-06-01; the day is 2026-06-02" in done.stderr


def test_what_is_not_met_violates(selo, filled):
    edit(filled, 'result: "met"', 'result: "not-met"')

    done = selo("witness", "check", str(filled), "--as-of", "2025-06-30")

    assert done.returncode == 1
    assert done.stdout.splitlines()[0] == "✗ portaria-21-96-m/1/a  not met · valid"
    assert done.stdout.splitlines()[-1] == "VIOLATES: provisions not met: 1."


def test_what_is_wrong_is_told_by_file_line_and_remedy(selo, filled):
    line = edit(filled, 'number: "102"', 'number: "101"')

    done = selo("witness", "check", str(filled), "--as-of", "2025-06-30")

    assert done.returncode == 2
    assert done.stderr == (
        f"{filled}:{line}: portaria-21-96-m/1/a: the second signatory, 'Second signatory', "
        "has the name or number of the first\n"
        "  hint: Somebody else must sign, with a name and number of their own.\n"
    )


def test_a_form_of_another_edition_is_refused(selo, filled, law):
    line = edit(filled, compute_spec_digest(law), "0" * 64)

    done = selo("witness", "check", str(filled), "--as-of", "2025-06-30", "--lang", "zh")

    assert done.returncode == 3
    assert done.stderr.startswith(f"{filled}:{line}: 表格屬法律之另一版本：{'0' * 64}")
    assert done.stdout == "拒收：本表格之內容均不可使用。\n"


def test_a_changed_photograph_is_tampered_evidence(selo, filled):
    (filled.parent / "a.jpg").write_bytes(b"changed")
    edit(filled, "photos: []", f'photos: [{{file: "a.jpg", sha256: "{"0" * 64}"}}]')

    done = selo("witness", "check", str(filled), "--as-of", "2025-06-30")

    assert done.returncode == 6
    assert done.stdout.splitlines()[-1].startswith("TAMPERED")


def test_a_file_that_is_not_there_is_a_usage_error(selo, tmp_path):
    done = selo("witness", "check", str(tmp_path / "none.yaml"))

    assert done.returncode == 3
    assert "cannot be read" in done.stderr


def test_check_as_json_holds_what_people_said(selo, filled):
    edit(filled, "photos: []", f'photos: [{{file: "b.jpg", sha256: "{"0" * 64}"}}]')

    done = selo("witness", "check", str(filled), "--as-of", "2025-06-30", "--json")

    found = json.loads(done.stdout)
    assert (found["exit"], found["as_of"]) == (0, "2025-06-30")
    (form,) = found["forms"]
    assert form["item"] == {
        "vendor": "Reference vendor",
        "product": "Fish-Prawn-Crab",
        "version": "1.0",
    }
    assert form["absent"] == ["b.jpg"]
    first = form["witnesses"][0]
    assert (first["signed"], first["result"], first["date"]) == ("valid", "met", "2025-06-02")
    assert first["second"] == {"name": "Second signatory", "number": "102"}
