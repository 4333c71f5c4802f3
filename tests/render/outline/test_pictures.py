"""Pictures: those that only decorate are left out, and captions stay with the others."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

import tamis
from tamis.render import markdown

Markdown = Callable[..., str]


@pytest.mark.parametrize(
    "attributes",
    [
        'src="/p.gif" width="1" height="1"',
        'src="/p.gif" style="width:1px;height: 1px"',
        'src="/line.png" width="600" height="2"',
        'src="/images/spacer.gif" width="20" height="80"',
        'src="/img/blank.png"',
        'src="/img/placeholder-300x200.png"',
        'src="/1x1.png?id=7"',
        'src="/a.png" role="presentation" alt=""',
        'src="/a.png" aria-hidden="true"',
        'src="/a.png" width="24" height="24" alt=""',
        'src="/a.svg" class="icon icon--share" alt="Share"',
        'src="/a.svg" class="btn__icon" alt="Share"',
        'src="/static/icons/share.svg" alt="Share"',
        'src="/static/arrow.svg"',
        'src="/static/ui-chevron.svg"',
        'src="/hero.jpg" class="hero__blurred"',
        'src="/hero.jpg" width="1200" height="800" style="filter: blur(12px)"',
        'src="/hero.jpg?w=40&amp;blur=200"',
        'src="data:image/gif;base64,R0lGODlhAQABAAAAACw="',
    ],
)
def test_a_picture_that_only_decorates_is_left_out(as_markdown: Markdown, attributes: str) -> None:
    assert as_markdown(f"<p>Before</p><p><img {attributes}></p><p>After</p>") == "Before\n\nAfter"


@pytest.mark.parametrize(
    "attributes",
    [
        'src="/p.jpg" width="640" height="480"',
        'src="/p.jpg" width="570" height="0"',
        'src="/p.jpg" width="100%"',
        'src="/p.jpg" class="lazyload blur-up" alt=""',
        'src="/p.jpg" class="iconic" alt=""',
        'src="/p.jpg" role="presentation" width="1894" height="970"',
        'src="/formula.svg" aria-hidden="true" alt="x squared"',
        'src="/emoji/1f600.png" class="emoji" width="16" height="16" alt="😀"',
        'src="/flag.png" width="23" height="12"',
        'src="/blanket-coverage.png"',
        'src="/carbon-arrow.jpg"',
        'src="/pixel-art-of-the-year.png"',
    ],
)
def test_a_picture_that_shows_something_stays(as_markdown: Markdown, attributes: str) -> None:
    assert "](https://example.org/" in as_markdown(f"<p>A</p><p><img {attributes}></p><p>B</p>")


def test_in_a_figure_names_do_not_count(as_markdown: Markdown) -> None:
    source = "<figure><img src=/icon.svg><figcaption>The icon</figcaption></figure>"
    assert as_markdown(source) == "![](https://example.org/icon.svg)\n\nThe icon"


CAPTIONS = [
    '<figure class="wp-block-image"><img src="/boat.jpg"><figcaption>{}</figcaption></figure>',
    '<div class="wp-caption"><a href="/boat"><img src="/boat.jpg"></a>'
    '<p class="wp-caption-text">{}</p></div>',
    '<div class="media"><div class="media__image"><img src="/boat.jpg"><span>Enlarge</span></div>'
    '<div class="media__caption"><span>{}</span></div></div>',
    '<table class="tr-caption-container"><tr><td><img src="/boat.jpg"></td></tr>'
    '<tr><td class="tr-caption">{}</td></tr></table>',
]
CAPTION = "The ferry at the quay, May 2024"


@pytest.mark.parametrize("figure", CAPTIONS)
@pytest.mark.parametrize("before", ["", "<p>The ferry is new.</p>"])
@pytest.mark.parametrize("after", ["", "<p>It hums.</p>"])
def test_a_caption_stays_with_its_picture(figure: str, before: str, after: str) -> None:
    source = (
        f"<nav>Home</nav><main>{before}{figure.format(CAPTION)}{after}</main><footer>Legal</footer>"
    )
    page = tamis.parse(source)
    dropped = ("Home", "Legal", "Enlarge")
    texts = page.block_texts(np.arange(len(page.blocks)))
    kept = np.array([text not in dropped for text in texts], bool)
    made = markdown.render(page, kept, "https://example.org/", tamis.Options())
    assert f"![](https://example.org/boat.jpg)\n\n{CAPTION}" in made


def test_the_names_in_a_very_long_address_say_nothing(as_markdown: Markdown) -> None:
    for length, is_kept in ((10, False), (1000, True)):
        address = f"/{'a' * length}/icons/share.svg"
        assert ("A sieve" in as_markdown(f'<p>x <img src="{address}" alt="A sieve">')) == is_kept
