"""Made pages that have nothing to extract."""

from __future__ import annotations

from random import Random

import numpy as np
import pytest
from training import corpus
from training.refusals import refusal

from tamis.page.reader import parse


@pytest.mark.parametrize("seed", range(100))
def test_a_refusal_can_be_read_and_says_something(seed: int) -> None:
    html = refusal(Random(seed))
    page = parse(html)
    assert len(page.nodes) > 3
    assert len(page.source) > 800
    assert len(page.blocks) > 0
    assert page.blocks.words.sum() > 0
    assert "{" not in " ".join(page.block_texts(np.arange(len(page.blocks))))


def test_refusals_differ_by_seed_and_are_the_same_for_one() -> None:
    assert refusal(Random(7)) == refusal(Random(7))
    assert len({refusal(Random(seed)) for seed in range(50)}) > 45


def test_nothing_of_a_refusal_is_content(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(corpus, "_REFUSALS", 20)
    pages = list(corpus.refusals(seed=1))
    assert len(pages) > 15
    for page in pages:
        assert not page.labels.any()
        assert page.gold_words == 0
        assert len(page.labels) == len(page.words) == len(page.values)
    assert len({page.site for page in pages}) == len(pages)
