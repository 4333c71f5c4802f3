"""Tables to learn from, and cross-validation."""

from __future__ import annotations

import lzma
from pathlib import Path

import numpy as np
import pytest
from tests.train.ferries import made_up

from tamis.errors import DatasetError
from tamis.train import feature_table as fit
from tamis.train import text_block_context
from tamis.train.labelled_pages import read_gold

DOCUMENTS = [made_up(number) for number in range(40)]


@pytest.fixture(scope="module")
def units() -> fit.FeatureTable:
    return text_block_context.unit_table("visible", DOCUMENTS)


def test_rows_know_their_page_and_site(units: fit.FeatureTable) -> None:
    assert len(np.unique(units.page)) == 40
    assert len(np.unique(units.site)) == 7
    assert 0.1 < units.content.mean() < 0.9


def test_a_sample_is_of_that_size_and_the_same_each_time(units: fit.FeatureTable) -> None:
    sample = units.sample(100, seed=3)
    assert len(sample) == len(sample.content) == 100
    np.testing.assert_array_equal(sample.rows, units.sample(100, seed=3).rows)
    assert units.sample(10**6, seed=3) is units


def test_no_pages_are_an_error() -> None:
    with pytest.raises(DatasetError, match="no page of these sets"):
        text_block_context.unit_table("visible", [])


# Cross-validation


@pytest.mark.parametrize("by", ["block", "page", "site"])
def test_cross_validation_measures_the_content_class(units: fit.FeatureTable, by: str) -> None:
    learner = text_block_context.ContextTraining().learner(units)
    measured = fit.cross_validate(units.rows, units, by, lambda: learner, folds=5)
    assert measured.f1 > 0.8


def test_folds_keep_pages_and_sites_together(units: fit.FeatureTable) -> None:
    seen: list[tuple[set[int], set[int]]] = []

    class Spy:
        def fit(self, rows: np.ndarray, _: np.ndarray) -> Spy:
            self.learned = set(rows[:, 0].tolist())
            return self

        def predict(self, rows: np.ndarray) -> np.ndarray:
            seen.append((self.learned, set(rows[:, 0].tolist())))
            return np.zeros(len(rows), bool)

    for by, groups in (("page", units.page), ("site", units.site)):
        fit.cross_validate(groups[:, None].astype(float), units, by, Spy, folds=5)
    assert len(seen) == 10
    assert not any(learned & asked for learned, asked in seen)


# Data sets


def written(path: Path, *lines: str) -> Path:
    with lzma.open(path, "wt", encoding="utf-8") as file:
        file.write("\n".join(lines) + "\n")
    return path


def test_pages_with_gold_are_read(tmp_path: Path) -> None:
    path = written(
        tmp_path / "set.jsonl.xz",
        '{"id": 1, "html": "<p>x", "text": "x", "comments": "y", "url": "https://a.example/z"}',
        '{"id": 2, "html": "<p>no gold"}',
    )
    (example,) = read_gold(path, comments=True)
    assert (example.dataset, example.id, example.site) == ("set", "1", "a.example")
    assert example.text == "x\ny"
    assert next(read_gold(path)).text == "x"


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("{", "line 2: not valid JSON"),
        ("[]", "line 2: a JSON list"),
        ('{"id": 2, "text": "x"}', "line 2: field 'html'"),
        ('{"id": 2, "html": "x", "text": 5}', "line 2: field 'text'"),
    ],
)
def test_a_line_that_is_no_page_is_named(tmp_path: Path, line: str, message: str) -> None:
    path = written(tmp_path / "set.jsonl.xz", '{"id": 1, "html": "", "text": ""}', line)
    with pytest.raises(DatasetError, match=message):
        list(read_gold(path))


def test_a_file_that_is_no_xz_is_named(tmp_path: Path) -> None:
    path = tmp_path / "set.jsonl.xz"
    path.write_bytes(b"no xz")
    with pytest.raises(DatasetError, match=r"set.jsonl.xz, after line 0: the file is damaged"):
        list(read_gold(path))
