"""Several pages as one table."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tamis.model.features import spec
from tamis.model.features.batch import Batch
from tamis.model.features.token_weights import TokenTable
from tamis.page.reader import parse
from tamis.page.table import Page

ODD = [
    "",
    "x",
    "<p>",
    "<div hidden>x</div>",
    "<p>a<table><td>b<ul class='a b'><li id=c>d",
    "<h1>a</h1><h1>b</h1><p>a, b.",
    "<script type=application/ld+json>{</script>",
]


def _tokens(pages: list[Page]) -> TokenTable:
    """A weight for each token of some pages."""
    of_pages = [Batch.from_pages([page]).paths.names.tokens[1] for page in pages]
    tokens = np.unique(np.concatenate([np.zeros(0, np.uint64), *of_pages]))
    weights = np.random.default_rng(1).normal(size=(len(tokens), 2))
    return TokenTable.from_arrays({"token": tokens, "weight": weights.astype(np.float32)})


def _assert_same(pages: list[Page]) -> None:
    tokens = _tokens(pages)
    batch = Batch.from_pages(pages)
    together = spec.make_table(batch, tokens)
    assert len(batch.first_block) == len(pages) + 1
    for page, first, end in zip(pages, batch.first_block, batch.first_block[1:], strict=False):
        alone = spec.make_table(Batch.from_pages([page]), tokens)
        rows = together[first:end]
        different = (rows != alone).any(0) if len(rows) else np.zeros(len(spec.NAMES), bool)
        assert rows.shape == alone.shape
        assert rows.tobytes() == alone.tobytes(), np.array(spec.NAMES)[different]


def test_each_page_has_the_same_features_in_a_batch(sources: dict[str, bytes]) -> None:
    pages = [parse(source) for source in sources.values()]
    _assert_same(pages)
    _assert_same(pages[::-1][:5])


def test_pages_without_blocks_may_be_anywhere_in_a_batch() -> None:
    _assert_same([parse(html) for html in ODD])
    _assert_same([parse(html) for html in reversed(ODD)])
    _assert_same([parse("")])
    _assert_same([parse(""), parse("")])


MARKUP = st.lists(
    st.sampled_from(
        ["<div>", "</div>", "<p class='a b1'>", "<h1>", "<li id=x>", "<a href=x>", "</a>", "one ",
         "two, three. ", "水水", "<div hidden>", "<title>one</title>", "<br><br>", "&amp;", "<td>"]
    )
)  # fmt: skip


@given(st.lists(MARKUP.map("".join), max_size=4))
def test_batches_of_any_pages_are_the_pages(htmls: list[str]) -> None:
    _assert_same([parse(html) for html in htmls])


def test_no_pages_are_a_batch_without_rows() -> None:
    batch = Batch.from_pages([])
    assert spec.make_table(batch, TokenTable.make_empty()).shape == (0, len(spec.NAMES))
    assert batch.first_block.tolist() == [0]


def test_one_page_is_not_copied() -> None:
    page = parse("<p>a")
    batch = Batch.from_pages([page])
    assert batch.nodes is page.nodes and batch.blocks is page.blocks


def test_numbers_of_rows_count_through() -> None:
    pages = [parse("<p>a<p>b"), parse("<p>c")]
    batch = Batch.from_pages(pages)
    assert len(batch) == 3
    assert batch.page.tolist() == [0, 0, 1]
    assert batch.first_block.tolist() == [0, 2, 3]
    first = len(pages[0].nodes)
    assert batch.first_node.tolist() == [0, first, first + len(pages[1].nodes)]
    assert batch.nodes.parent[[0, first]].tolist() == [-1, -1]
    assert batch.nodes.parent[first + 1] == first
    assert batch.blocks.node[2] == first + pages[1].blocks.node[0]


@pytest.mark.parametrize("html", ODD)
def test_pages_are_not_changed(html: str) -> None:
    page = parse(html)
    before = page.nodes.tag.tobytes(), page.blocks.words.tobytes(), page.texts.tags.tobytes()
    spec.make_table(Batch.from_pages([page, page]), TokenTable.make_empty())
    after = page.nodes.tag.tobytes(), page.blocks.words.tobytes(), page.texts.tags.tobytes()
    assert before == after
