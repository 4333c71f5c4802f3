"""The forms of a cloud."""

from __future__ import annotations

import colorsys
import csv
import io
import json
import re
import shutil
import subprocess
from itertools import combinations
from pathlib import Path
from urllib.parse import unquote
from xml.etree import ElementTree

import pytest
from tests.browser.chromium import find_chromium
from tests.browser.required import missing

import tamis
from tamis.cloud.draw import (
    PALETTES,
    Cloud,
    Style,
    choose_palette,
    cloud_of,
    draw_html,
    draw_svg,
    link_terms,
    write_csv,
)
from tamis.cloud.layout import list_families
from tamis.cloud.terms import Term, Text
from tamis.errors import InputError

SVG = "{http://www.w3.org/2000/svg}"
TERMS = (
    Term("เรือ", 1.0, 9),
    Term("ferry", 0.8, 7),
    Term("القافلة", 0.5, 4),
    Term("图鉴", 0.4, 3),
    Term("<b>&\"'", 0.2, 1),
)
CLOUD = Cloud(TERMS, "Boats & <ferries>", {"ferry": "https://e.org/#:~:text=ferry"}, "th")
TEXT = "The ferry\nA silent ferry-boat wins, and the ferry\u2019s bell is silent.\nร้านหนังสือ บนดอย"


def texts(picture: str) -> list[str]:
    root = ElementTree.fromstring(picture)
    return ["".join(node.itertext()) for node in root.iter(f"{SVG}text")]


# --- SVG ----------------------------------------------------------------------------------------


def test_an_svg_is_xml_and_its_terms_are_text() -> None:
    root = ElementTree.fromstring(CLOUD.svg())
    drawn = {node.find(f"{SVG}title").tail for node in root.iter(f"{SVG}text")}  # type: ignore[union-attr]
    assert drawn == {term.term for term in TERMS}
    assert root.find(f"{SVG}title").text == "Tag cloud: Boats & <ferries>"  # type: ignore[union-attr]
    assert root.get("aria-label") == "Tag cloud: Boats & <ferries>"


def test_a_tooltip_has_the_count_and_the_share() -> None:
    picture = CLOUD.svg()
    assert "ferry: 7 times, 29.2% of what is shown" in picture
    assert "once, 4.2% of what is shown" in picture


def test_a_term_leads_where_its_link_says_unless_that_is_a_script() -> None:
    assert re.findall(r'href="([^"]*)"', CLOUD.svg()) == ["https://e.org/#:~:text=ferry"]
    for link in ("javascript:alert(1)", "java\nscript:alert(1)", "data:text/html,x", "http://["):
        assert "href" not in Cloud(TERMS, links={"ferry": link}).svg()


def test_right_to_left_terms_say_so() -> None:
    root = ElementTree.fromstring(CLOUD.svg())
    directions = {"".join(n.itertext())[-7:]: n.get("direction") for n in root.iter(f"{SVG}text")}
    assert directions["القافلة"] == "rtl"
    assert list(directions.values()).count("rtl") == 1


def test_the_fonts_are_those_of_the_scripts_that_occur() -> None:
    picture = CLOUD.svg()
    for name in ("Arial", "Noto Sans Thai", "Noto Sans Arabic", "Noto Sans CJK SC", "sans-serif"):
        assert name in picture
    assert "Khmer" not in picture
    assert 'lang="th"' in picture
    assert 'lang="' not in Cloud(TERMS, language='"><script>').svg()


@pytest.mark.parametrize(
    ("language", "face"),
    [("zh", "SC"), ("zh-TW", "TC"), ("zh-Hant", "TC"), ("ja", "JP"), ("ko", "KR"), ("", "SC")],
)
def test_the_language_decides_how_chinese_characters_look(language: str, face: str) -> None:
    assert f"Roboto, Noto Sans, Noto Sans CJK {face}," in list_families(["直角"], language)


def test_kana_make_characters_japanese_where_no_language_is_known() -> None:
    assert "Roboto, Noto Sans, Noto Sans CJK JP," in list_families(["直角", "ひらがな"])


def test_several_clouds_stand_side_by_side_under_their_titles() -> None:
    both = draw_svg([CLOUD, Cloud(TERMS[:2], "Other")])
    assert "Boats & <ferries>" in texts(both)
    assert "Other" in texts(both)
    width = int(re.findall(r'width="(\d+)"', both)[0])
    assert width > int(re.findall(r'width="(\d+)"', CLOUD.svg())[0])


def test_nothing_gives_an_empty_picture() -> None:
    assert texts(Cloud(()).svg()) == []
    assert texts(draw_svg([])) == []
    assert "Tag cloud" in Cloud(()).html()
    assert Cloud(()).csv() == "term,weight,count\n"
    assert Cloud(()).to_list() == []


def test_a_style_changes_the_picture_and_an_unknown_palette_is_said() -> None:
    assert len({CLOUD.svg(Style(palette=name)) for name in PALETTES}) == len(PALETTES)
    assert CLOUD.svg(Style(dark=True)) != CLOUD.svg()
    assert CLOUD.svg(Style(seed=1)) == CLOUD.svg(Style(seed=1)) != CLOUD.svg()
    with pytest.raises(InputError, match="no palette 'mud'; there are: sea"):
        CLOUD.svg(Style(palette="mud"))


# --- HTML ---------------------------------------------------------------------------------------


def test_a_page_needs_nothing_and_runs_nothing() -> None:
    page = CLOUD.html()
    assert "<script" not in page
    assert "default-src 'none'" in page
    assert re.findall(r'(?:src|href)="([^"]*)"', page) == ["https://e.org/#:~:text=ferry"]
    assert "<b>" not in page
    assert "Boats &amp; &lt;ferries&gt;" in page


def test_each_term_of_a_page_can_be_reached_by_the_keyboard_and_tells_its_count() -> None:
    page = CLOUD.html()
    assert page.count('tabindex="0"') + page.count("<a href") == len(TERMS)
    assert page.count('class="caption"') == len(TERMS)
    assert "<td>7</td><td>29.2%</td>" in page


def test_a_page_of_several_clouds_has_a_section_for_each() -> None:
    assert draw_html([CLOUD, CLOUD]).count("<section>") == 2


# --- links --------------------------------------------------------------------------------------


def test_a_link_leads_to_the_first_whole_occurrence_with_the_words_beside_it() -> None:
    targets = link_terms(
        [Term("ferry", 1, 3), Term("Silent", 1, 2), Term("win", 1, 1), Term("no", 1, 1)],
        TEXT,
        "https://e.org/a?b=1#top",
    )
    assert {term: unquote(link) for term, link in targets.items()} == {
        "ferry": "https://e.org/a?b=1#:~:text=The-,ferry",
        "Silent": "https://e.org/a?b=1#:~:text=A-,silent",
        "win": "https://e.org/a?b=1#:~:text=A silent ferry-boat-,win",
    }
    assert "ferry%2Dboat-,win" in targets["win"]


def test_a_term_of_a_script_without_spaces_is_found_inside_of_a_phrase() -> None:
    targets = link_terms([Term("หนังสือ", 1, 1), Term("ร้าน", 1, 1)], TEXT, "")
    assert unquote(targets["หนังสือ"]) == "#:~:text=ร้าน-,หนังสือ"
    assert unquote(targets["ร้าน"]) == "#:~:text=ร้าน,-หนังสือ บนดอย"


def test_a_cloud_of_one_text_has_links_and_one_of_several_has_none() -> None:
    text = Text([(TEXT, 1.0)], "en-GB")
    single = cloud_of([text], title="Ferry", url="https://e.org/")
    assert (single.title, single.language) == ("Ferry", "en-GB")
    assert "ferry" in single.links
    assert not cloud_of([text, text], url="https://e.org/").links
    assert not cloud_of([text]).links


def test_a_cloud_is_in_the_language_that_all_its_texts_share() -> None:
    for tags, common in (
        (["zh-TW", "zh-TW"], "zh-TW"), (["en-GB", "en-US", "en"], "en"), (["de", "en"], ""),
    ):  # fmt: skip
        assert cloud_of([Text([], tag) for tag in tags]).language == common


# --- lists --------------------------------------------------------------------------------------


def test_the_list_is_ready_for_json() -> None:
    assert json.loads(json.dumps(CLOUD.to_list()))[1] == {
        "term": "ferry",
        "weight": 0.8,
        "count": 7,
    }


def test_csv_has_a_row_a_term_and_a_column_more_for_several_clouds() -> None:
    rows = list(csv.reader(io.StringIO(CLOUD.csv())))
    assert rows[0] == ["term", "weight", "count"]
    assert rows[-1] == ["<b>&\"'", "0.2", "1"]
    rows = list(csv.reader(io.StringIO(write_csv([CLOUD, CLOUD]))))
    assert rows[0] == ["cloud", "term", "weight", "count"]
    assert len(rows) == 1 + 2 * len(TERMS)


# --- in a browser -------------------------------------------------------------------------------

LANGUAGES = ("news-th", "news-ar", "news-zh", "blog-ja", "blog-hi", "news-ko", "news-en")
MEASURE = """<script>
const boxes = [...document.querySelectorAll("svg")].map(svg =>
    [...svg.querySelectorAll("text")].map(text => {
        const box = text.getBoundingClientRect();
        return [box.left, box.top, box.right, box.bottom];
    }));
document.body.innerHTML = "<pre>" + JSON.stringify(boxes) + "</pre>";
</script>"""


def has_font(language: str) -> bool:
    """Whether the machine has letters for a language; the boxes for missing ones have any width."""
    if not shutil.which("fc-list"):
        return False
    command = ["fc-list", f":lang={language}", "family"]
    return bool(subprocess.run(command, capture_output=True, check=True).stdout)


def page_terms(name: str) -> Cloud:
    """Pieces of a page as terms, so that no segmenter is needed."""
    source = Path(__file__).parent.parent / "pages" / name / "source.html"
    text = tamis.extract(source.read_bytes()).text
    pieces = dict.fromkeys(piece[:9] for piece in re.findall(r"[^\s.,，。、!?؟:;()«»]{2,}", text))
    return Cloud(
        tuple(Term(piece, 1 / (1 + rank / 8), 1) for rank, piece in enumerate(pieces))[:80],
        name,
        language=name[-2:],
    )


def test_no_box_of_a_term_is_over_another_in_a_browser(tmp_path: Path) -> None:
    if not (chromium := find_chromium()):
        missing("needs Chromium: apt install chromium")
    names = [name for name in LANGUAGES if has_font(name[-2:])]
    if not names:
        missing("needs a font: apt install fontconfig fonts-dejavu-core")
    clouds = [page_terms(name) for name in names]
    document = tmp_path / "clouds.html"
    pictures = "".join(cloud.svg() for cloud in clouds)
    document.write_text(f"<!doctype html><meta charset=utf-8><body>{pictures}{MEASURE}", "utf-8")
    command = [
        *(str(chromium), "--headless", "--no-sandbox", "--disable-gpu", "--dump-dom"),
        *(f"--user-data-dir={tmp_path / 'profile'}", document.as_uri()),
    ]
    shown = subprocess.run(command, capture_output=True, timeout=120, check=True).stdout.decode()
    measured = json.loads(shown.partition("<pre>")[2].partition("</pre>")[0])
    assert [len(boxes) for boxes in measured] == [len(cloud.terms) for cloud in clouds]
    for name, boxes in zip(names, measured, strict=True):
        for first, second in combinations(boxes, 2):
            across = min(first[2], second[2]) - max(first[0], second[0])
            along = min(first[3], second[3]) - max(first[1], second[1])
            assert min(across, along) < 0.5, (name, first, second)


# Colours: all can be read, and the heavier a term the stronger its colour


def luminance(colour: str) -> float:
    parts = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    red, green, blue = (
        part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts
    )
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


@pytest.mark.parametrize("dark", [False, True])
@pytest.mark.parametrize("name", PALETTES)
def test_every_colour_can_be_read_on_its_background(name: str, dark: bool) -> None:
    chosen = choose_palette(name, dark=dark)
    for colour in chosen.colours:
        low, high = sorted((luminance(colour), luminance(chosen.background)))
        assert (high + 0.05) / (low + 0.05) >= 4.5, colour


@pytest.mark.parametrize("dark", [False, True])
@pytest.mark.parametrize("name", PALETTES)
def test_the_heavier_a_term_the_stronger_its_colour_of_one_hue(name: str, dark: bool) -> None:
    chosen = choose_palette(name, dark=dark)
    steps = [luminance(chosen.of_weight(weight)) for weight in (1.0, 0.5, 0.3, 0.1, 0.0)]
    assert steps == sorted(steps, reverse=dark)
    assert len(set(steps)) > 3
    hues = [
        colorsys.rgb_to_hsv(*(int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)))[0]
        for colour in chosen.colours
    ]
    assert max(hues) - min(hues) < 0.06
    picture = Cloud((Term("ferry", 1.0, 7),)).svg(Style(palette=name, dark=dark))
    assert chosen.colours[0] in picture
