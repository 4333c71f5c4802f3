"""Builds the sdist, and of it a wheel for each Python, and tests what was built, not the checkout.

    python tests/packaging/artefacts.py                     # `make wheels`: all Pythons on the PATH
    python tests/packaging/artefacts.py python3.13 /opt/python3.14/bin/python3
    python tests/packaging/artefacts.py --quick             # `make wheel`: this Python alone

Everything is in build/packaging, a folder for each Python; the artefacts are in dist below it. What
was compiled there is used again as long as its source is the same. --quick takes what `make`
compiled for the checkout, too, runs fewer tests, and leaves out the oldest dependencies.
"""

from __future__ import annotations

import argparse
import os
import re
import shutil
import subprocess
import sys
import sysconfig
import tarfile
import time
import zipfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory

ROOT = Path(__file__).parents[2]
sys.path.append(str(ROOT))

from tests.integrations.environments import (  # noqa: E402  from the root
    PROJECT,
    PYTHON,
    UV,
    Unreachable,
    index,
    make_uv,
)

FOLDER = ROOT / "build" / "packaging"
DIST = FOLDER / "dist"
VERSIONS = ("3.11", "3.12", "3.13", "3.14")
# What the tests of the core need beside tamis.
TOOLS = ["hypothesis", "markdown-it-py", "mdit-py-plugins", "pytest", "pytest-xdist"]
# Tests of the core, quick ones; those of the checkout itself (links, layers, documents) are not.
TESTS = [f"tests/{name}" for name in ("page", "methods", "model", "decide", "describe", "site")] + [
    f"tests/test_{name}.py" for name in ("flow", "inputs", "options", "pages", "result")
]
QUICK_TESTS = [
    *(name for name in TESTS if name.endswith(".py")),
    "tests/_runtime/test_limits.py",
    "tests/decide/test_decision.py",
    "tests/page/scan/test_scanner.py",
]
SMOKE = ROOT / "tests" / "packaging" / "smoke.py"
COMPILED_SUFFIXES = (".so", ".pyd")
# The compiled module without a source, see setup.py.
SHARED = "tamis/_cython_utility"


class Failed(Exception):
    """An artefact is not as it should be."""


def run(*command: object, fails: bool = False, **settings: str) -> str:
    """What a command says; it must succeed, or fail."""
    done = subprocess.run(
        [str(each) for each in command],
        cwd=FOLDER,
        env=os.environ | {"PYTHONPATH": ""} | settings,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        encoding="utf-8",
    )
    if bool(done.returncode) != fails:
        what = "was to fail" if fails else "failed"
        raise Failed(f"{' '.join(map(str, command))} {what}:\n{done.stdout[-6000:]}")
    return done.stdout


def check(condition: object, message: str) -> None:
    """Raise `Failed` with a message."""
    if not condition:
        raise Failed(message)


# Building


def build_sdist() -> Path:
    """The source distribution, which has what git has."""
    said = run(UV, "build", "--sdist", "--python", sys.executable, *index(), "-o", DIST, ROOT)
    check_quiet(said)
    (sdist,) = DIST.glob("*.tar.gz")
    with tarfile.open(sdist) as archive:
        packed = {name.partition("/")[2] for name in archive.getnames()}
        check(not any(member.issym() for member in archive), "the sdist has links in it")
    tracked = {
        name
        for name in subprocess.run(
            ["git", "ls-files"], cwd=ROOT, capture_output=True, encoding="utf-8", check=True
        ).stdout.splitlines()
        if not name.startswith(".") and (ROOT / name).exists()
    }
    check(packed >= tracked, f"the sdist lacks {sorted(tracked - packed)[:9]}")
    files = {name for name in packed if Path(name).suffix and not (ROOT / name).is_dir()}
    new = files - tracked - {"PKG-INFO", "setup.cfg"}
    new = {name for name in new if not name.startswith("src/tamis.egg-info")}
    check(not new, f"the sdist has what git does not have: {sorted(new)[:9]}")
    return sdist


def unpack(sdist: Path, folder: Path) -> Path:
    """The sources as they were packed; what an earlier build left under build stays."""
    source = folder / "source"
    for path in source.glob("*"):
        if path.name != "build":
            shutil.rmtree(path) if path.is_dir() else path.unlink()
    with tarfile.open(sdist) as archive:
        # Python 3.11.2 of Debian 12 has no filters yet.
        archive.extraction_filter = getattr(tarfile, "data_filter", None)
        archive.extractall(folder)
        top = archive.getnames()[0].partition("/")[0]
    source.mkdir(exist_ok=True)
    for path in (folder / top).iterdir():
        path.rename(source / path.name)
    (folder / top).rmdir()
    return source


def use_compiled(source: Path) -> None:
    """Put what `make` compiled for this Python where the build looks for it.

    The build compares times, which an sdist keeps, and compiles what is older than its source.
    """
    if (ROOT / "build" / "cython").exists():
        shutil.copytree(ROOT / "build" / "cython", source / "build" / "cython", dirs_exist_ok=True)
    lib = f"lib.{sysconfig.get_platform()}-{sys.implementation.cache_tag}"
    for module in (ROOT / "src").rglob(f"*{sysconfig.get_config_var('EXT_SUFFIX')}"):
        target = source / "build" / lib / module.relative_to(ROOT / "src")
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy2(module, target)


def build_wheel(source: Path, python: str) -> Path:
    """The wheel of the sources for a Python."""
    (tag,) = tag_of(python)
    build = [UV, "build", "--wheel", "--python", python, *index(), "-o", DIST, source]
    check_quiet(run(*build, TAMIS_BUILD="compiled"))
    (wheel,) = DIST.glob(f"*-{tag}-*.whl")
    check_wheel(wheel, source, compiled=True)
    return wheel


def check_wheel(wheel: Path, source: Path, *, compiled: bool) -> None:
    """A wheel has every file of the package, and each compiled module once, if it has them."""
    package = source / "src"
    expected = {
        path.relative_to(package).as_posix()
        for path in (package / "tamis").rglob("*")
        if path.is_file() and path.suffix not in (*COMPILED_SUFFIXES, ".pyc")
    }
    with zipfile.ZipFile(wheel) as archive:
        names = [name for name in archive.namelist() if ".dist-info/" not in name]
    modules = sorted(name.partition(".")[0] for name in names if name.endswith(COMPILED_SUFFIXES))
    plain = {name for name in names if not name.endswith(COMPILED_SUFFIXES)}
    typed = [name.removesuffix(".pxd") for name in expected if name.endswith(".pxd")]
    wanted = sorted([*typed, SHARED]) if compiled else []
    check(plain >= expected, f"{wheel.name} lacks {sorted(expected - plain)[:9]}")
    check(plain <= expected, f"{wheel.name} has {sorted(plain - expected)[:9]} too much")
    check(modules == wanted, f"{wheel.name} has compiled {modules}")
    check(wheel.name.endswith("-py3-none-any.whl") != compiled, f"{wheel.name} is named wrongly")


def check_quiet(said: str) -> None:
    """Setuptools warns of nothing; Cython and the C compiler may."""
    # But that a pattern of MANIFEST.in found nothing to leave out, and that no .pyc files are made.
    warns = re.compile(r"(?i)warning: (?!no previously-included|\w+: byte-comp)|[a-z]warning\b")
    compiler = re.compile(r"(warning: )?\S+\.(c|h|py):\d+:")
    lines = [line for line in said.splitlines() if not compiler.match(line)]
    warned = [line for line in lines if warns.search(line)]
    check(not warned, "the build warns:\n" + "\n".join(warned[:20]))


# Testing


def tag_of(python: str) -> list[str]:
    """The tag of an interpreter, or nothing if it does not run."""
    code = "import sys; print('cp{}{}'.format(*sys.version_info))"
    done = subprocess.run([python, "-c", code], capture_output=True, text=True)
    return done.stdout.split()


def found() -> Iterator[str]:
    """The Pythons on the PATH, one for each version; a version manager may have names that fail."""
    for version in VERSIONS:
        path = shutil.which(f"python{version}")
        if path and tag_of(path):
            yield path
        else:
            print(f"Python {version}: none is on the PATH", flush=True)


def fresh(folder: Path, python: str, *packages: object, oldest: bool = False) -> Path:
    """An environment with some packages; its Python."""
    run(UV, "venv", "-q", "--clear", "--python", python, folder)
    install = [UV, "pip", "install", "-q", *index(), "--python", folder / PYTHON]
    # Only what is named here is taken as old as it may be: others are not ours to test.
    resolution = ["--resolution", "lowest-direct"] if oldest else []
    run(*install, *resolution, *packages)
    return folder / PYTHON


@contextmanager
def tests_elsewhere() -> Iterator[Path]:
    """A copy of the tests with no package beside it."""
    with TemporaryDirectory() as folder:
        junk = shutil.ignore_patterns("__pycache__", "generators")
        shutil.copytree(ROOT / "tests", Path(folder, "tests"), ignore=junk)
        shutil.copy(ROOT / "conftest.py", folder)
        Path(folder, "pytest.ini").write_text(
            "[pytest]\naddopts = --import-mode=importlib -q -p no:cacheprovider\n"
            "filterwarnings = error\n"
        )
        yield Path(folder)


def run_tests(python: Path, tests: Sequence[str]) -> str:
    """Run the tests of the core with what is installed; their last line."""
    with tests_elsewhere() as folder:
        code = f"import os, sys, pytest; os.chdir({str(folder)!r}); sys.path.insert(0, '')"
        said = run(
            *(python, "-c", f"{code}; sys.exit(pytest.main(sys.argv[1:]))", "-n", "2", *tests),
            OMP_NUM_THREADS="1",
            OPENBLAS_NUM_THREADS="1",
        )
    return said.strip().splitlines()[-1]


def versions(python: Path) -> str:
    """What tamis needs, as it is installed."""
    listed = run(UV, "pip", "freeze", "-q", "--python", python).splitlines()
    named = ("click", "httpx", "numpy", "turbohtml")
    return ", ".join(line.replace("==", " ") for line in listed if line.startswith(named))


def check_python(sdist: Path, python: str, *, quick: bool) -> str:
    """Build a wheel for a Python and test it there; a line about it."""
    started = time.perf_counter()
    tag = "".join(tag_of(python))
    check(tag, f"{python} does not run; give the path of an interpreter")
    folder = FOLDER / tag
    folder.mkdir(parents=True, exist_ok=True)
    source = unpack(sdist, folder)
    if quick:
        use_compiled(source)
    made = FOLDER / "cython"  # the C files are the same for all Pythons
    if made.exists():
        shutil.copytree(made, source / "build" / "cython", dirs_exist_ok=True)
    wheel = build_wheel(source, python)
    shutil.copytree(source / "build" / "cython", made, dirs_exist_ok=True)
    built = time.perf_counter()
    installed = fresh(folder / "installed", python, wheel)
    said = run(installed, SMOKE).strip()
    installed = fresh(folder / "installed", python, wheel, *TOOLS)
    tested = run_tests(installed, QUICK_TESTS if quick else TESTS)
    size = wheel.stat().st_size / 1e6
    seconds = time.perf_counter() - built
    return (
        f"{wheel.name}, {size:.1f} MB: {said}; {tested}; {versions(installed)};"
        f" built in {built - started:.0f} s, tested in {seconds:.0f} s"
    )


def check_oldest(python: str) -> str:
    """The oldest versions that tamis says it works with."""
    (tag,) = tag_of(python)
    (wheel,) = DIST.glob(f"*-{tag}-*.whl")
    folder = FOLDER / "oldest"
    # The tools come after: they are not to decide what is old.
    installed = fresh(folder, python, wheel, *PROJECT["dependencies"], oldest=True)
    said = run(installed, SMOKE).strip()
    frozen = run(UV, "pip", "freeze", "-q", "--python", installed).splitlines()
    pinned = [line for line in frozen if "==" in line]
    run(UV, "pip", "install", "-q", *index(), "--python", installed, *pinned, *TOOLS)
    return f"oldest: {versions(installed)}: {said}; {run_tests(installed, TESTS)}"


def check_without_compiler(sdist: Path, python: str, *, quick: bool) -> str:
    """Without a compiler tamis installs, by pip and by uv, but a wheel is refused or says so."""
    started = time.perf_counter()
    folder = FOLDER / "without_compiler"
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    source = unpack(sdist, folder)
    shutil.copytree(FOLDER / "cython", source / "build" / "cython")  # compiling them has to fail
    none = {"CC": "false", "CXX": "false"}
    build = [UV, "build", "--wheel", "--python", python, *index(), "-o", folder / "dist", source]
    refused = run(*build, fails=True, **none)
    check("TAMIS_BUILD=pure" in refused, f"the way out is not said:\n{refused[-2000:]}")
    run(*build, fails=True, TAMIS_BUILD="compiled", **none)
    installers = {
        "uv": [UV, "pip", "install", "-q", *index(), "--python", folder / "uv" / PYTHON],
        "pip": [folder / "pip" / PYTHON, "-m", "pip", "install", "-q"],
    }
    for name, install in installers.items():
        run(UV, "venv", "-q", "--seed", "--python", python, folder / name)
        run(*install, source, **none)
        run(folder / name / PYTHON, SMOKE, "--slow")
        if quick:  # the other way is the same but for who asks
            break
    run(*build, TAMIS_BUILD="pure", **none)
    (pure,) = (folder / "dist").glob("*.whl")
    check_wheel(pure, source, compiled=False)
    installed = fresh(folder / "pure", python, pure)
    said = run(installed, SMOKE, "--slow").strip()
    return f"without a compiler: {said}; {time.perf_counter() - started:.0f} s"


def check_metadata() -> str:
    """What a package index would refuse."""
    artefacts = sorted(DIST.glob("tamis-*"))
    run(UV, "tool", "run", *index(), "twine", "check", "--strict", *artefacts)
    return f"twine check --strict: {len(artefacts)} artefacts pass"


def reported(check: Callable[[], str]) -> bool:
    """Print what a check says, and whether it passed."""
    try:
        print(check(), flush=True)
    except Failed as failure:
        print(f"FAILED: {failure}", flush=True)
        return False
    return True


def main() -> int:
    """Build and test; one line for each Python."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("pythons", nargs="*", help="interpreters (default: those on the PATH)")
    parser.add_argument("--quick", action="store_true", help="this Python alone")
    wanted = parser.parse_args()
    DIST.mkdir(parents=True, exist_ok=True)
    try:
        make_uv()
    except Unreachable as error:
        print(f"wheels: SKIPPED, the package index cannot be reached ({error})")
        return 0
    quick: bool = wanted.quick
    pythons = [sys.executable] if quick else wanted.pythons or list(found())
    for old in DIST.glob("tamis-*"):
        old.unlink()
    good = True
    try:
        sdist = build_sdist()
    except Failed as failure:
        print(f"FAILED: {failure}")
        return 1
    for python in pythons:
        good &= reported(partial(check_python, sdist, python, quick=quick))
    good &= reported(partial(check_without_compiler, sdist, pythons[0], quick=quick))
    if not quick:
        good &= reported(partial(check_oldest, pythons[0]))
    good &= reported(check_metadata)
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
