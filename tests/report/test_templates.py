"""A designer can edit every template: no line is longer than a screen is wide."""

import pytest

LONGEST = 160


def long_lines(folder):
    return [
        f"{path.relative_to(folder)}:{number}"
        for path in sorted(folder.rglob("*.html"))
        for number, line in enumerate(path.read_text(encoding="utf-8").split("\n"), 1)
        if len(line) > LONGEST
    ]


def test_no_line_of_a_template_is_too_long(root):
    assert len(list((root / "reports").rglob("*.html"))) > 20
    assert long_lines(root / "reports") == []


@pytest.mark.parametrize(("length", "found"), [(LONGEST, []), (LONGEST + 1, ["page.html:2"])])
def test_a_line_that_is_too_long_is_named(tmp_path, length, found):
    (tmp_path / "page.html").write_text(f"<p>\n{'x' * length}\n</p>\n", encoding="utf-8")

    assert long_lines(tmp_path) == found
