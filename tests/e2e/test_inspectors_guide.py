import importlib.util
import sys
from pathlib import Path

import pytest

# Beside this file, and in no package.
_found = importlib.util.spec_from_file_location("guide", Path(__file__).with_name("guide.py"))
guide = sys.modules["guide"] = importlib.util.module_from_spec(_found)
_found.loader.exec_module(guide)


@pytest.mark.full
def test_an_inspector_who_follows_the_guide_comes_to_a_document_that_holds(root, tmp_path):
    (tmp_path / "fixtures").symlink_to(root / "fixtures")

    count = guide.follow((root / "docs/inspectors.md").read_text(encoding="utf-8"), tmp_path)

    assert count >= 14
