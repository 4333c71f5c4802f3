"""From labelled pages to samples."""

from __future__ import annotations

import numpy as np
import pytest
from training import corpus
from training.corpus import samples
from training.reading import labelled_pages

from tamis.labels.datasets import Example

STORY = "The ferry left the harbour at six in the morning"
FOG = "nobody had expected the fog from the hills"


def article(number: int, **more: object) -> Example:
    story = f"Day {number}: {STORY} and {FOG}"
    html = (
        f"<body><nav class=menu><a href=/>Start</a></nav><div class=wrap><article><h1>Fog of day"
        f" {number} again</h1><p>{story}</p><p>{story}</p></article></div><footer>Imprint</footer>"
    )
    text = f"Fog of day {number} again\n{story}\n{story}"
    values = {"text": text, "site": f"site{number}.example", "html": html, **more}
    return Example(id=str(number), dataset="made", **values)  # type: ignore[arg-type]


def test_pages_as_they_are_come_first_and_those_made_over_after_them() -> None:
    labelled = labelled_pages(article(number) for number in range(20))
    made = list(samples(labelled, seed=1))
    assert 5 < len(made) - len(labelled) <= len(labelled)
    for source, sample in zip(labelled, made, strict=False):
        assert sample.site == source.site
        np.testing.assert_array_equal(sample.labels, source.labels)
    sites = {source.site for source in labelled}
    for sample in made[len(labelled) :]:
        assert sample.site in sites
        assert (sample.labels > 0.9).sum() >= 3
        assert len(sample.labels) == len(sample.words) == len(sample.values)


def test_the_same_seed_makes_the_same_samples() -> None:
    labelled = labelled_pages(article(number) for number in range(8))
    once, again, another = (list(samples(labelled, seed)) for seed in (1, 1, 2))
    assert len(once) == len(again)
    for page, same in zip(once, again, strict=True):
        np.testing.assert_array_equal(page.values, same.values)
    assert [page.page.source for page in once] != [page.page.source for page in another]


@pytest.mark.parametrize(
    "more", [{"page_type": "forum"}, {"text": None, "with_": ("harbour",)}, {"text": ""}]
)
def test_only_articles_with_content_are_made_over(
    more: dict[str, object], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(corpus, "_WITH_COMMENTS", 1.0)
    monkeypatch.setattr(corpus, "_MODERN", 1.0)
    labelled = labelled_pages(article(number, **more) for number in range(4))
    assert len(list(samples(labelled))) == len(labelled)


def test_a_page_without_gold_text_has_no_length() -> None:
    (page,) = samples(labelled_pages([article(1, text=None, with_=("harbour",))]))
    assert np.isnan(page.gold_words)
    (page,) = samples(labelled_pages([article(1, page_type="forum")]))
    assert page.gold_words == len((article(1).text or "").split())


def test_modern_pages_have_more_around_the_same_story(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(corpus, "_MODERN", 1.0)
    labelled = labelled_pages(article(number) for number in range(20))
    modern = list(corpus.modern_pages(labelled, corpus.Pieces(labelled)))
    assert len(modern) == len(labelled)
    for source, made in zip(labelled, modern, strict=True):
        assert made.example is source.example
        assert len(made.labels) == len(made.page.blocks) > len(source.page.blocks)
        assert (made.labels > 0.5).sum() == (source.labels > 0.5).sum()


def test_what_is_lent_is_in_the_script_of_the_page() -> None:
    chinese = []
    for number in range(6):
        title, story = (
            f"渡船今天 中午 离开 港口 {number}",
            f"渡船 今天 中午 离开 港口 第 {number} 次",
        )
        html = f"<h1>{title}</h1><p>{story}</p>"
        chinese.append(article(number, html=html, text=f"{title}\n{story}"))
    pieces = corpus.Pieces(labelled_pages([*map(article, range(6)), *chinese]))
    assert all("渡船" in heading for heading, _ in pieces.like("中午").stories)
    assert all("Fog" in heading for heading, _ in pieces.like("noon").stories)
