"""The inspector's guide, followed command by command."""

import shutil

import pytest
from tests.e2e import guide


@pytest.mark.full
def test_an_inspector_who_begins_with_the_guide_comes_to_a_verdict(root, tmp_path, wheel_path):
    # A link would lead out of the folder, and declared files lie inside of it.
    shutil.copytree(root / "fixtures", tmp_path / "fixtures")
    text = (root / "docs/inspectors.md").read_text(encoding="utf-8")
    # Documents, signatures and verification are followed by the test below, in the full suite.
    beginning, heading, _ = text.partition("## 5. Write the documents")

    assert heading
    assert guide.follow(beginning, tmp_path, PATH=wheel_path) >= 7


@pytest.mark.full
def test_an_inspector_who_follows_the_guide_comes_to_a_document_that_holds(
    root, tmp_path, wheel_path
):
    # A link would lead out of the folder, and declared files lie inside of it.
    shutil.copytree(root / "fixtures", tmp_path / "fixtures")

    text = (root / "docs/inspectors.md").read_text(encoding="utf-8")
    count = guide.follow(text, tmp_path, PATH=wheel_path)

    assert count >= 14
