"""Makes an environment for each adapter and tests it there; `make integrations` runs this.

    python tests/integrations/environments.py            # all of them
    python tests/integrations/environments.py mcp scrapy

An environment is build/integrations/NAME: what tamis needs, the extra NAME of pyproject.toml in the
newest versions of the index, pytest and mypy. tamis itself is the checkout, as it was built.
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
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

ROOT = Path(__file__).parents[2]
FOLDER = ROOT / "build" / "integrations"
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
VERSION = runpy.run_path(str(ROOT / "src" / "tamis" / "version.py"))["__version__"]
NAMES = sorted(path.stem.removeprefix("test_") for path in Path(__file__).parent.glob("test_*.py"))
TOOLS = ["hypothesis", "mypy", "pytest"]
# What is tested together; else the extra has the name of the adapter.
EXTRAS = {"tables": ["pandas", "polars", "duckdb"], "guides": ["rivals", "bench"]}
# Haystack would send home that it was used.
QUIET = os.environ | {"HAYSTACK_TELEMETRY_ENABLED": "False"}
PYTHON = Path("Scripts", "python.exe") if os.name == "nt" else Path("bin", "python")
# Installs ten times as fast as pip.
UV = (FOLDER / "uv" / PYTHON).with_stem("uv")


class Unreachable(Exception):
    """There is no index to install from."""


def needed_by(name: str) -> list[str]:
    """What the extras of pyproject.toml that are tested under a name bring, but tamis itself."""
    extras = PROJECT["optional-dependencies"]
    named = EXTRAS.get(name, [name.replace("_", "-")])
    return [each for extra in named for each in extras[extra] if not each.startswith("tamis[")]


def index() -> list[str]:
    """What tells uv of the package index that pip is set to, if it is set to one."""
    pip = [sys.executable, "-m", "pip", "config", "get", "global.index-url"]
    set_for_pip = subprocess.run(pip, capture_output=True, text=True).stdout.strip()
    address = os.environ.get("PIP_INDEX_URL") or set_for_pip
    return ["--default-index", address] if address else []


def check_index() -> None:
    """Raise `Unreachable` if the index does not answer."""
    pip = [sys.executable, "-m", "pip", "--retries", "1", "--timeout", "20"]
    asked = subprocess.run(
        [*pip, "download", "--quiet", "--no-deps", "--dest", FOLDER, "iniconfig"],
        capture_output=True,
        text=True,
    )
    if asked.returncode:
        raise Unreachable(asked.stderr.strip().splitlines()[-1])


def make_uv() -> None:
    """An environment with the program that installs."""
    if not UV.exists():
        folder = FOLDER / "uv"
        venv.create(folder, with_pip=True)
        subprocess.run([folder / PYTHON, "-m", "pip", "install", "--quiet", "uv"], check=True)


def make(name: str) -> None:
    """An environment with the newest versions, in which tamis is this checkout."""
    folder = FOLDER / name
    if not (folder / PYTHON).exists():
        subprocess.run([UV, "venv", "-q", "--python", sys.executable, folder], check=True)
    wanted = [*PROJECT["dependencies"], *TOOLS, *needed_by(name)]
    install = [UV, "pip", "install", "-q", "--upgrade", *index()]
    subprocess.run(
        [*install, "--python", folder / PYTHON, *wanted],
        check=True,
        capture_output=True,
        text=True,
    )
    paths = {"base": str(folder), "platbase": str(folder)}
    packages = Path(sysconfig.get_path("purelib", "venv", vars=paths))
    (packages / "tamis.pth").write_text(str(ROOT / "src"))
    # What an installation would say of tamis: MarkItDown finds the plugin by its entry point.
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
    named = [re.match(r"[\w-]+", each) for each in needed_by(name)]
    libraries = [each[0] for each in named if each]
    command = [UV, "pip", "list", "--format", "json", "--python", FOLDER / name / PYTHON]
    outdated = [*command, "--outdated", *index()]
    newer = _listed(outdated, "latest_version") if online else {}
    return ", ".join(
        f"{library} {version}"
        + (f" ({newer[library]} does not install here)" if library in newer else "")
        for library, version in _listed(command, "version").items()
        if library in libraries
    )


def _listed(command: list[str | Path], column: str) -> dict[str, str]:
    run = subprocess.run(command, capture_output=True, text=True)
    return {each["name"]: each[column] for each in json.loads(run.stdout or "[]")}


def check(name: str, online: bool) -> tuple[bool, str]:
    """Make an environment, if there is an index, and test the adapter there; what to report."""
    started = time.perf_counter()
    if not online and not (FOLDER / name / PYTHON).exists():
        return True, f"{name}: SKIPPED, there is no environment and no index to make one from"
    try:
        if online:
            make(name)
    except subprocess.CalledProcessError as error:
        return False, f"{name}: FAILED, not installed:\n{error.stderr}"
    module = ROOT / "src" / "tamis" / "integrations" / f"{name}.py"
    python = [FOLDER / name / PYTHON, "-m"]
    commands = [
        [
            *python,
            "pytest",
            "-W",
            "default",
            "-p",
            "no:cacheprovider",
            f"tests/integrations/test_{name}.py",
        ]
    ]
    if module.exists():
        config = ["--config-file", "tests/integrations/mypy.ini"]
        cache = ["--cache-dir", FOLDER / name / ".mypy_cache"]
        commands.append([*python, "mypy", *config, *cache, module])
    said = []
    for command in commands:
        run = subprocess.run(command, cwd=ROOT, env=QUIET, capture_output=True, text=True)
        if run.returncode:
            return False, f"{name}: {versions(name, online)}: FAILED\n{run.stdout}{run.stderr}"
        said += run.stdout.strip().splitlines()[-1:]
    seconds = time.perf_counter() - started
    return True, f"{name}: {versions(name, online)}: {'; '.join(said)}; {seconds:.0f} s"


def main() -> int:
    """Check the adapters that are named, or all."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("names", nargs="*", default=NAMES, help=", ".join(NAMES))
    parser.add_argument("--jobs", type=int, default=min(4, os.cpu_count() or 1))
    wanted = parser.parse_args()
    online = False
    try:
        check_index()
        make_uv()
        online = True
    except (Unreachable, subprocess.CalledProcessError) as error:
        print(f"integrations: the package index cannot be reached ({error})", flush=True)
    good = True
    with ThreadPoolExecutor(wanted.jobs) as pool:
        for passed, report in pool.map(lambda name: check(name, online), wanted.names):
            good &= passed
            print(report, flush=True)
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
