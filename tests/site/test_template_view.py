"""The HTML view of a site model: whole, safe and readable without anything else."""

from __future__ import annotations

import pytest

from tamis.site.model import Site
from tamis.site.template_view import group_by_template, render_templates
from tests.reports import check_elements, check_policy, elements

FOOTER = "© {n} Le Courrier de la vallée, tous droits réservés"


def article(number: int, menu: str = "Accueil", url: str | None = None) -> tuple[str, str | None]:
    words = " ".join(f"mot{number}x{place}" for place in range(40))
    html = f"""<nav class="m"><a href="/">{menu}</a> <a href="/s">Sport</a></nav>
    <article class="a"><h1>Titre {chr(65 + number)}</h1><p>{words}</p></article>
    <footer class="f"><p>{FOOTER.format(n=2000 + number)}</p></footer>"""
    if number % 2:
        html += "<aside class='l'><p>Notre lettre du vendredi, gratuite</p></aside>"
    return html, url or f"https://example.org/{number}"


@pytest.fixture(scope="module")
def site() -> Site:
    return Site().fit(map(article, range(6)))


def test_every_block_of_the_template_is_shown_with_its_share_and_a_page(site: Site) -> None:
    rows = [e.text for e in elements(render_templates(site, "example.org")) if e.tag == "details"]
    assert len(rows) == len(site.template_blocks) > 2
    for row, block in zip(rows, site.template_blocks, strict=True):
        assert block.text in row
        assert f"{block.share:.0%}" in row
        assert f"On {block.pages} of 6 pages." in row
        assert block.example is not None
        assert block.example in row


def test_blocks_can_be_switched_by_how_often_they_are_there(site: Site) -> None:
    html = render_templates(site, "example.org")
    for name in ("k-every", "k-most"):
        assert f'id="{name}" checked' in html
        assert f"#{name}:not(:checked)~main .{name}{{display:none}}" in html
    assert 'id="k-some"' not in html


def test_templates_come_apart_the_largest_first() -> None:
    wiki = [
        f"<table id=w><tr><td class=c>Sommaire du wiki</td><td class=d>{n} {n}x</td></tr></table>"
        for n in "abcdefgh"
    ]
    site = Site().fit([*map(article, range(3)), *wiki])
    assert [pages for pages, _ in group_by_template(site)] == [8, 3]
    html = render_templates(site, "example.org")
    assert html.index("Template 1 · 8 pages") < html.index("Template 2 · 3 pages")
    assert 'id="k-t1" checked' in html


def test_a_hostile_site_is_text_and_nothing_else() -> None:
    evil = "&lt;/details&gt;&lt;script&gt;alert(1)&lt;/script&gt;&lt;img src=x onerror=alert(2)&gt;"
    address = 'https://example.org/"><script>alert(3)</script>'
    site = Site().fit(article(number, evil, address) for number in range(3))
    html = render_templates(site, '"><script>alert(4)</script>')
    check_elements(html)
    for number in range(1, 5):
        assert f"alert({number})" in html


def test_nothing_is_loaded_and_no_script_runs(site: Site) -> None:
    check_policy(render_templates(site, "example.org"))


@pytest.mark.parametrize("pages", [0, 1])
def test_a_model_of_too_few_pages_says_so(pages: int) -> None:
    html = render_templates(Site().fit(map(article, range(pages))), "example.org")
    assert "No block repeats" in html
    assert "<details" not in html
