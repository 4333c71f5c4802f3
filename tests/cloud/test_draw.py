"""The forms of a cloud."""

from __future__ import annotations

import colorsys
import csv
import io
import json
import re
import shutil
import subprocess
import sys
from itertools import combinations
from pathlib import Path
from urllib.parse import unquote
from xml.etree import ElementTree

import pytest
from click.testing import CliRunner
from tests.browser.chromium import find_chromium
from tests.browser.required import missing

import tamis
from tamis.cli import main
from tamis.cloud import fonts, palettes
from tamis.cloud.draw import Cloud, Style, cloud_of, html, links, svg, table
from tamis.cloud.fonts import Font
from tamis.cloud.layout import layout
from tamis.cloud.terms import Term, Text
from tamis.errors import InputError, OutputError

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
    assert f"Roboto, Noto Sans, Noto Sans CJK {face}," in fonts.families(["直角"], language)


def test_kana_make_characters_japanese_where_no_language_is_known() -> None:
    assert "Roboto, Noto Sans, Noto Sans CJK JP," in fonts.families(["直角", "ひらがな"])


def test_several_clouds_stand_side_by_side_under_their_titles() -> None:
    both = svg([CLOUD, Cloud(TERMS[:2], "Other")])
    assert "Boats & <ferries>" in texts(both)
    assert "Other" in texts(both)
    width = int(re.findall(r'width="(\d+)"', both)[0])
    assert width > int(re.findall(r'width="(\d+)"', CLOUD.svg())[0])


def test_nothing_gives_an_empty_picture() -> None:
    assert texts(Cloud(()).svg()) == []
    assert texts(svg([])) == []
    assert "Tag cloud" in Cloud(()).html()
    assert Cloud(()).csv() == "term,weight,count\n"
    assert Cloud(()).to_list() == []


# --- colours ------------------------------------------------------------------------------------


def luminance(colour: str) -> float:
    parts = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    red, green, blue = (
        part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts
    )
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


@pytest.mark.parametrize("dark", [False, True])
@pytest.mark.parametrize("name", palettes.NAMES)
def test_every_colour_can_be_read_on_its_background(name: str, dark: bool) -> None:
    chosen = palettes.palette(name, dark=dark)
    for colour in chosen.colours:
        low, high = sorted((luminance(colour), luminance(chosen.background)))
        assert (high + 0.05) / (low + 0.05) >= 4.5, colour


@pytest.mark.parametrize("dark", [False, True])
@pytest.mark.parametrize("name", palettes.NAMES)
def test_the_heavier_a_term_the_stronger_its_colour_of_one_hue(name: str, dark: bool) -> None:
    chosen = palettes.palette(name, dark=dark)
    steps = [luminance(chosen.of_weight(weight)) for weight in (1.0, 0.5, 0.3, 0.1, 0.0)]
    assert steps == sorted(steps, reverse=dark)
    assert len(set(steps)) > 3
    hues = [
        colorsys.rgb_to_hsv(*(int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)))[0]
        for colour in chosen.colours
    ]
    assert max(hues) - min(hues) < 0.06
    assert Cloud(TERMS).svg(Style(palette=name, dark=dark)).count(chosen.colours[0]) >= 1


def test_a_style_changes_the_picture_and_an_unknown_palette_is_said() -> None:
    assert len({CLOUD.svg(Style(palette=name)) for name in palettes.NAMES}) == len(palettes.NAMES)
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
    assert html([CLOUD, CLOUD]).count("<section>") == 2


# --- links --------------------------------------------------------------------------------------


def test_a_link_leads_to_the_first_whole_occurrence_with_the_words_beside_it() -> None:
    targets = links(
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
    targets = links([Term("หนังสือ", 1, 1), Term("ร้าน", 1, 1)], TEXT, "")
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
    rows = list(csv.reader(io.StringIO(table([CLOUD, CLOUD]))))
    assert rows[0] == ["cloud", "term", "weight", "count"]
    assert len(rows) == 1 + 2 * len(TERMS)


# --- PNG ----------------------------------------------------------------------------------------


def test_a_font_covers_what_it_has_glyphs_for() -> None:
    thai = Font("thai.ttf", 0, (range(0x20, 0x7F), range(0xE01, 0xE5C)))
    assert thai.covers("เรือ boat\u200d\n")
    assert not thai.covers("เรือ 船")


def lists(*fonts_found: str, monkeypatch: pytest.MonkeyPatch) -> None:
    def run(command: list[str], **_: object) -> subprocess.CompletedProcess[bytes]:
        return subprocess.CompletedProcess(command, 0, "".join(fonts_found).encode())

    monkeypatch.setattr(fonts.subprocess, "run", run)


LATIN_FONT = "/f/latin.ttf|0|True|False|20-7e a0-17f\n"
THAI_FONT = "/f/thai.ttf|0|True|False|20 e01-e3a e3f-e5b\n"
BOTH_FONT = "/f/both.ttc|65538|True|False|20-7e e01-e5b\n"
EMOJI_FONT = "/f/emoji.ttf|0|True|True|1f300-1f6ff\n"


def test_the_font_that_covers_most_is_taken(monkeypatch: pytest.MonkeyPatch) -> None:
    lists(LATIN_FONT, THAI_FONT, BOTH_FONT, monkeypatch=monkeypatch)
    both = fonts.find_covering({"เรือ": 2, "boat": 1})
    assert {font.path for font in both.values()} == {"/f/both.ttc"}
    assert both["boat"].index == 2
    assert fonts.find_covering({"boat": 1})["boat"].path == "/f/latin.ttf"


def test_what_a_font_lacks_is_drawn_with_another(monkeypatch: pytest.MonkeyPatch) -> None:
    lists(LATIN_FONT, THAI_FONT, monkeypatch=monkeypatch)
    chosen = fonts.find_covering({"เรือ": 2, "boat": 3, "船": 1})
    assert {text: font.path for text, font in chosen.items()} == {
        "boat": "/f/latin.ttf",
        "เรือ": "/f/thai.ttf",
    }


@pytest.mark.parametrize(
    ("term", "package"),
    [("เรือ", "fonts-tlwg-loma-ttf"), ("图鉴", "fonts-noto-cjk"), ("कथा", "fonts-noto-core")],
)
def test_letters_that_no_font_has_name_the_debian_package(
    term: str, package: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    lists(LATIN_FONT, EMOJI_FONT, monkeypatch=monkeypatch)
    with pytest.raises(OutputError, match=package):
        fonts.find_covering({term: 1.0, "x": 0.1}, "th")


@pytest.fixture
def bare(monkeypatch: pytest.MonkeyPatch) -> None:
    """A machine with Python and its packages alone: no fontconfig, no font, no libfribidi."""
    from PIL import features

    monkeypatch.setenv("PATH", "")
    monkeypatch.setattr(features, "check", lambda feature: feature != "raqm")


@pytest.mark.usefixtures("bare")
def test_a_bare_machine_draws_english() -> None:
    assert ENGLISH.png() == ENGLISH.png() != Cloud(()).png()


@pytest.mark.usefixtures("bare")
def test_a_bare_machine_says_in_one_command_what_thai_needs() -> None:
    with pytest.raises(OutputError, match="apt install fontconfig libfribidi0 fonts-tlwg-loma-ttf"):
        Cloud((Term("เรื่อง", 1.0, 9), *ENGLISH.terms[1:])).png()


@pytest.mark.usefixtures("bare")
def test_a_font_of_ones_own_needs_fontconfig() -> None:
    with pytest.raises(OutputError, match=r"apt install fontconfig$"):
        ENGLISH.png(font="font.ttf")


def test_letters_that_stand_alone_need_no_raqm_and_marks_and_joined_letters_do(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    lists("/f/all.ttf|0|True|False|20-2fa1d\n", monkeypatch=monkeypatch)
    assert set(fonts.find_covering({"café": 1, "Größe": 1, "船": 1, "한글": 1}, shaping=False)) == {
        "café", "Größe", "船", "한글",
    }  # fmt: skip
    for word in ("เรื่อง", "القافلة", "שלום", "कथा", "x\u0323\u0302"):
        assert fonts.find_covering({word: 1})
        with pytest.raises(OutputError, match="libfribidi0"):
            fonts.find_covering({word: 1}, shaping=False)


def test_the_font_of_pillow_has_the_letters_that_we_say() -> None:
    from PIL import ImageFont

    face = ImageFont.load_default(40)
    nothing = bytes(face.getmask("\uffff"))
    for codes in fonts.BUILT_IN.ranges:
        assert all(bytes(face.getmask(chr(code))) != nothing for code in codes)


def test_without_pillow_the_message_names_the_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "PIL.Image", None)
    with pytest.raises(InputError, match=r"pip install 'tamis\[cloud\]'"):
        CLOUD.png()


ENGLISH = Cloud((Term("ferry", 1.0, 9), Term("bell", 0.5, 4)), "Ferry", language="en")


def test_a_png_is_a_picture_and_always_the_same() -> None:
    data = ENGLISH.png()
    assert data.startswith(b"\x89PNG\r\n")
    assert data == ENGLISH.png()
    assert len(data) > len(Cloud(()).png())


def test_terms_that_the_font_lacks_are_left_out_with_a_warning() -> None:
    from tamis.cloud.png import GlyphWarning

    with pytest.warns(GlyphWarning, match="1 terms are not in the picture.*: apt install "):
        Cloud((*ENGLISH.terms, Term("\U000e0100\ue123\u1400\U0001fab7", 0.1, 1))).png()


def test_a_picture_has_the_places_of_the_svg_and_every_term() -> None:
    from PIL import Image

    many = tuple(Term(f"word{number}", 1 / (1 + number), 1) for number in range(150))
    cloud = Cloud(many, "Words", language="en")
    picture = Image.open(io.BytesIO(cloud.png())).convert("L")
    places = layout(many).places
    assert len(places) == len(many)
    for place in places:
        corner = 2 * place.left, 2 * place.top
        box = picture.crop((*corner, corner[0] + 2 * place.width, corner[1] + 2 * place.height))
        darkest, _ = box.getextrema()
        assert darkest < 200, place.text
        edges = [box.crop((x, 0, x + 2, box.height)).getextrema()[0] for x in (0, box.width - 2)]
        assert min(edges) > 250, "a distance to the next word"


def test_clouds_side_by_side_have_their_titles_and_fit_the_window() -> None:
    assert 'style="max-width:100%;height:auto"' in svg([ENGLISH, ENGLISH])
    assert len(ENGLISH.png()) < len(side_by_side([ENGLISH, ENGLISH]))


def side_by_side(clouds: list[Cloud]) -> bytes:
    from tamis.cloud.png import png

    return png(clouds)


def test_a_file_that_is_not_a_font_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    lists(monkeypatch=monkeypatch)  # what fc-query prints of such a file: nothing
    with pytest.raises(OutputError, match="not a font"):
        ENGLISH.png(font="notes.txt")


def test_a_thai_cloud_is_drawn_as_the_guide_says(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from PIL import features

    shaping = features.check("raqm")
    try:
        fonts.find_covering({"เรื่อง": 1.0}, "th", shaping=shaping)
    except OutputError:
        pytest.skip(f"needs a Thai font: {fonts.what_to_install(['เรื่อง'], shaping)}")
    guide = Path(__file__).parents[2] / "docs" / "how-to" / "cloud.md"
    [command] = re.findall(r"^tamis (.*--output cloud.png)$", guide.read_text("utf-8"), re.M)
    shutil.copytree(guide.parents[2] / "examples", tmp_path / "examples")
    monkeypatch.chdir(tmp_path)
    ran = CliRunner().invoke(main, command.split())
    assert (ran.exit_code, ran.stderr) == (0, "")
    assert (tmp_path / "cloud.png").stat().st_size > 10_000


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
