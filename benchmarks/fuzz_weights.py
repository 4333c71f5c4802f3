"""Damaged weights and site models at length: refused with a reason, or good for a page.

    python benchmarks/fuzz_weights.py --count 2000 --seed 1 --workers 2
    python benchmarks/fuzz_weights.py --seed 1 --one 4711     one file again, with its traceback

The files are all weights that tamis ships, weights that were taught, and a model of a small site by
each method that makes one. Of each come `--count` mutants (tests/artefacts.py): arrays dropped,
added, reshaped, retyped, filled with NaN, infinity, negative and huge numbers, shuffled, swapped or
replaced by trees that lean to one side; cards and headers with other values, deep nesting, double
keys or bad UTF-8; zip files with flipped bits, cuts, lies about sizes, bombs and double names. The
checksums are made anew, so that these do not find the damage.

Only a `TamisError` may come out when a file is loaded. What loads must extract a page, with scores
from 0 to 1 and reasons; a warning of numpy is a failure, too. The workers are separate processes
with bounded memory, see benchmarks/fuzz.py. The exit status is 1 if any mutant failed.
"""

from __future__ import annotations

import argparse
import multiprocessing
import multiprocessing.connection
import resource
import signal
import sys
import tempfile
import time
import traceback
import warnings
from collections.abc import Callable
from pathlib import Path

import fuzz
from tests import artefacts
from tests.artefacts import Artefact, Mutant

MEMORY = 3 << 30  # address space of a worker; more is a MemoryError


def mutant_of(files: list[Artefact], seed: int, number: int) -> tuple[Artefact, Mutant]:
    """Mutant `number` of a run, of one file after the other."""
    artefact = files[number % len(files)]
    return artefact, artefacts.mutant(artefact, seed, number // len(files))


def work(
    pipe: multiprocessing.connection.Connection,
    files: list[Artefact],
    seed: int,
    numbers: range,
) -> None:
    """Use the mutants of a range; a message each, as those of `fuzz.work`."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    warnings.simplefilter("error")
    with tempfile.TemporaryDirectory() as folder:
        for number in numbers:
            artefact, changed = mutant_of(files, seed, number)
            started = time.process_time()
            trace = ""
            try:
                outcome = f"{artefact.name}: {artefacts.use(artefact, changed, Path(folder))}"
            except Exception as error:  # any is a finding
                outcome = f"{artefact.name}: FAILED {type(error).__name__}"
                trace = f"{artefact.name}: {changed.what}\n{traceback.format_exc()}"
            seconds = time.process_time() - started
            rss = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
            pipe.send((number, outcome, seconds, rss, trace))
    pipe.close()


class Run(fuzz.Run):
    """The same with files in the place of pages."""

    work: Callable[..., None] = staticmethod(work)

    def save(self, number: int, stem: Path) -> None:
        """Write a file that failed, and its card."""
        _, changed = mutant_of(self.seeds, self.arguments.seed, number)
        stem.with_suffix(".npz").write_bytes(changed.content)
        if changed.card is not None:
            stem.with_suffix(".json").write_bytes(changed.card)


def main() -> None:
    """Parse the command line and run."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--count", type=int, default=200, help="mutants of each file")
    parser.add_argument("--first", type=int, default=0, help="number of the first mutant of all")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--workers", type=int, default=multiprocessing.cpu_count())
    parser.add_argument("--slow", type=float, default=2.0, help="CPU seconds that are too many")
    parser.add_argument("--hang", type=float, default=60.0, help="seconds until a worker is ended")
    parser.add_argument("--save", type=Path, help="folder for the files that fail")
    parser.add_argument("--one", type=int, help="only this mutant, in this process")
    arguments = parser.parse_args()
    files = artefacts.artefacts()
    if arguments.one is not None:
        artefact, changed = mutant_of(files, arguments.seed, arguments.one)
        print(artefact.name, changed.what)
        warnings.simplefilter("error")
        with tempfile.TemporaryDirectory() as folder:
            print(artefacts.use(artefact, changed, Path(folder)))
        return
    arguments.count *= len(files)
    fuzzing = Run(arguments, files)
    fuzzing.watch()
    fuzzing.report()
    sys.exit(1 if fuzzing.failures else 0)


if __name__ == "__main__":
    main()
