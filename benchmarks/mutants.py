"""How many small faults would the tests notice? A sample of mutants, and how many were killed.

    pip install cosmic-ray
    python benchmarks/mutants.py --sample 300 --workers 2     a table, and the survivors as diffs
    python benchmarks/mutants.py --only describe/posts        one part of the package

Cosmic Ray lists what can be mutated: operators, comparisons, numbers, `not`, `break`. A mutant is
one such change in one module of `decide`, `describe`, `page` or `render`, drawn at random by a
seed. Every worker has a copy of the checkout. It compiles the module again if it is compiled, then
runs the tests of the module, of the package around it, and finally all of `TESTS`, until one fails.

A mutant that no test kills may still do what the original does, as `i < n` and `i != n` do in a
loop. It counts as a survivor if the output of any page of the repository differs, and as equivalent
otherwise. The diffs of both are printed, so that a person can judge.
"""

from __future__ import annotations

import argparse
import difflib
import json
import os
import random
import shutil
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor, as_completed
from dataclasses import dataclass
from pathlib import Path
from queue import SimpleQueue

ROOT = Path(__file__).resolve().parent.parent
PACKAGES = ("decide", "describe", "page", "render")
# Tests of what a page becomes; those of growth and of every path take longer than all of these.
TESTS = (*PACKAGES, "test_flow.py", "test_pages.py", "test_result.py", "test_switches.py")
RESULTS = ROOT / "benchmarks" / "results" / "mutants.json"
# Code that does nothing when it runs: annotations and the imports of type checkers.
SKIPPED = ("TYPE_CHECKING", "cython.")
OUTPUTS = """
import glob, hashlib, json, sys
sys.path.insert(0, "src")
import tamis
for path in sorted(glob.glob(sys.argv[1] + "/**/*.html", recursive=True)):
    try:
        result = tamis.extract(open(path, "rb").read(), url="https://example.org/a/page")
        views = [result.text, result.markdown, result.html, result.explain(), result.to_dict()]
        views += [result.posts, result.reasons, result.regions, [str(c) for c in result.chunks()]]
    except Exception as error:
        views = [repr(error)]
    print(path, hashlib.sha256(repr(views).encode("utf-8", "replace")).hexdigest())
"""


@dataclass(frozen=True)
class Mutant:
    """One change of one module."""

    module: str  # relative to src/tamis
    operator: str
    occurrence: int
    line: int


@dataclass
class Verdict:
    """What became of a mutant: killed (and by which tests), survived, equivalent or invalid."""

    mutant: Mutant
    outcome: str
    by: str
    diff: str


def list_mutants(only: str) -> list[Mutant]:
    """Return the mutants of all modules, those that change an annotation aside."""
    from cosmic_ray import plugins
    from cosmic_ray.ast import ast_nodes, get_ast

    operators = {
        name: plugins.get_operator(name)
        for name in plugins.operator_names()
        if not plugins.get_operator(name).arguments()
    }
    mutants = []
    package = ROOT / "src" / "tamis"
    for path in sorted(path for name in PACKAGES for path in (package / name).rglob("*.py")):
        module = path.relative_to(package).as_posix()
        if not module.startswith(only):
            continue
        source = path.read_text("utf-8")
        lines = source.split("\n")
        nodes = list(ast_nodes(get_ast(source)))
        for name, operator in operators.items():
            positions = (place for node in nodes for place in operator().mutation_positions(node))
            for occurrence, ((line, _), _) in enumerate(positions):
                text = lines[line - 1]
                if not any(word in text for word in SKIPPED) and is_run(text, name):
                    mutants.append(Mutant(module, name, occurrence, line))
    return mutants


def is_run(line: str, operator: str) -> bool:
    """Whether a mutant of this line can do anything: `|` between types and decorators cannot."""
    code = line.strip()
    if code.startswith(("def ", "@", "from ", "import ", "#", '"""')):
        return False
    return "BitOr" not in operator or not any(kind in code for kind in (" | None", "-> ", ": "))


def draw_sample(mutants: list[Mutant], size: int, seed: int) -> list[Mutant]:
    """Draw places, then one operator for each: a comparison has ten, a `not` has one."""
    places: dict[tuple[str, int], list[Mutant]] = {}
    for mutant in mutants:
        places.setdefault((mutant.module, mutant.line), []).append(mutant)
    generator = random.Random(seed)
    chosen = generator.sample(sorted(places), min(size, len(places)))
    return [generator.choice(places[place]) for place in chosen]


def list_tests(module: str) -> Iterator[list[str]]:
    """Yield the tests to run, from those nearest to the module to all."""
    *folders, name = module.removesuffix(".py").split("/")
    nearest = [Path("tests", *folders, f"test_{name}.py")]
    while folders:
        nearest.append(Path("tests", *folders))
        folders.pop()
    yield from ([path.as_posix()] for path in nearest if (ROOT / path).exists())
    yield list_all_tests()


def list_all_tests() -> list[str]:
    """Return the folders and files of `TESTS`."""
    return [f"tests/{name}" for name in TESTS]


def execute(command: list[str], folder: Path, seconds: float) -> subprocess.CompletedProcess[str]:
    """Run a command in a copy of the checkout; a time limit counts as a failure."""
    paths = f"{folder / 'src'}{os.pathsep}{folder}"
    environment = os.environ | {"PYTHONPATH": paths, "PYTHONDONTWRITEBYTECODE": "1"}
    try:
        return subprocess.run(
            command,
            cwd=folder,
            env=environment,
            capture_output=True,
            text=True,
            timeout=seconds,
            check=False,
        )
    except subprocess.TimeoutExpired as error:
        return subprocess.CompletedProcess(command, 124, str(error.stdout), "time limit")


def run_tests(tests: list[str], folder: Path) -> subprocess.CompletedProcess[str]:
    """Run tests of a copy until one fails."""
    options = ["-x", "-q", "-p", "no:cacheprovider"]
    return execute([sys.executable, "-m", "pytest", *options, *tests], folder, 600)


def read_outputs(folder: Path) -> str:
    """Return digests of all views of the test pages, by the code in a copy."""
    return execute([sys.executable, "-c", OUTPUTS, str(ROOT)], folder, 300).stdout


def test_mutant(mutant: Mutant, folder: Path, outputs: str) -> Verdict:
    """Change a copy of the checkout, run tests until one fails, and change it back."""
    from cosmic_ray import plugins
    from cosmic_ray.mutating import mutate_code

    path = folder / "src" / "tamis" / mutant.module
    original = path.read_text("utf-8")
    changed = mutate_code(original, plugins.get_operator(mutant.operator)(), mutant.occurrence)
    if changed is None or changed == original:
        return Verdict(mutant, "invalid", "no change", "")
    diff = "".join(difflib.unified_diff(original.splitlines(True), changed.splitlines(True), n=1))
    compiled = path.with_suffix(".pxd").exists()
    build = [sys.executable, "setup.py", "--quiet", "build_ext", "--inplace"]
    library = list(path.parent.glob(f"{path.stem}.*.so"))
    saved = [file.read_bytes() for file in library]
    try:
        path.write_text(changed, "utf-8")
        if compiled:
            for file in library:
                file.unlink()
            execute(build, folder, 300)
            if not list(path.parent.glob(f"{path.stem}.*.so")):
                return Verdict(mutant, "invalid", "does not compile", diff)
        for tests in list_tests(mutant.module):
            if run_tests(tests, folder).returncode not in (0, 5):
                return Verdict(mutant, "killed", tests[0], diff)
        same = read_outputs(folder) == outputs
        return Verdict(mutant, "equivalent" if same else "survived", "", diff)
    finally:
        path.write_text(original, "utf-8")
        for file, code in zip(library, saved, strict=True):
            file.write_bytes(code)


def copy_checkout(folder: Path) -> Path:
    """Copy what tests need, compiled modules and their C files included."""
    folder.mkdir(parents=True)
    for name in ("src", "tests", "docs", "examples", "benchmarks", "build/cython", "build/temp*"):
        for path in ROOT.glob(name):
            shutil.copytree(path, folder / path.relative_to(ROOT), symlinks=True)
    for path in ROOT.iterdir():
        if path.is_file():
            shutil.copy2(path, folder)
    return folder


def main() -> None:
    """Run a sample and print the table."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--sample", type=int, default=300)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--only", default="", help="modules whose path begins with this")
    parser.add_argument("--workers", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--work", type=Path, default=ROOT / "build" / "mutants")
    parser.add_argument("--output", type=Path, default=RESULTS)
    arguments = parser.parse_args()
    shutil.rmtree(arguments.work, ignore_errors=True)
    sample = draw_sample(list_mutants(arguments.only), arguments.sample, arguments.seed)
    copies: SimpleQueue[Path] = SimpleQueue()
    for number in range(arguments.workers):
        copies.put(copy_checkout(arguments.work / str(number)))
    first = copies.get()
    outputs = read_outputs(first)
    copies.put(first)

    def run(mutant: Mutant) -> Verdict:
        folder = copies.get()
        try:
            return test_mutant(mutant, folder, outputs)
        finally:
            copies.put(folder)

    def check(tests: list[str]) -> str:
        folder = copies.get()
        try:
            done = run_tests(tests, folder)
            return (done.stdout + done.stderr)[-3000:] if done.returncode else ""
        finally:
            copies.put(folder)

    verdicts = []
    with ThreadPoolExecutor(arguments.workers) as pool:
        if failures := "".join(pool.map(check, ([name] for name in list_all_tests()))):
            sys.exit(f"tests fail without any mutant:\n{failures}")
        for task in as_completed([pool.submit(run, mutant) for mutant in sample]):
            verdict = task.result()
            verdicts.append(verdict)
            place = f"{verdict.mutant.module}:{verdict.mutant.line}"
            print(f"{len(verdicts)}/{len(sample)} {verdict.outcome:10} {place}", flush=True)
            if verdict.outcome in ("survived", "equivalent"):
                print(verdict.diff, flush=True)
            save(verdicts, arguments.output)
    print(json.dumps(count_outcomes(verdicts), indent=2))


def count_outcomes(verdicts: list[Verdict]) -> dict[str, float]:
    """Return the number of each outcome, and the share killed of those that change behaviour."""
    counts = Counter(verdict.outcome for verdict in verdicts)
    changing = counts["killed"] + counts["survived"]
    return {**counts, "killed_share": counts["killed"] / changing if changing else 1.0}


def save(verdicts: list[Verdict], path: Path) -> None:
    """Write the counts and all mutants that no test killed."""
    alive = [
        {"module": v.mutant.module, "line": v.mutant.line, "outcome": v.outcome, "diff": v.diff}
        for v in verdicts
        if v.outcome in ("survived", "equivalent")
    ]
    path.write_text(json.dumps({**count_outcomes(verdicts), "alive": alive}, indent=1) + "\n")


if __name__ == "__main__":
    main()
