"""Makes an environment for each adapter and tests it there; `make integrations` runs this.

    python tests/integrations/environments.py            # all of them
    python tests/integrations/environments.py mcp scrapy

An environment is build/integrations/NAME: what tamis needs, the extra NAME of pyproject.toml in the
newest versions of the index, pytest and mypy. tamis itself is the checkout, as it was built. While
one is made, the adapters whose environments are ready are tested.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import runpy
import subprocess
import sys
import sysconfig
import time
import tomllib
import venv
from collections.abc import Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from functools import cache
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).parents[2]
FOLDER = ROOT / "build" / "integrations"
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
VERSION = runpy.run_path(str(ROOT / "src" / "tamis" / "_runtime" / "version.py"))["__version__"]
TESTS = {path.stem.removeprefix("test_"): path for path in Path(__file__).parent.glob("test_*.py")}
# The longest first, so that the others run beside them.
NAMES = sorted(TESTS, key=lambda name: TESTS[name].stat().st_size, reverse=True)
TOOLS = ["hypothesis", "mypy", "pytest"]
# What is tested together; else the extra has the name of the adapter.
EXTRAS = {"tables": ["pandas", "polars", "duckdb"], "guides": ["rivals", "bench"]}
# Haystack would send home that it was used.
QUIET = os.environ | {"HAYSTACK_TELEMETRY_ENABLED": "False"}
PYTHON = Path("Scripts", "python.exe") if os.name == "nt" else Path("bin", "python")
# Installs ten times as fast as pip.
UV = (FOLDER / "uv" / PYTHON).with_stem("uv")
Command = list[str | Path]
_VERSIONS = """
import importlib.metadata, json, sys
print(json.dumps({name: importlib.metadata.version(name) for name in sys.argv[1:]}))
"""


class Unreachable(Exception):
    """There is no index to install from."""


def library(requirement: str) -> str:
    """The library that a requirement names, without its extras and versions."""
    named = re.match(r"[\w.-]+", requirement)
    assert named, requirement
    return named[0].lower()


def needed_by(name: str) -> list[str]:
    """What the extras of pyproject.toml that are tested under a name bring, but tamis itself."""
    extras = PROJECT["optional-dependencies"]
    named = EXTRAS.get(name, [name.replace("_", "-")])
    needed = [each for extra in named for each in extras[extra] if library(each) != "tamis"]
    if name != "guides":
        return needed
    # Of all that is measured only what there is a guide from, and no words of single languages.
    guides = {path.stem for path in (ROOT / "docs" / "how-to" / "from").glob("*.md")}
    return sorted({library(each) for each in needed} & guides)


@cache
def index() -> tuple[str, ...]:
    """What tells uv of the package index that pip is set to, if it is set to one."""
    pip = [sys.executable, "-m", "pip", "config", "get", "global.index-url"]
    set_for_pip = subprocess.run(pip, capture_output=True, text=True).stdout.strip()
    address = os.environ.get("PIP_INDEX_URL") or set_for_pip
    return ("--default-index", address) if address else ()


def newest(libraries: Sequence[str], *options: str) -> dict[str, str]:
    """The newest versions of libraries on the index; `Unreachable` if it does not answer."""
    command: Command = [
        UV,
        "pip",
        "compile",
        "-q",
        "--no-deps",
        "--no-header",
        "--no-annotate",
        "-",
    ]
    asked = subprocess.run(
        [*command, *index(), *options, "--python", sys.executable],
        input="\n".join(libraries),
        capture_output=True,
        text=True,
    )
    if asked.returncode:
        raise Unreachable(asked.stderr.strip().splitlines()[-1].strip())
    return dict(line.split("==") for line in asked.stdout.split())


def make_uv() -> None:
    """An environment with the program that installs; `Unreachable` if there is no index."""
    folder = FOLDER / "uv"
    if not UV.exists():
        venv.create(folder, with_pip=True)
        pip: Command = [folder / PYTHON, "-m", "pip", "--retries", "1", "--timeout", "20"]
        install = subprocess.run([*pip, "install", "-q", "uv"], capture_output=True, text=True)
        if install.returncode:
            raise Unreachable(install.stderr.strip().splitlines()[-1])
    newest(["pytest"], "--refresh")


def make(name: str) -> None:
    """An environment with the newest versions, in which tamis is this checkout."""
    folder = FOLDER / name
    # In a new one all are the newest, and uv need not look twice at what it has for another.
    newer = ["--upgrade"] if (folder / PYTHON).exists() else []
    if not newer:
        subprocess.run([UV, "venv", "-q", "--python", sys.executable, folder], check=True)
    wanted = [*PROJECT["dependencies"], *TOOLS, *needed_by(name)]
    subprocess.run(
        [UV, "pip", "install", "-q", *newer, *index(), "--python", folder / PYTHON, *wanted],
        check=True,
        capture_output=True,
        text=True,
    )
    paths = {"base": str(folder), "platbase": str(folder)}
    packages = Path(sysconfig.get_path("purelib", "venv", vars=paths))
    (packages / "tamis.pth").write_text(str(ROOT / "src"))
    # What an installation would say of tamis: MarkItDown finds the plugin by its entry point.
    for old in packages.glob("tamis-*.dist-info/*"):
        old.unlink()
    about = packages / f"tamis-{VERSION}.dist-info"
    about.mkdir(exist_ok=True)
    (about / "METADATA").write_text(f"Metadata-Version: 2.1\nName: tamis\nVersion: {VERSION}\n")
    groups = {"console_scripts": PROJECT["scripts"], **PROJECT["entry-points"]}
    (about / "entry_points.txt").write_text(
        "".join(
            f"[{group}]\n" + "".join(f"{key} = {value}\n" for key, value in entries.items())
            for group, entries in groups.items()
        )
    )


def versions(name: str, online: bool) -> str:
    """The libraries of an environment with their versions, and newer ones that do not install."""
    libraries = sorted({library(each) for each in needed_by(name)})
    command: Command = [FOLDER / name / PYTHON, "-c", _VERSIONS, *libraries]
    installed = json.loads(subprocess.run(command, capture_output=True, check=True).stdout)
    latest = newest(libraries) if online else installed
    said = []
    for each in libraries:
        is_newest = installed[each] == latest[each]
        newer = "" if is_newest else f" ({latest[each]} does not install here)"
        said.append(f"{each} {installed[each]}{newer}")
    return ", ".join(said)


def checks(name: str) -> list[Command]:
    """The commands that must succeed in an environment: the tests, and the types of the adapter."""
    python: Command = [FOLDER / name / PYTHON, "-m"]
    pytest: Command = [*python, "pytest", "-W", "default", "-p", "no:cacheprovider", TESTS[name]]
    module = ROOT / "src" / "tamis" / "integrations" / f"{name}.py"
    if not module.exists():
        return [pytest]
    config: Command = ["--config-file", ROOT / "tests" / "integrations" / "mypy.ini"]
    mypy_cache: Command = ["--cache-dir", FOLDER / name / ".mypy_cache"]
    return [pytest, [*python, "mypy", *config, *mypy_cache, module]]


class Checked(NamedTuple):
    """How a check went."""

    passed: bool
    said: str
    seconds: float


def run(command: Command, made: Future[None]) -> Checked:
    """Run a check when its environment is made."""
    made.result()
    started = time.perf_counter()
    done = subprocess.run(command, cwd=ROOT, env=QUIET, capture_output=True, text=True)
    said = done.stdout + done.stderr if done.returncode else done.stdout.strip().splitlines()[-1]
    return Checked(not done.returncode, said, time.perf_counter() - started)


def report(name: str, runs: list[Future[Checked]], online: bool) -> tuple[bool, str]:
    """Whether all checks of an adapter passed, and what to print of them."""
    try:
        results = [each.result() for each in runs]
        libraries = versions(name, online)
    except subprocess.CalledProcessError as error:
        return False, f"{name}: FAILED, not installed:\n{error.stderr}"
    failed = [each.said for each in results if not each.passed]
    if failed:
        return False, "\n".join([f"{name}: {libraries}: FAILED", *failed])
    seconds = sum(each.seconds for each in results)
    said = "; ".join(each.said for each in results)
    return True, f"{name}: {libraries}: {said}; {seconds:.0f} s"


def main() -> int:
    """Check the adapters that are named, or all."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("names", nargs="*", default=NAMES, help=", ".join(NAMES))
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1)
    wanted = parser.parse_args()
    online = False
    try:
        make_uv()
        online = True
    except Unreachable as error:
        print(f"integrations: the package index cannot be reached ({error})", flush=True)
    good = True
    # One is made at a time, so that what several need is loaded once.
    with ThreadPoolExecutor(1) as maker, ThreadPoolExecutor(wanted.jobs) as pool:
        started = {}
        for name in wanted.names:
            if online or (FOLDER / name / PYTHON).exists():
                made = maker.submit(make, name) if online else maker.submit(lambda: None)
                started[name] = [pool.submit(run, command, made) for command in checks(name)]
            else:
                print(f"{name}: SKIPPED, there is no environment and no index to make one from")
        for name, runs in started.items():
            passed, text = report(name, runs, online)
            good &= passed
            print(text, flush=True)
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
