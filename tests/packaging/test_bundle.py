"""One medium installs, verifies and examines in an empty root without a network."""

import hashlib
import importlib.util
import subprocess
import sys

import pytest


@pytest.fixture(scope="module")
def installer(root):
    spec = importlib.util.spec_from_file_location(
        "selo_bundle_install", root / "fixtures" / "bundle" / "install.py"
    )
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture
def medium(tmp_path):
    for name in ("wheels/a.whl", "docs/b.md"):
        path = tmp_path / name
        path.parent.mkdir()
        path.write_text(name)
    sums = [
        f"{hashlib.sha256(name.encode()).hexdigest()}  {name}\n"
        for name in ("docs/b.md", "wheels/a.whl")
    ]
    (tmp_path / "SHA256SUMS").write_text("".join(sums))
    return tmp_path


def test_a_whole_medium_is_accepted(installer, medium):
    assert installer.check_medium(medium) == []


@pytest.mark.parametrize(
    ("spoil", "told"),
    [
        (lambda one: (one / "wheels/a.whl").write_text("other"), "altered: wheels/a.whl"),
        (lambda one: (one / "docs/b.md").unlink(), "missing: docs/b.md"),
        (lambda one: (one / "wheels/c.whl").write_text("c"), "not listed: wheels/c.whl"),
        (lambda one: (one / "wheels/l").symlink_to("a.whl"), "not listed: wheels/l"),
    ],
)
def test_an_altered_medium_is_refused(installer, medium, spoil, told):
    spoil(medium)

    assert told in installer.check_medium(medium)


@pytest.mark.full
def test_the_bundle_works_in_an_empty_root_without_a_network(root, tmp_path):
    done = subprocess.run(
        [sys.executable, root / "fixtures" / "bundle" / "make_bundle.py", tmp_path],
        capture_output=True, text=True, check=False, timeout=1800,
    )  # fmt: skip

    assert done.returncode == 0, (done.stdout + done.stderr)[-3000:]
    for step in ("install", "law check", "examine", "report", "verify"):
        assert f"{step}: exit 0" in done.stdout
    assert "nothing reaches a network: exit 1" in done.stdout
