"""The words of each language that carry no subject; the lists are short on purpose."""

from __future__ import annotations

from pathlib import Path

STOP_WORDS: dict[str, list[str]] = {
    language: words.split()
    for language, words in (
        line.split("\t")
        for line in Path(__file__).with_name("stop_words.tsv").read_text("utf-8").splitlines()
    )
}
"""By the code of the language."""
