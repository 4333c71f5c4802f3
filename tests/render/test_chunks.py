"""Chunks: parts of the Markdown that each make sense alone."""

from __future__ import annotations

import re
from itertools import pairwise

import pytest

import tamis
from tamis.render.chunks import estimate

WORDS = "The drum is made of ash, and the mesh of silk is drawn over it while it is wet."
ROWS = "".join(
    f"<tr><td>{size} cm<td>{mesh} per inch<td>{size * 3} euros"
    for size in (20, 25, 30)
    for mesh in (40, 60, 80)
)
CODE = [f"sieve({number}, mesh='silk')  # the drum of number {number}" for number in range(20)]
ARTICLE = f"""<title>Sieves</title><h1>Sieves of the kitchen</h1><p>{WORDS}
<h2>Making <i>one</i></h2><p>{WORDS} {WORDS} {WORDS}<p>{WORDS}
<ol start="3"><li>Soak the silk.<li>Stretch it over the drum.<li>Let it dry for a day.</ol>
<h3>Tools</h3><p>{WORDS}
<h2>Prices</h2><table><tr><th>Size<th>Mesh<th>Price</tr>{ROWS}</table>
<pre><code class="language-py">{chr(10).join(CODE)}</code></pre>"""


def chunks(page: str, max_tokens: int = 512, overlap: int = 0) -> tuple[tamis.Chunk, ...]:
    return tamis.extract(page, method="baseline").chunks(max_tokens, overlap)


def test_all_chunks_together_are_the_markdown() -> None:
    result = tamis.extract(ARTICLE, method="baseline")
    assert "\n\n".join(chunk.text for chunk in result.chunks()) == result.markdown


def test_a_heading_begins_a_chunk_that_has_its_path_of_headings() -> None:
    made = chunks(ARTICLE)
    assert [chunk.headings for chunk in made] == [
        ("Sieves of the kitchen",),
        ("Sieves of the kitchen", "Making one"),
        ("Sieves of the kitchen", "Making one", "Tools"),
        ("Sieves of the kitchen", "Prices"),
    ]
    assert made[1].text.startswith("## Making *one*\n\nThe drum")


def test_headings_without_text_between_them_are_in_one_chunk() -> None:
    made = chunks(f"<h1>Sieves</h1><h2>Silk</h2><p>{WORDS}")
    assert [chunk.headings for chunk in made] == [("Sieves", "Silk")]


@pytest.mark.parametrize("max_tokens", [40, 64, 100])
@pytest.mark.parametrize("overlap", [0, 20])
def test_no_chunk_has_more_tokens_than_asked_for(max_tokens: int, overlap: int) -> None:
    for chunk in chunks(ARTICLE, max_tokens, overlap):
        assert chunk.tokens == estimate(chunk.text) <= max_tokens


def test_a_table_that_is_cut_repeats_its_header_and_no_row_is_cut() -> None:
    tables = [chunk.text for chunk in chunks(ARTICLE, 40) if "| ---" in chunk.text]
    rows = [row for table in tables for row in table.splitlines() if "euros" in row]
    assert len(tables) > 2
    assert all("| Size | Mesh | Price |\n| --- | --- | --- |\n| " in table for table in tables)
    assert len(rows) == len(set(rows)) == 9
    assert all(re.fullmatch(r"\| \d+ cm \| \d+ per inch \| \d+ euros \|", row) for row in rows)


def test_a_cell_that_reaches_into_the_next_chunk_is_in_its_first_row() -> None:
    rows = "".join(f"<tr><td>{name}<td>{WORDS}" for name in ("oak", "beech", "lime"))
    page = (
        f"<table><tr><th>Kind<th>Wood<th>Use<tr><td rowspan=4>drum<td>ash<td>{WORDS}{rows}</table>"
    )
    last = chunks(page, 60)[-1].text
    assert last.splitlines()[0] == "| Kind | Wood | Use |"
    assert last.splitlines()[2].startswith("| drum | beech | The drum")
    assert last.splitlines()[3].startswith("|  | lime | The drum")


def test_a_table_header_is_not_left_alone_at_the_end_of_a_chunk() -> None:
    page = f"<p>{WORDS}<p>{WORDS}<table><tr><th>Size<th>Use<tr><td>20 cm<td>{WORDS} {WORDS}</table>"
    first, second = chunks(page, 60)
    assert "Size" not in first.text
    assert second.text.startswith("| Size | Use |")


def test_a_listing_is_cut_between_lines_and_fenced_again() -> None:
    code = [chunk.text for chunk in chunks(ARTICLE, 60) if "sieve(" in chunk.text]
    lines = [line for text in code for line in text.splitlines() if "sieve" in line]
    assert len(code) > 2
    assert all("```py\nsieve(" in text and text.endswith("\n```") for text in code)
    assert lines == CODE


def test_items_keep_their_numbers() -> None:
    items = [line for chunk in chunks(ARTICLE, 24) for line in chunk.text.splitlines()]
    assert [line for line in items if line[:1].isdigit()] == [
        "3. Soak the silk.",
        "4. Stretch it over the drum.",
        "5. Let it dry for a day.",
    ]


def test_a_long_paragraph_is_cut_at_the_ends_of_sentences() -> None:
    texts = [chunk.text for chunk in chunks(f"<p>{' '.join([WORDS] * 9)}", 64)]
    assert len(texts) > 2
    assert all(text.endswith("while it is wet.") for text in texts)
    assert " ".join(texts) == " ".join([WORDS] * 9)


@pytest.mark.parametrize(
    ("letters", "sentence"),
    [
        ("筛子是用丝绸做成的，木框要在雨季之前弯好。", "。"),
        ("ตะแกรงไหมขึงบนวงไม้ขณะที่ยังเปียกอยู่ ", ""),
        ("решето" * 40 + " ", ""),
    ],
)
def test_text_without_spaces_or_stops_is_cut_too(letters: str, sentence: str) -> None:
    page = f"<p>{letters * 30}"
    made = chunks(page, 50)
    assert all(chunk.tokens <= 50 for chunk in made)
    assert all(chunk.text.endswith(sentence) for chunk in made)
    joined = "".join(chunk.text for chunk in made)
    assert joined.replace(" ", "") == (letters * 30).replace(" ", "")


def test_links_and_marks_survive_the_cut_of_a_paragraph() -> None:
    made = chunks(
        f'<p>{WORDS} <a href="https://ash.example/">{WORDS} {WORDS}</a> <b>{WORDS}</b>', 40
    )
    text = " ".join(chunk.text for chunk in made)
    assert text.count("](https://ash.example/)") == 2
    assert f"**{WORDS}**" in text


def test_chunks_overlap_by_whole_sentences_inside_a_section() -> None:
    sentences = [f"Sentence number {number} is about the drum." for number in range(40)]
    page = "".join(f"<p>{' '.join(sentences[at : at + 4])}" for at in range(0, 40, 4))
    made = chunks(page + f"<h2>Next</h2><p>{WORDS}", 100, 25)
    for before, after in pairwise(made[:-1]):
        repeated = after.text.split("\n\n")[0]
        assert before.text.endswith(repeated)
        assert repeated.startswith("Sentence") and repeated.endswith(".")
        assert estimate(repeated) <= 25
    assert made[-1].text == f"## Next\n\n{WORDS}"


def test_offsets_and_xpath_lead_to_the_source() -> None:
    page = f"<body><div><h2>Silk</h2><p>{WORDS}<p>Wash it.</div><div><h2>Ash</h2><p>Bend it.</div>"
    result = tamis.extract(page, method="baseline")
    first, second = result.chunks()
    source = result.page.source
    assert source[first.start : first.end].decode() == f"Silk</h2><p>{WORDS}<p>Wash it."
    assert source[second.start : second.end] == b"Ash</h2><p>Bend it."
    assert (first.xpath, second.xpath) == ("/html/body/div[1]", "/html/body/div[2]")


def test_the_counter_of_the_caller_counts() -> None:
    result = tamis.extract(ARTICLE, method="baseline")
    made = result.chunks(30, count=lambda text: len(text.split()))
    # A row with its header has more words.
    assert all(chunk.tokens == len(chunk.text.split()) <= 30 for chunk in made)


def test_a_picture_is_with_its_caption() -> None:
    figure = """<figure><img src="https://a.example/drum.jpg" alt="Drum">
        <figcaption>A drum.</figcaption></figure>"""
    made = chunks(f"<p>{WORDS}<p>{WORDS}{figure}<p>{WORDS} {WORDS}", 50)
    assert [chunk.text for chunk in made if "drum.jpg" in chunk.text and "A drum." in chunk.text]


@pytest.mark.parametrize(
    ("max_tokens", "overlap"), [(0, 0), (-5, 0), (2.5, 0), (100, -1), (100, 100), (True, 0)]
)
def test_impossible_sizes_are_refused(max_tokens: int, overlap: int) -> None:
    with pytest.raises(tamis.InputError, match="give"):
        tamis.extract(ARTICLE).chunks(max_tokens, overlap)


def test_a_counter_that_gives_no_number_is_refused() -> None:
    with pytest.raises(tamis.InputError, match="count gave list"):
        tamis.extract(ARTICLE).chunks(count=str.split)


def test_a_page_without_content_has_no_chunks() -> None:
    assert chunks("") == ()


def test_the_deepest_nesting_is_cut_as_well() -> None:
    page = "<blockquote><ul><li>" * 8 + "".join(f"<p>{WORDS}" for _ in range(20))
    made = chunks(page, 64)
    assert sum(chunk.text.count("made of ash") for chunk in made) == 20
    assert all(chunk.tokens <= 64 for chunk in made)
