"""What one wheel for all versions of Python (abi3) would cost, in CPU time of `tamis.extract`.

    python benchmarks/limited_api.py      100 pages of wcxb-dev and of dragnet, 20 rounds

Builds this checkout twice, for this version of Python alone and for the limited API of 3.11 on, in
build/limited_api; a build that is there is not made again. A process for each build reads the same
pages, and the two take turns, so that what else the machine does meets both. The cost is the median
over the rounds of what the one took for all pages by what the other took; decision 022 goes by it:
one wheel if it is below 5%, else one a version. Writes benchmarks/results/limited_api.json.
"""

from __future__ import annotations

import json
import os
import platform
import shutil
import statistics
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path

import script
from speed import UTF8, processor, sampled_pages

import tamis

FOLDER = script.ROOT / "build" / "limited_api"
FLAGS = {"version": "", "limited": "-DPy_LIMITED_API=0x030B0000 -DCYTHON_LIMITED_API=1"}
VIEWS = ("text", "markdown", "metadata")
# What people call: the extraction and what they want of it.
CALLS = {
    "extract": ("extract",),
    "extract, text": ("extract", "text"),
    "extract, markdown": ("extract", "markdown"),
    "extract, text, metadata": ("extract", "text", "metadata"),
}


def built(name: str) -> Path:
    """The folder with tamis in it, compiled with the flags of this name."""
    folder = FOLDER / name
    if not (folder / "tamis").exists():
        # A tree of its own: what the other build compiled must not be used again.
        source = FOLDER / f"{name}-source"
        keep = shutil.ignore_patterns("*.so", "*.pyd", "__pycache__", "*.egg-info")
        shutil.copytree(script.ROOT / "src", source / "src", ignore=keep, dirs_exist_ok=True)
        for file in ("setup.py", "pyproject.toml", "README.md", "LICENSE"):
            shutil.copy(script.ROOT / file, source)
        flags = f"{os.environ.get('CFLAGS', '')} {FLAGS[name]}"
        install = [sys.executable, "-m", "pip", "install", "--quiet", "--no-deps", "--target"]
        subprocess.run(
            [*install, folder, source],
            env=os.environ | {"CFLAGS": flags, "TAMIS_BUILD": "compiled"},
            check=True,
        )
    return folder


def take_turns(pages: Sequence[bytes]) -> None:
    """For each line of the input read all pages and print what each view took, in milliseconds."""
    print(tamis.__file__, flush=True)
    for _ in sys.stdin:
        taken = dict.fromkeys(("extract", *VIEWS), 0.0)
        for page in pages:
            started = time.process_time()
            result = tamis.extract(page, content_type=UTF8)
            taken["extract"] += (now := time.process_time()) - started
            for view in VIEWS:
                started = now
                getattr(result, view)
                taken[view] += (now := time.process_time()) - started
        print(json.dumps({name: 1000 * each / len(pages) for name, each in taken.items()}))
        sys.stdout.flush()


def started(name: str, words: Sequence[str]) -> subprocess.Popen[str]:
    """A process that reads pages with the build of this name."""
    folder = built(name)
    process = subprocess.Popen(
        [sys.executable, __file__, *words, "--turns"],
        env=os.environ | {"PYTHONPATH": str(folder)},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    assert process.stdout
    used = Path(process.stdout.readline().strip())
    if folder not in used.parents:
        raise SystemExit(f"{used} was to be the build in {folder}")
    return process


def turn(process: subprocess.Popen[str]) -> dict[str, float]:
    """What one round of a process took."""
    assert process.stdin and process.stdout
    process.stdin.write("\n")
    process.stdin.flush()
    taken: dict[str, float] = json.loads(process.stdout.readline())
    return taken


def measured(rounds: int, words: Sequence[str]) -> dict[str, list[dict[str, float]]]:
    """The rounds of both builds, after one that does not count."""
    processes = {name: started(name, words) for name in FLAGS}
    taken: dict[str, list[dict[str, float]]] = {name: [] for name in FLAGS}
    for number in range(rounds + 1):
        # Each goes first every other time.
        for name in sorted(FLAGS, reverse=bool(number % 2)):
            taken[name].append(turn(processes[name]))
    for process in processes.values():
        process.communicate()
    return {name: each[1:] for name, each in taken.items()}


def compared(rounds: dict[str, list[dict[str, float]]]) -> dict[str, dict[str, float]]:
    """For each call the medians of both builds, and of what the one took by the other."""
    rows = {}
    for call, parts in CALLS.items():
        own, limited = (
            [sum(each[part] for part in parts) for each in rounds[name]]
            for name in ("version", "limited")
        )
        rows[call] = {
            "version_ms": statistics.median(own),
            "limited_ms": statistics.median(limited),
            "ratio": statistics.median(b / a for a, b in zip(own, limited, strict=True)),
        }
    return rows


def main() -> None:
    """Parse the command line and run."""
    parser = script.parser(__doc__)
    parser.add_argument("--sets", nargs="+", default=["wcxb-dev", "dragnet"])
    parser.add_argument("--pages", type=int, default=100)
    parser.add_argument("--rounds", type=int, default=20)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--turns", action="store_true", help="what each process does; not for you")
    arguments = parser.parse_args()
    if arguments.turns:
        (name,) = arguments.sets
        take_turns(sampled_pages(arguments.shared, name, arguments.pages, arguments.seed))
        return
    words = ["--data", str(arguments.shared), "--pages", str(arguments.pages)]
    words += ["--seed", str(arguments.seed)]
    print(f"{processor()}, Python {platform.python_version()}")
    figures = {}
    for name in arguments.sets:
        figures[name] = compared(measured(arguments.rounds, [*words, "--sets", name]))
        print(f"\n{arguments.pages} pages of {name}\n")
        print("| | CPU ms, for this version | CPU ms, limited | limited of version |")
        print("|---|---|---|---|")
        for call, row in figures[name].items():
            print(f"| {call} |" + "".join(f" {each:.3f} |" for each in row.values()))
    result = {
        "pages": arguments.pages,
        "rounds": arguments.rounds,
        "processor": processor(),
        "python": platform.python_version(),
    }
    script.write(script.RESULTS / "limited_api.json", result | {"cpu": figures})


if __name__ == "__main__":
    main()
