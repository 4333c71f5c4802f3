"""Whatever the input, the table is sound and no word is lost."""

from __future__ import annotations

import dataclasses
import random
from collections.abc import Callable
from contextlib import suppress

import numpy as np
import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

import tamis
from tamis.page import tags
from tests.page.invariants import check_table

BASELINE = tamis.Options(method="baseline")

PIECES = (
    "<!--", "-->", "--!>", "<!-->", "<![CDATA[", "]]>", "<!doctype html>", "<?x?>", "</", "<", ">",
    "/>", "=", "'", '"', "&", "&amp;", "&copy", "&#x41;", "&#128;", "&#xD800;", ";", "\0", " ",
    "\n", "\r\n", "\t", "\xa0", "\u200b", "a", "Word", "two words, ", "12", "...", "สวัสดี", "今天",
    "한국어", "مرحبا", "😀", "𠀀", "\ufffd", "x" * 90, "<a href=x>", "<a href=y/>", "<div hidden>",
    "<p class='a b' id=c>", "<span style='display:none'>", "<div role=main aria-hidden=true>",
    "<dialog open>", "<x-y>", "</x-y>", "<br/>", "<svg/>", "<fo>",
    *(f"<{name}>" for name in tags.NAMES[1:]),
    *(f"</{name}>" for name in tags.NAMES[1:]),
)  # fmt: skip

soups = st.lists(st.sampled_from(PIECES), max_size=60).map("".join)


@given(st.text())
def test_any_text_gives_a_sound_table_or_is_an_address(html: str) -> None:
    check_table(tamis.parse("<p>" + html))
    with suppress(tamis.InputError):
        check_table(tamis.parse(html))


@given(st.binary())
def test_any_bytes_give_a_sound_table_or_are_no_page(html: bytes) -> None:
    check_table(tamis.parse(b"<p>" + html))
    with suppress(tamis.NotHtmlError):
        check_table(tamis.parse(html))


@given(st.binary())
def test_bytes_that_claim_to_be_utf8_give_a_sound_table(html: bytes) -> None:
    page = tamis.parse(b"<p>" + html, content_type="text/html; charset=utf-8")
    check_table(page)
    page.node_text(0)


@given(soups)
@settings(max_examples=500, deadline=None)
def test_any_soup_of_tags_gives_a_sound_table(html: str) -> None:
    page = tamis.parse(html)
    check_table(page)
    for node in range(len(page.nodes)):
        page.attributes(node)
        page.content(node)
        page.xpath(node)
        page.node_text(node)
    tamis.extract(page).to_dict()


@given(soups)
@settings(deadline=None)
def test_reading_twice_gives_the_same_table(html: str) -> None:
    # Bytes with NUL in them may be a binary file, or UTF-16 whatever the header says; text is text.
    assume("\0" not in html)
    decoded, encoded = (
        tamis.parse(html),
        tamis.parse(html.encode(), content_type="a; charset=utf-8"),
    )
    for columns, same_columns in (
        (decoded.nodes, encoded.nodes),
        (decoded.texts, encoded.texts),
        (decoded.blocks, encoded.blocks),
    ):
        for field in dataclasses.fields(columns):
            np.testing.assert_array_equal(
                getattr(columns, field.name), getattr(same_columns, field.name)
            )
    assert decoded.own_names == encoded.own_names


# Well-formed pages

words = st.text(
    st.sampled_from("abcDEF 12.,-'  \n\tกขค今天한국مرéß&<"), min_size=1, max_size=12
).map(lambda text: text.replace("&", "&amp;").replace("<", "&lt;"))
links = words.map(lambda text: f"<a href=x>{text}</a>")
breaks = st.sampled_from(["<br>", "<br/>", "<img alt=no>", "<!-- no -->", "<script>no</script>"])
CONTAINERS = (
    "<b>|</b>", "<span>|</span>", "<i class=a>|</i>", "<em>|</em>", "<x-y>|</x-y>", "<del>|</del>",
    "<div>|</div>", "<section>|</section>", "<blockquote>|</blockquote>", "<ul><li>|</li></ul>",
    "<table><tr><td>|</td></tr></table>", "<article>|</article>", "<dl><dt>a</dt><dd>|</dd></dl>",
    "<section hidden>|</section>", "<div style='display: none'>|</div>", "<template>|</template>",
    "<figure>|</figure>", "<dialog>|</dialog>", "<div aria-hidden=true>|</div>", "<main>|</main>",
)  # fmt: skip


def _inside(children: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    containers = st.sampled_from([container.split("|") for container in CONTAINERS])
    return st.tuples(containers, st.lists(children, max_size=4)).map(
        lambda pair: "".join(pair[1]).join(pair[0])
    )


well_formed = st.lists(
    st.recursive(words | links | breaks, _inside, max_leaves=20), max_size=5
).map("".join)


@given(well_formed)
@settings(
    max_examples=500, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
def test_no_visible_word_is_lost_doubled_or_glued(
    words_seen: Callable[[str], list[str]], content: str
) -> None:
    html = f"<!doctype html><body>{content}</body>"
    check_table(tamis.parse(html))
    assert tamis.extract(html, options=BASELINE).text.split() == words_seen(html)


# Damaged pages


def _mutated(source: bytes, chance: random.Random) -> bytes:
    begin = chance.randrange(len(source))
    piece = bytearray(source[begin : begin + chance.randrange(1, 6000)])
    for _ in range(chance.randrange(1, 12)):
        place = chance.randrange(len(piece) + 1)
        match chance.randrange(4):
            case 0:
                piece[place : place + 1] = bytes((chance.randrange(256),))
            case 1:
                del piece[place : place + chance.randrange(1, 40)]
            case 2:
                piece[place:place] = chance.choice(PIECES).encode()
            case 3:
                start = chance.randrange(len(source))
                piece[place:place] = source[start : start + chance.randrange(1, 200)]
    return bytes(piece)


@pytest.mark.parametrize("seed", range(20))
def test_damaged_pages_give_a_sound_table_or_a_tamis_error(
    sources: dict[str, bytes], seed: int
) -> None:
    chance = random.Random(seed)
    options = tamis.Options(max_depth=200, max_nodes=2000)
    pages = list(sources.values())
    for _ in range(100):
        try:
            result = tamis.extract(_mutated(chance.choice(pages), chance), options=options)
        except tamis.TamisError:
            continue
        check_table(result.page)
        result.to_dict()
