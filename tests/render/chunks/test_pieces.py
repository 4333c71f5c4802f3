"""What alone is more than a chunk is cut, and no word of it is lost."""

from __future__ import annotations

import re

import tamis

STORY = "A story of a sieve, and of flour, as told. "


def numbered_words(count: int) -> str:
    return " ".join(f"w{number}" for number in range(count))


def own_words(made: tuple[tamis.Chunk, ...]) -> list[str]:
    return [word for chunk in made for word in re.findall(r"\bw\d+", chunk.text)]


def chunks(page: str, max_tokens: int) -> tuple[tamis.Chunk, ...]:
    return tamis.extract(page, method="baseline").chunks(max_tokens)


def test_a_heading_that_is_more_than_a_chunk_goes_on_as_paragraphs() -> None:
    made = chunks(f"<h2>{numbered_words(100)}</h2><p>{STORY}", 64)
    assert own_words(made) == numbered_words(100).split()
    assert [chunk.text[:4] for chunk in made if chunk.text.startswith("#")] == ["## w"]


def test_a_row_that_is_more_than_a_chunk_becomes_paragraphs_with_its_cells_on_lines() -> None:
    page = f"<table><tr><th>Size<th>Use<tr><td>20 cm<td>{numbered_words(100)}<tr><td>25 cm<td>x"
    made = chunks(page, 64)
    assert own_words(made) == numbered_words(100).split()
    assert "| Size | Use |\n| --- | --- |\n\n20 cm  \nw0 w1 w2" in made[0].text
    assert made[-1].text.endswith("| 25 cm | x |")


def test_a_line_of_code_that_is_more_than_a_chunk_is_cut() -> None:
    made = chunks(f"<pre>{numbered_words(100)}</pre>", 40)
    assert all(re.fullmatch(r"```\n.*\n```", chunk.text) for chunk in made)
    assert "".join(chunk.text[4:-4] for chunk in made).replace(" ", "") == "".join(
        numbered_words(100).split()
    )


def test_a_picture_that_is_more_than_a_chunk_leaves_its_text() -> None:
    page = f"<p>{STORY}<img src=https://a.example/a.jpg alt='{numbered_words(100)}'>"
    made = chunks(page, 64)
    assert own_words(made) == numbered_words(100).split()
    assert "![" not in "".join(chunk.text for chunk in made)


def test_a_link_is_cut_without_an_address_that_would_fill_the_chunks() -> None:
    page = f"<p><a href=https://a.example/{'q' * 300}>{numbered_words(100)}</a>"
    made = chunks(page, 64)
    assert own_words(made) == numbered_words(100).split()
    assert all(len(chunk.text) > 150 for chunk in made[:-1])


def test_a_picture_is_in_the_chunk_of_its_caption() -> None:
    figure = f'<figure><img src="/i.png" alt="A wheel"><figcaption>{STORY}</figcaption></figure>'
    made = chunks(f"<p>{STORY * 5}{figure}", 64)
    assert ["i.png" in chunk.text for chunk in made] == [False, True]
