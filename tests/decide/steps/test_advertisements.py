"""Labels of advertisements are dropped where they are nothing but that."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import tamis
from tamis.decide.steps import advertisements

SOURCE = Path(__file__).with_name("news_with_ads.html").read_bytes()

IN_MANY_LANGUAGES = """
Advertisement|ADVERTISEMENT|Ad|Ads|Sponsored|Sponsored Links|[Advertisement]|– Advertisement –|* * * AD * * *
Advertisement - story continues below|Continue reading below|Advertisement. Scroll to continue reading.
ADVERTISEMENT / SCROLL TO CONTINUE|Story continues below advertisement|Ads by Google|AdChoices
Anzeige|– ANZEIGE –|Werbung|Publicité|PUBLICITÉ|La suite après la publicité|Publicidad|Anuncio|Publicidade
Continua após a publicidade|Pubblicità|Advertentie|Annonce|Annonse|Annons|Mainos|Auglýsing|Reklama|REKLAMA
Reklam|Hirdetés|Oglas|Publicitate|Διαφήμιση|ΔΙΑΦΗΜΙΣΗ|Реклама|РЕКЛАМА|На правах рекламы|إعلان|תוכן ממומן|פרסומת
विज्ञापन|বিজ্ঞাপন|விளம்பரம்|โฆษณา|- โฆษณา -|Quảng cáo|QUẢNG CÁO|Iklan|广告|廣告|【広告】|スポンサーリンク|광고
"""  # noqa: E501
LABELS = [label for line in IN_MANY_LANGUAGES.strip().splitlines() for label in line.split("|")]

CONTENT = (
    "<h2>Advertisement</h2>",
    "<h3><span>Anzeige</span></h3>",
    "<ul><li>Advertisement</li><li>Coupon</li></ul>",
    "<ul><li><p>Advertisement</p></li><li>Coupon</li></ul>",
    "<table><tr><td>Advertisement</td><td>12</td></tr></table>",
    "<dl><dt>Advertisement</dt><dd>A notice that somebody paid for.</dd></dl>",
    "<pre>Advertisement</pre>",
    '<pre class="ad">Advertisement</pre>',
    "<p><code>Advertisement</code></p>",
    '<p><a href="/wiki/Advertisement">Advertisement</a></p>',
    "<p>Advertisement:</p>",
    "<p>Advertisement #4</p>",
    "<p>Advertisement rates</p>",
    "<p>The ad</p>",
    "<p>Continue reading</p>",
    "<p>Reklamation</p>",
    '<p class="header add">Address</p>',
    '<h2 class="ad-hoc">Advertisement</h2>',
    '<h2 class="ask-ads no-ads">Advertisement</h2>',
    '<h2 class="ad-title">Ad hoc queries</h2>',
    '<p class="wp-block-column-3b96cc-ad">Ad hoc queries</p>',
)

NAMED = (
    '<div class="ad advertisement">Advertisement</div>',
    '<h3 class="ad-header">Advertisement</h3>',
    '<div class="advert"><h5>Advertisement</h5></div>',
    '<table><tr><td class="advertisement">Advertisement</td></tr></table>',
    '<ul><li id="ad-2">Advertisement</li></ul>',
    '<div class="adLabel">Sponsored by Acme</div>',
    '<p class="ad-notice">Advertisement: ten per cent off all kettles</p>',
    '<div id="div-gpt-ad-1234-0"><a href="/x">Advertisement</a></div>',
)


def labels(block: str, title: str = "The ferry", body: str = "<body>") -> list[str]:
    """The labels in a page that keeps everything."""
    story = "<p>The ferry crosses the sound in nine minutes and nobody has missed the diesel."
    page = tamis.parse(f"<title>{title}</title>{body}{story}{block}{story}")
    found = advertisements.find_labels(page, np.ones(len(page.blocks), bool))
    return [] if found is None else page.block_texts(np.flatnonzero(found))


@pytest.mark.parametrize("label", LABELS)
def test_a_label_alone_is_found_in_many_languages(label: str) -> None:
    assert labels(f"<p>{label}</p>") == [label]
    assert labels(f"<div>\n  <span>{label}</span>\n</div>") == [label]


@pytest.mark.parametrize("block", CONTENT)
def test_the_same_word_is_content_elsewhere(block: str) -> None:
    assert labels(block) == []


@pytest.mark.parametrize("block", NAMED)
def test_in_an_element_with_the_name_of_an_ad_slot_it_is_a_label_wherever_it_is(block: str) -> None:
    assert len(labels(block)) == 1


@pytest.mark.parametrize(
    "written", ["&ndash;&nbsp;Anzeige&nbsp;&ndash;", "&#8212; Anzeige", "«Anzeige»"]
)
def test_character_references_and_signs_decorate_a_label(written: str) -> None:
    assert len(labels(f"<p>{written}</p>")) == 1


@pytest.mark.parametrize(
    ("title", "label"),
    [
        ("Advertisement - a dictionary of trade", "Advertisement"),
        ("What is an ad?", "Ad"),
        ("广告的历史", "广告"),
    ],
)
def test_on_a_page_about_advertisements_it_is_content(title: str, label: str) -> None:
    assert labels(f"<p>{label}</p>", title) == []
    assert labels(f"<p>{label}</p>", "Added bread") == [label]


def test_a_name_on_the_page_or_on_the_story_drops_nothing() -> None:
    assert labels("<h2>Advertisement</h2>", body='<body class="ad ads">') == []
    assert labels("<h2>Advertisement</h2>", body='<body><div class="ad-container">') == []
    assert labels("<h2>Advertisement</h2>", body='<body><article class="ad">') == []


def test_a_page_that_is_nothing_but_a_label_keeps_it() -> None:
    page = tamis.parse("<p>Advertisement</p><p>Anzeige</p>")
    assert advertisements.find_labels(page, np.ones(2, bool)) is None


def test_wide_elements_are_not_counted_for_each_of_their_labels() -> None:
    story = "<p>The ferry crosses the sound in nine minutes.</p>"
    page = tamis.parse(f"<div>{story}<div>{'<h2>Advertisement</h2>' * 200}</div></div>")
    around = advertisements._elements_around(page, 5, most_words=10_000)
    assert [page.tag_name(node) for node in around] == ["h2"]


def test_blocks_that_were_not_kept_are_not_looked_at() -> None:
    page = tamis.parse("<p>The ferry crosses the sound.</p><p>Advertisement</p>")
    assert advertisements.find_labels(page, np.array([True, False])) is None


@pytest.mark.parametrize(
    ("name", "is_slot"),
    [
        ("ad", True),
        ("ads", True),
        ("adsbygoogle", True),
        ("dfp-ad", True),
        ("gpt_ad_300x250", True),
        ("AdSlot2", True),
        ("div-gpt-ad-a7f3-x", True),
        ("add", False),
        ("header", False),
        ("head", False),
        ("slot", False),
        ("ad-hoc-queries", False),
        ("has-ads", False),
        ("no-ads", False),
        ("card-content-ads", False),
        ("advertisement-agency", False),
        ("", False),
        ("広告", False),
    ],
)
def test_names_of_ad_slots_are_whole_words(name: str, is_slot: bool) -> None:
    assert advertisements.is_slot_name(name) is is_slot


@pytest.mark.parametrize("focus", ["balanced", "precision", "recall"])
def test_a_story_loses_the_labels_and_keeps_what_it_says_of_advertising(focus: Any) -> None:
    result = tamis.extract(SOURCE, focus=focus)
    lines = result.text.splitlines()
    assert "Advertising" in lines  # the heading
    for label in ("Advertisement", "Sponsored", "Scroll", "SCROLL", "story continues"):
        assert not any(line.strip("–* ").startswith(label) for line in lines)
    assert sum(line.count(".") for line in lines) >= 30


def test_a_cell_of_the_story_is_kept() -> None:
    assert "Advertising" in tamis.extract(SOURCE).markdown.partition("6,000")[0][-20:]


def test_it_is_said_why() -> None:
    result = tamis.extract(SOURCE)
    dropped = [
        result.blocks[block] for block in np.flatnonzero(result.decision.switched["advertisement"])
    ]
    assert {block.text for block in dropped} >= {
        "– Advertisement –",
        "Advertisement - story continues below",
    }
    assert all("nothing but an advertisement's label" in block.reason for block in dropped)
    assert result.decision.chosen.sum() == result.kept.sum() + len(dropped)


def test_a_threshold_is_taken_by_its_word() -> None:
    assert "– Advertisement –" in tamis.extract(SOURCE, threshold=0.5).text


def test_other_methods_are_left_as_published() -> None:
    result = tamis.extract(SOURCE, method="baseline")
    assert "– Advertisement –" in result.text


def test_every_language_has_a_row_and_no_phrase_is_empty() -> None:
    rows = Path(advertisements.__file__).with_name("advertisement_labels.tsv").read_text("utf-8")
    codes = [row.split("\t")[0] for row in rows.splitlines()]
    assert len({*codes}) == len(codes) >= 50
    for row in rows.splitlines():
        _, *columns = row.split("\t")
        assert len(columns) in (1, 2)
        phrases = [phrase for column in columns for phrase in column.split(", ")]
        assert all(map(advertisements.plain_words, phrases))
        assert len({*phrases}) == len(phrases)
