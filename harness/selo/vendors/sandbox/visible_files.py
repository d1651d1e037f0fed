"""What of the host's files a vendor's process can see, and what of it is covered.

Visible are the system's libraries, the interpreter that the command names, and the vendor's own
folder, all of them read-only. Covered, wherever it lies inside of these, is Selo with its law, and
whatever the run keeps secret: evidence, seal, keys.
"""

from __future__ import annotations

import os
import re
import shutil
import sys
import tempfile
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Final

import msgspec

from selo.storage.bounded_read import open_regular

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

#: A file with this name marks the root folder of a product whose program lies deeper.
PRODUCT_MARK: Final = ".selo-product"
_SYSTEM_FOLDERS: Final = ("/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32")
#: Settings of the system that programs and their libraries need to run.
_SYSTEM_SETTINGS: Final = (
    "/etc/ld.so.cache", "/etc/ld.so.conf", "/etc/ld.so.conf.d", "/etc/alternatives",
    "/etc/localtime", "/etc/ssl/openssl.cnf", "/etc/mime.types", "/etc/protocols", "/etc/services",
)  # fmt: skip
_SETTINGS_OF_INTERPRETERS: Final = ("java-*", "python3*", "perl", "dotnet", "ruby")
_LIBRARY_SETTINGS: Final = Path("/etc/ld.so.conf.d")
_PROGRAM_FOLDERS: Final = frozenset({"bin", "sbin", "shims", "libexec"})
#: The folders of a prefix that a program needs, where the prefix is not shown whole.
_PREFIX_PARTS: Final = ("bin", "lib", "lib64", "libexec")
#: Folders that hold more than one product, so none of them is ever a vendor's.
_SHARED_FOLDERS: Final = frozenset(
    map(Path, ("/", "/home", "/root", "/opt", "/srv", "/var", "/mnt", "/media", "/etc", "/run"))
)
_ABSOLUTE_PATH: Final = re.compile(r"(?<![\w.])/[^\s'\":;,()\[\]<>]+")
_SCRIPT_MARK: Final = b"#!"
_SCRIPT_LINE_BYTES: Final = 512
#: Rooms of a checkout of Selo that tell how a vendor is examined.
_CHECKOUT_ROOMS: Final = (
    "harness", "specs", "bilingual", "reports", "tests", "docs", ".git", "out", "fixtures/oracles",
)  # fmt: skip
#: What an installation of Selo leaves in the folders of an interpreter.
_INSTALLED: Final = (
    "bin/selo", "lib/python3*/site-packages/selo", "lib/python3*/site-packages/selo-*.dist-info",
    "lib/python3*/site-packages/*selo*.pth",
)  # fmt: skip


class Room(msgspec.Struct, frozen=True, kw_only=True):
    """What is shown to a vendor beyond what its command names, and what is hidden."""

    #: Show the whole working folder: it was named as the vendor's.
    whole_folder: bool = True
    visible: tuple[str, ...] = ()
    hidden: tuple[str, ...] = ()
    #: Copies that stand in for folders of the vendor.
    copies: dict[str, str] = {}


class VisibleFiles(msgspec.Struct, frozen=True, kw_only=True):
    """The host's files that a vendor's process sees."""

    #: Folders of the vendor, whose files are its product.
    product: tuple[Path, ...]
    #: Everything that is bound, read-only, the product included.
    bound: tuple[Path, ...]
    #: What is bound in place of a folder of the vendor, by that folder.
    copies: dict[str, str]
    #: Interpreters and programs among what is bound.
    programs: tuple[Path, ...]
    #: Symbolic links of the system, such as ``/bin``, with their targets.
    links: dict[str, str]
    covered: tuple[Path, ...]
    #: Folders of the vendor inside of what is covered.
    uncovered: tuple[Path, ...]
    #: Folders in which the vendor's programs are looked up, besides those of the system.
    program_folders: tuple[str, ...]

    def contains(self, path: Path) -> bool:
        """Return whether a path of the host can be seen."""
        resolved = path.resolve()
        if any(resolved.is_relative_to(shown) for shown in self.uncovered):
            return True
        if any(resolved.is_relative_to(hidden) for hidden in self.covered):
            return False
        return any(resolved.is_relative_to(shown.resolve()) for shown in self.bound)

    def find_unseen(self, text: str) -> str | None:
        """Return the first path in a text that is there but cannot be seen."""
        for name in _ABSOLUTE_PATH.findall(text):
            path = Path(name)
            try:
                if path.exists() and not self.contains(path):
                    return str(name)
            except OSError:
                continue
        return None


def find_visible_files(command: Sequence[str], folder: Path, room: Room) -> VisibleFiles:
    """Return what a command needs to see that runs in `folder`."""
    roots = list(_find_product_roots(command, folder, room))
    programs: list[Path] = []
    folders: list[str] = []
    for at, word in enumerate(command):
        if at == 0 or _is_program(word, folder):
            _add_program(word, folder, programs, folders)
    product = [path for path in _drop_inner(roots) if not _is_of_system(path)]
    others = _drop_inner([*programs, *map(Path, room.visible)])
    bound = [*product, *others] if room.copies else _drop_inner([*product, *others])
    bound = [path for path in bound if not _is_of_system(path)]
    links, system = _find_system()
    covered = tuple(
        _find_covered([path for path in bound if str(path) not in room.copies], system, room.hidden)
    )
    return VisibleFiles(
        product=tuple(product),
        bound=(*system, *bound),
        copies=room.copies,
        programs=tuple(others),
        links=links,
        covered=covered,
        uncovered=tuple(
            root for root in roots if any(root.is_relative_to(secret) for secret in covered)
        ),
        program_folders=tuple(dict.fromkeys(folders)),
    )


def _find_product_roots(command: Sequence[str], folder: Path, room: Room) -> Iterator[Path]:
    """Yield the folders of the vendor: that of the run, or those of the files it names."""
    named = [
        path
        for word in command
        if not _is_program(word, folder)
        for path in _named_paths(word, folder)
    ]
    roots = [_product_root(path) for path in named]
    if not roots or (room.whole_folder and not _holds_checkout(folder)):
        roots.insert(0, folder)
    yield from dict.fromkeys(variant for root in roots for variant in (root, root.resolve()))


def _holds_checkout(folder: Path) -> bool:
    """Return whether a folder holds a checkout of Selo, of which only what is named is shown."""
    return any(
        path.name == "specs" and path.is_relative_to(folder.resolve())
        for path in list_rooms_of_selo()
    )


def _is_program(word: str, folder: Path) -> bool:
    """Return whether a word names an interpreter or a program of the system, not of the vendor."""
    if os.sep in word:
        return _has_prefix(folder / word)
    return not (folder / word).exists() and shutil.which(word) is not None


def _has_prefix(program: Path) -> bool:
    """Return whether a program is an interpreter in a folder of programs, with its libraries."""
    if program.parent.name not in _PROGRAM_FOLDERS:
        return False
    prefix = program.parent.parent
    return (prefix / "pyvenv.cfg").exists() or (prefix / "lib").is_dir()


def _named_paths(word: str, folder: Path) -> Iterator[Path]:
    """Yield the files and folders that a word of a command names."""
    for part in word.rpartition("=")[2].split(os.pathsep):
        if not part or part.startswith("-") or "\n" in part:
            continue
        path = Path(os.path.normpath(folder / part))
        try:
            if path.exists():
                yield path
        except OSError:
            continue


def _product_root(path: Path) -> Path:
    """Return the folder of a product in which a file lies: the marked one, or its own."""
    own = path if path.is_dir() else path.parent
    for candidate in (own, *own.parents):
        if _is_shared(candidate):
            break
        if (candidate / PRODUCT_MARK).is_file():
            return candidate
    return path if _is_shared(own) else own


def _is_shared(folder: Path) -> bool:
    """Return whether a folder holds more than a product: a home, a folder of temporary files."""
    home = Path(os.path.expanduser("~"))  # noqa: PTH111 - never raises
    return folder in _SHARED_FOLDERS or folder in {
        home, home / ".local", Path(tempfile.gettempdir()), Path("/tmp"), Path("/var/tmp"),  # noqa: S108 - named, not used
    }  # fmt: skip


def _add_program(name: str, folder: Path, paths: list[Path], folders: list[str]) -> None:
    """Add what a program needs: its prefix, that of each link to it, and its interpreter's."""
    found = shutil.which(name) if os.sep not in name else str(folder / name)
    if found is None:
        return
    at = Path(found)
    for _ in range(16):
        paths += _prefix_paths(at)
        if not _is_of_system(at.parent):
            folders.append(str(at.parent))
        if not at.is_symlink():
            break
        at = Path(os.path.normpath(at.parent / at.readlink()))
    paths += _prefix_paths(at.resolve())
    interpreter = _read_script_line(at)
    if interpreter:
        program = interpreter[-1] if Path(interpreter[0]).name == "env" else interpreter[0]
        if program != name:
            _add_program(program, folder, paths, folders)


def _prefix_paths(program: Path) -> Iterator[Path]:
    """Yield the folders of a program: the prefix of an interpreter, or only its own."""
    if _is_of_system(program):
        return
    prefix = program.parent.parent
    if program.parent.name not in _PROGRAM_FOLDERS:
        yield program if _is_shared(program.parent) else program.parent
    elif _is_shared(prefix):
        yield from (prefix / part for part in _PREFIX_PARTS if (prefix / part).is_dir())
    elif _has_prefix(program) or (prefix / "libexec").is_dir():
        yield prefix
    else:
        yield program.parent


def _read_script_line(program: Path) -> list[str]:
    try:
        with os.fdopen(open_regular(program), "rb") as file:
            line = file.read(_SCRIPT_LINE_BYTES).partition(b"\n")[0]
    except OSError:
        return []
    if not line.startswith(_SCRIPT_MARK):
        return []
    words = line.removeprefix(_SCRIPT_MARK).decode(errors="replace").split()
    return [word for word in words if not word.startswith("-")]


def _is_of_system(path: Path) -> bool:
    return any(path.is_relative_to(folder) for folder in _SYSTEM_FOLDERS)


def _drop_inner(paths: Iterable[Path]) -> list[Path]:
    """Return the paths that lie in none of the others, outermost first."""
    kept: list[Path] = []
    for path in sorted(dict.fromkeys(paths), key=lambda path: len(path.parts)):
        if path.exists() and not any(path.is_relative_to(outer) for outer in kept):
            kept.append(path)
    return kept


@cache
def _find_system() -> tuple[dict[str, str], tuple[Path, ...]]:
    """Return the links of the root folder, and the system's folders and settings."""
    links: dict[str, str] = {}
    bound: list[Path] = []
    for name in _SYSTEM_FOLDERS:
        path = Path(name)
        if path.is_symlink():
            links[name] = str(path.readlink())
        elif path.is_dir():
            bound.append(path)
    settings = [Path(name) for name in _SYSTEM_SETTINGS]
    settings += [
        path for pattern in _SETTINGS_OF_INTERPRETERS for path in Path("/etc").glob(pattern)
    ]
    for path in filter(Path.exists, settings):
        if path.is_symlink() and _is_of_system(path.resolve()):
            # On every server it is a link, such as that of the time zone.
            links[str(path)] = str(path.readlink())
        else:
            bound.append(path)
    return links, (*bound, *_library_folders())


def _library_folders() -> Iterator[Path]:
    """Yield folders of shared libraries that lie outside of the system's."""
    for file in _LIBRARY_SETTINGS.glob("*.conf") if _LIBRARY_SETTINGS.is_dir() else ():
        for line in file.read_text(errors="replace").splitlines():
            path = Path(line.strip())
            if path.is_absolute() and path.is_dir() and not _is_of_system(path):
                yield path


def _find_covered(
    bound: Sequence[Path], system: Sequence[Path], hidden: Iterable[str]
) -> list[Path]:
    """Return what of Selo and of its secrets would be visible inside of what is bound."""
    secrets = [*list_rooms_of_selo(), *(Path(name).resolve() for name in hidden)]
    found = [
        shown / secret.relative_to(shown.resolve())
        for shown in (*bound, *system)
        for secret in secrets
        # A secret that is itself a vendor's folder stays, and the measurement says so.
        if secret != shown.resolve() and secret.is_relative_to(shown.resolve())
    ]
    return _drop_inner(found)


@cache
def list_rooms_of_selo() -> tuple[Path, ...]:
    """Return the files and folders from which a vendor could learn how it is examined."""
    package = Path(__file__).resolve().parents[2]
    checkout = package.parent.parent
    found = [package]
    if (checkout / "specs").is_dir() and (checkout / "pyproject.toml").is_file():
        found += [checkout / room for room in _CHECKOUT_ROOMS]
    chosen = os.environ.get("SELO_LAW")
    found += [Path(chosen).resolve()] if chosen else []
    found += [path for pattern in _INSTALLED for path in Path(sys.prefix).glob(pattern)]
    return tuple(path for path in found if path.exists())
