"""The wheel, built and installed once, in an environment that lends it what it depends on."""

import os
import subprocess
import sys
import sysconfig

import pytest


@pytest.fixture(scope="session")
def wheel(tmp_path_factory, root):
    out = tmp_path_factory.mktemp("wheel")
    subprocess.run(
        [sys.executable, "-m", "build", "--wheel", "--no-isolation", "--outdir", str(out)],
        cwd=root, check=True, capture_output=True, timeout=120,
    )  # fmt: skip
    return next(out.glob("*.whl"))


@pytest.fixture(scope="session")
def wheel_home(wheel, tmp_path_factory):
    """Return an environment with the wheel and with pytest; what they depend on is lent."""
    home = tmp_path_factory.mktemp("environment")
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", str(home)], check=True)
    place = next(home.glob("lib/python*/site-packages"))
    (place / "beside.pth").write_text(f"{sysconfig.get_path('platlib')}\n", encoding="utf-8")
    subprocess.run(
        [sys.executable, "-m", "pip", "--python", str(home), "install", "--quiet", "--no-deps",
         "--no-index", str(wheel)],
        check=True, capture_output=True, timeout=300,
    )  # fmt: skip
    runner = home / "bin" / "pytest"
    runner.write_text(f"#!{home}/bin/python\nimport pytest\nraise SystemExit(pytest.main())\n")
    runner.chmod(0o755)
    return home


@pytest.fixture(scope="session")
def wheel_path(wheel_home):
    """Return a search path on which the programs of the wheel come first."""
    path = f"{wheel_home}/bin:{os.environ['PATH']}"
    found = subprocess.run(
        ["bash", "-c", "python3 -c 'import selo; print(selo.__file__)'; command -v selo"],
        env={**os.environ, "PATH": path}, capture_output=True, text=True, check=True,
    )  # fmt: skip
    assert all(line.startswith(str(wheel_home)) for line in found.stdout.splitlines())
    return path
