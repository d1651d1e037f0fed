"""The same report gives the same bytes, wherever and whenever it is made."""

import hashlib
import logging
import os
import re
import subprocess
import sys
from pathlib import Path

import paper
import pytest
import synthetic

from selo.errors import UsageError
from selo.report.formats.report_json import encode_report
from selo.report.pdf import pdf_document as document
from selo.report.pdf.document_pages import styles_of
from selo.report.pdf.weasyprint_layout import LayoutFailed, typeset

LATIN = "@font-face { font-family: F; src: url(selo:///SourceSerif4-Regular.ttf) }"
OURS = {"Selo-Latin", "Selo-Han", "Selo-Mono", "Selo-Fallback", "Selo-Signs"}
PROGRAM = """
import sys, hashlib
from pathlib import Path
from selo.report.formats.report_json import read_report
from selo.report.pdf.pdf_document import render_pdf
made = render_pdf(read_report(Path(sys.argv[1])), Path(sys.argv[2]))
print(hashlib.sha256(made).hexdigest())
"""


def made_in(folder, report, *, environment):
    """Render `report` in another process, in a folder and an environment of its own."""
    folder.mkdir(parents=True)
    (folder / "report.json").write_bytes(encode_report(report))
    for name, data in synthetic.FILES.items():
        (folder / name).write_bytes(data)
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM, str(folder / "report.json"), str(folder)],
        cwd=folder,
        env={"PATH": os.environ["PATH"], "HOME": str(folder), **environment},
        capture_output=True,
        text=True,
        check=False,
        timeout=300,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.split()


@pytest.mark.full
def test_folders_locales_time_zones_and_processes_change_no_byte(law, tmp_path):
    report = synthetic.report(law, games=("pai-kao",), findings=1, demonstration=True)
    here = hashlib.sha256(document.render_pdf(report, synthetic.FILES)).hexdigest()

    one = made_in(
        tmp_path / "one",
        report,
        environment={"LANG": "C", "TZ": "Asia/Macau", "PYTHONHASHSEED": "1"},
    )
    other = made_in(
        tmp_path / "sob ç" / "澳門",
        report,
        environment={"LC_ALL": "C.UTF-8", "LANG": "zh_CN.UTF-8", "TZ": "America/New_York",
                     "PYTHONHASHSEED": "4711", "SOURCE_DATE_EPOCH": "1"},
    )  # fmt: skip

    assert {*one, *other} == {here}


def test_no_font_of_the_machine_is_used(law):
    report = synthetic.report(law, games=("pai-kao",))
    asked = "body { font-family: 'DejaVu Sans Mono', 'Liberation Serif', monospace }"

    made = typeset(
        '<html lang="pt"><title>x</title><p>words 魚</p>', (*styles_of(report, ()), asked), {}
    )

    assert set(re.findall(r"\+(\w+-\w+)", paper.tool("pdffonts", "-", data=made.pdf)[1])) <= OURS


def test_a_missing_glyph_is_an_error():
    with pytest.raises(LayoutFailed, match="notdef"):
        typeset('<html lang="pt"><title>x</title><p>魚</p>', (LATIN,), {})


def test_a_font_that_cannot_be_loaded_is_an_error():
    style = "@font-face { font-family: F; src: url(selo:///nothing.ttf) } p { font-family: F }"

    with pytest.raises(LayoutFailed, match="cannot be loaded"):
        typeset('<html lang="pt"><title>x</title><p>a</p>', (style,), {})


@pytest.mark.parametrize(
    "url", ["file:///etc/passwd", "http://127.0.0.1:9/x.png", "selo:///../../etc/passwd"]
)
def test_nothing_outside_can_be_reached(url):
    with pytest.raises(LayoutFailed, match="nothing is fetched"):
        typeset(f'<html lang="pt"><title>x</title><p>a<img alt="x" src="{url}">', (LATIN,), {})


def test_the_settings_of_the_process_are_left_as_they_were():
    before = dict(os.environ), list(logging.getLogger("weasyprint").handlers)

    typeset('<html lang="pt"><title>x</title><p>a</p>', (LATIN,), {})

    assert before == (dict(os.environ), list(logging.getLogger("weasyprint").handlers))


def test_missing_libraries_are_named_with_what_to_install(monkeypatch):
    import builtins  # noqa: PLC0415 - only here

    known = builtins.__import__

    def refuse(name, *rest, **more):
        if name.startswith("weasyprint"):
            raise OSError("cannot load library 'libpango-1.0-0'\nmore")
        return known(name, *rest, **more)

    monkeypatch.setattr(builtins, "__import__", refuse)

    with pytest.raises(UsageError, match="apt-get install libpango"):
        typeset("<p>", (), {})


def test_the_fonts_need_not_be_written_anywhere(tmp_path, monkeypatch):
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))

    typeset(
        '<html lang="pt"><title>x</title><p>a</p>',
        (LATIN,),
        {},
    )

    assert not list(Path(tmp_path).rglob("*"))
