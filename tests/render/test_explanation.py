"""The HTML view of the reasons: whole, safe and readable without anything else."""

from __future__ import annotations

from itertools import groupby, pairwise

import pytest
from tests.reports import check_elements, check_policy, elements

import tamis

HOSTILE = """<html lang='en"><script>alert(1)</script>'><title></title>
<title>A & B</title><body class="x&quot;><img src=x onerror=alert(1)>">
<p class='&quot;><script>alert(1)</script>'>One &lt;script&gt;alert(1)&lt;/script&gt; of the lines
that a hostile page may have &quot;quoted&quot; in its text, long enough to be kept by any method.
<p>&lt;/details&gt;&lt;img src=x onerror=alert(2)&gt;<style-x onclick=alert(3)>own name</style-x>
<a href="javascript:alert(4)">and a link</a>"""


def view(page: str | bytes, url: str | None = None, **options: str) -> str:
    chosen = tamis.Options(**options)  # type: ignore[arg-type]  # the tests give strings only
    return tamis.extract(page, url=url, options=chosen).explain()


def test_every_block_is_shown_with_its_score_and_why(sources: dict[str, bytes]) -> None:
    result = tamis.extract(sources["news-en"])
    html = result.explain()
    details = [element for element in elements(html) if element.attrs.get("id", "")[:1] == "b"]
    assert [element.attrs["id"] for element in details] == [f"b{n}" for n in range(len(details))]
    assert len(details) == len(result.blocks)
    for element, block, reason in zip(details, result.blocks, result.reasons, strict=True):
        words = " ".join(element.text.split())
        assert " ".join(block.text[:1000].split()) in words
        assert f"{block.score:.2f}" in words
        assert reason.decision in words
        assert all(signal.words in words for signal in reason.signals)
        assert ("kept" in str(element.attrs["class"])) == block.kept


def test_the_reason_is_there_for_the_pointer_too(sources: dict[str, bytes]) -> None:
    result = tamis.extract(sources["news-th"])
    summaries = [e for e in elements(result.explain()) if e.tag == "summary" and "title" in e.attrs]
    assert [e.attrs["title"] for e in summaries] == [reason.text for reason in result.reasons]


@pytest.mark.parametrize("url", [None, 'https://example.org/"><script>alert(1)</script>'])
def test_a_hostile_page_is_text_and_nothing_else(url: str | None) -> None:
    html = view(HOSTILE, url)
    check_elements(html, "a", "b", "li", "nav", "ul")
    assert "alert(1)" in html


def test_nothing_is_loaded_and_no_script_runs(sources: dict[str, bytes]) -> None:
    check_policy(view(sources["news-en"], "https://example.org/"))


def test_each_kind_has_a_switch_and_neighbours_of_a_kind_are_together(
    sources: dict[str, bytes],
) -> None:
    result = tamis.extract(sources["forum-th"])
    html = result.explain()
    for kind in {block.kind for block in result.blocks}:
        assert f'id="k-{kind}" checked' in html
        assert f"#k-{kind}:not(:checked)~main .k-{kind}{{display:none}}" in html
        assert f'<section class="k-{kind}' in html
    kinds = [block.kind for block in result.blocks]
    runs = 1 + sum(kind != following for kind, following in pairwise(kinds))
    assert html.count("<section ") == runs


def test_the_file_opens_at_the_first_kept_block(sources: dict[str, bytes]) -> None:
    result = tamis.extract(sources["news-en"])
    first = next(number for number, block in enumerate(result.blocks) if block.kept)
    html = result.explain()
    assert first > 0
    assert html.count(" autofocus ") == 1
    head, _, _ = html.partition(" autofocus ")
    assert head.rpartition('<details id="')[2].startswith(f'b{first}" class="kept ')


def test_long_runs_of_dropped_blocks_are_folded_and_say_what_they_are(
    sources: dict[str, bytes],
) -> None:
    result = tamis.extract(sources["news-en"])
    folds = [
        element
        for element in elements(result.explain())
        if "fold" in str(element.attrs.get("class", ""))
    ]
    runs = [(kept, len(list(run))) for kept, run in groupby(block.kept for block in result.blocks)]
    lengths = [length for kept, length in runs if not kept and length > 2]
    assert [fold.text.split()[0] for fold in folds] == [str(length) for length in lengths]
    assert " blocks dropped: " in folds[0].text
    assert not any("open" in fold.attrs for fold in folds)
    assert not any('class="kept' in fold.html for fold in folds)


def test_nothing_is_folded_if_nothing_was_kept() -> None:
    html = view("<p>a</p>" * 9, method="boilerpipe")
    assert "Nothing was kept." in html
    assert '"fold' not in html


@pytest.mark.parametrize("count", [1, 150, 151, 4000])
def test_the_map_has_the_whole_page_and_leads_into_it(count: int) -> None:
    html = view("".join(f"<p>The story of the number {n}.</p>" for n in range(count)))
    links = [element for element in elements(html) if element.tag == "a"]
    assert min(count, 75) <= len(links) <= 150
    places = {element.attrs["id"] for element in elements(html) if "id" in element.attrs}
    assert {str(link.attrs["href"])[1:] for link in links} <= places


def test_text_goes_in_its_own_direction(sources: dict[str, bytes]) -> None:
    html = view(sources["news-ar"])
    assert '<main lang="ar' in html
    assert html.count('class="text" dir="auto"') == html.count("<details id=")


def test_methods_without_signals_are_shown_too(sources: dict[str, bytes]) -> None:
    assert "The tree: " in view(sources["news-de"], method="boilerpipe")


@pytest.mark.parametrize("page", ["", "<title>Only a title</title>", "<p>x"])
def test_a_page_with_little_or_nothing_is_shown(page: str) -> None:
    assert "Nothing was kept." in view(page) or "<details" in view(page)


def test_long_pages_and_long_blocks_are_cut(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tamis.render.explanation.MOST_BLOCKS", 3)
    monkeypatch.setattr("tamis.render.explanation.MOST_LETTERS", 20)
    html = view("<p>" + "</p><p>".join(f"{n} abcdefghij klmnopqrst uvwxyz" for n in range(9)))
    assert html.count("<details") == 3
    assert "Only the first 3 blocks are shown." in html
    assert "0 abcdefghij klmnopq…" in html


def test_blocks_are_indented_by_the_elements_around_them() -> None:
    source = (
        "<main><div><h1>One</h1><ul><li>two<li>three</ul><p>four</p></div><p>five</p></main>six"
    )
    indents = [
        list(element.attrs["class"])[-1]
        for element in elements(view(source, method="baseline"))
        if element.attrs.get("id", "")[:1] == "b"
    ]
    assert indents == ["i2", "i3", "i3", "i2", "i1", "i0"]
