"""The training of the default method from raw files to weights, card and report."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType
from typing import Any

import lightgbm
import numpy as np

from tamis._runtime import storage
from tamis.bench.contestants import source_hash
from tamis.bench.measures import Snippets, bag_of_words, count_snippets, pool_counts
from tamis.decide.readings import LIKELY
from tamis.describe.types.page_type import is_likely_forum
from tamis.flow import extract_visible
from tamis.methods._base import Flags
from tamis.model.features import spec
from tamis.model.features.token_weights import TokenTable
from tamis.model.weights.archive import Archive
from tamis.options import Options
from tamis.page.table import Page
from tamis.train.feature_table import Say
from tamis.train.labelled_pages import LabelledPage
from training import corpus, readings
from training.boosted import Arrays, TrainingTable, Work, expected_calibration_error, train
from training.folds import fold_of, load_methods, path_of_fold
from training.licences import write_weights
from training.reading import read


@dataclass(frozen=True)
class PageMeasures:
    """What was measured on one page, by weights that did not see its site."""

    dataset: str
    page_type: str | None
    f1: float | None
    """F1, bag of words; None if the page has snippets alone."""
    snippets: Snippets | None


class Files(Work):
    """What a training has done already: a folder for each state of code, data and seed."""

    def __init__(self, folder: Path, data: Iterable[Path], seed: int) -> None:
        digest = hashlib.sha256(f"{source_hash()} {seed}".encode())
        for path in data:
            digest.update(path.read_bytes())
        self._folder = folder / digest.hexdigest()[:16]
        self._folder.mkdir(parents=True, exist_ok=True)

    def table(self, name: str, make: Callable[[], TokenTable]) -> TokenTable:
        """Weights of tokens that were learned before, or else now."""
        path = self._folder / f"{name}.npz"
        if path.exists():
            archive = Archive(path.read_bytes(), str(path))
            return TokenTable.from_arrays({part: archive.read(part) for part in archive.names})
        made = make()
        with storage.open_replacing(path) as file:
            np.savez(file, allow_pickle=False, **made.to_arrays())
        return made

    def booster(self, name: str, make: Callable[[], lightgbm.Booster]) -> lightgbm.Booster:
        """Trees that were learned before, or else now."""
        path = self._folder / f"{name}.txt"
        if not path.exists():
            storage.write(path, make().model_to_string())
        # Read back in any case, so that an interrupted training ends with the same numbers.
        return lightgbm.Booster(model_file=str(path))


def run(
    paths: Sequence[Path],
    out: Path,
    *,
    folds: Path | None = None,
    work: Path | None = None,
    seed: int = 0,
    say: Say = lambda text: None,
) -> dict[str, float]:
    """Train on the sets, write the weights and their card, and give the measures by folds.

    `folds` gets the weights for each fold, `work` what is needed to go on after an interruption.
    """
    labelled = read(paths, say)
    say("features")
    whole = TrainingTable(list(corpus.samples(labelled, seed)))
    files = Work() if work is None else Files(work, paths, seed)
    trained = train(whole, list(corpus.refusals(seed)), files, seed, say)
    folder = folds or out.parent / f"{out.stem}-folds"
    folder.mkdir(parents=True, exist_ok=True)

    def write(
        path: Path, arrays: Arrays, figures: Mapping[str, float] = MappingProxyType({})
    ) -> None:
        write_weights(path, arrays, ("tamis", spec.VERSION, spec.NAMES), paths, figures, seed)

    for fold, arrays in enumerate(trained.folds):
        write(path_of_fold(folder, "tamis", fold), arrays)
    ranker, rankers = train_ranker(labelled, folder, seed, say)
    for fold, arrays in enumerate(trained.folds):
        write(path_of_fold(folder, "tamis", fold), {**arrays, **rankers[fold]})
    say("measuring")
    pages = measure_pages(labelled, folder)
    rows = slice(0, int(whole.first[len(labelled)]))
    error = expected_calibration_error(
        trained.probabilities[rows], whole.labels[rows], whole.words[rows]
    )
    figures = {**summary(pages), "expected calibration error by word": round(error, 4)}
    write(out, {**trained.arrays, **ranker}, figures)
    return figures


def train_ranker(
    labelled: Sequence[LabelledPage], folder: Path, seed: int, say: Say
) -> tuple[Arrays, list[Arrays]]:
    """Train the ranker of readings with the weights of the folds, and with those of page types."""
    methods = load_methods(folder)

    def is_forum(source: LabelledPage, page: Page) -> bool:
        weights = _path_of_types(folder, fold_of(source.site))
        return is_likely_forum(page, LIKELY, source.example.url, weights)

    say("readings")
    pages = [*readings.read_pages(labelled, methods, is_forum)]
    made_over = corpus.modern_pages(labelled, corpus.Pieces(labelled), seed)
    pages += readings.read_pages(made_over, methods, is_forum, made_over=True)
    return readings.train(pages, seed, say)


def _path_of_types(folder: Path, fold: int) -> str | None:
    """The weights of page types of a fold, None for those that come with tamis."""
    path = path_of_fold(folder, "page_type", fold)
    return str(path) if path.exists() else None


def measure_pages(labelled: Sequence[LabelledPage], folder: Path) -> list[PageMeasures]:
    """F1 or snippets of each page, by the weights of its fold."""
    methods = load_methods(folder)
    pages = []
    for source in labelled:
        fold = fold_of(source.site)
        options = Options(
            method=methods[fold],
            page_type_weights=_path_of_types(folder, fold),
        )
        kept = extract_visible(source.page, source.example.url, options).kept
        pages.append(measures_of(source, kept))
    return pages


def measures_of(source: LabelledPage, kept: Flags) -> PageMeasures:
    """How near these blocks come to the gold of their page."""
    text = "\n".join(source.page.block_texts(np.flatnonzero(kept)))
    example = source.example
    return PageMeasures(
        example.dataset,
        example.page_type,
        None if example.text is None else bag_of_words(text, example.text).f1,
        count_snippets(text, example.with_, example.without) if example.text is None else None,
    )


def summary(pages: Sequence[PageMeasures]) -> dict[str, float]:
    """Mean F1 by set, and by type of page where a set has types; snippet F1 where it has those."""
    groups: dict[str, list[Any]] = {}
    for page in pages:
        if page.f1 is None:
            groups.setdefault(f"{page.dataset}, snippet F1", []).append(page.snippets)
            continue
        groups.setdefault(f"{page.dataset}, F1", []).append(page.f1)
        if page.page_type:
            groups.setdefault(f"{page.dataset}, F1, {page.page_type}", []).append(page.f1)
    return {
        f"{name}, folds by site": round(
            pool_counts(values).score.f1 if "snippet" in name else float(np.mean(values)), 4
        )
        for name, values in groups.items()
    }
