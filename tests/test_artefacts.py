"""Damaged weights and site models are refused when they are loaded, or extract.

benchmarks/fuzz_weights.py does the same with thousands of each.
"""

from __future__ import annotations

from pathlib import Path

import pytest

import tamis
from tests.artefacts import Artefact, artefacts, mutant, use

MUTANTS = 16
"""Of each file; together some 5 seconds of CPU."""


@pytest.fixture(scope="module")
def files() -> list[Artefact]:
    return artefacts()


def test_every_shipped_file_of_arrays_is_among_them(files: list[Artefact]) -> None:
    package = Path(tamis.__file__).parent
    assert {path.name for path in package.rglob("*.npz")} <= {file.name for file in files}


def test_a_damaged_file_is_refused_with_a_reason_or_extracts(
    files: list[Artefact], tmp_path: Path
) -> None:
    outcomes = {
        use(artefact, mutant(artefact, 7, number), tmp_path)
        for artefact in files
        for number in range(MUTANTS)
    }
    assert outcomes == {"refused", "loaded"}
