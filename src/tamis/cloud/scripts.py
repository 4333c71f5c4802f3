"""Runs of one script, and what a word is in the scripts that put spaces between them."""

from __future__ import annotations

import re
from unicodedata import category

SPACELESS = {
    "Thai": "\u0e01-\u0e3a\u0e40-\u0e4e",
    "Lao": "\u0e81-\u0ebd\u0ec0-\u0ece\u0edc-\u0edf",
    "Burmese": "\u1000-\u103f\u1050-\u108f\uaa60-\uaa7f",
    "Khmer": "\u1780-\u17d3\u17d7\u17dc\u17dd",
    "Chinese": "\u3005-\u3007\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff",
    "Japanese": "\u3041-\u3096\u3099\u309a\u309d-\u309f\u30a1-\u30fa\u30fc-\u30ff\u31f0-\u31ff"
    "\uff66-\uff9f",
}
"""Letters and combining marks of the scripts without spaces, not digits and punctuation.
Japanese has only the kana: its other characters are those of Chinese."""

KANA = re.compile(f"[{SPACELESS['Japanese']}]")
HAN = re.compile(f"[{SPACELESS['Chinese']}]")
HANGUL = re.compile("[\uac00-\ud7a3]")

# An endless run is not text; the limit keeps small what a segmenter holds at once.
_LONGEST_RUN = 2_000
_ALONE = [SPACELESS[name] for name in ("Thai", "Lao", "Burmese", "Khmer")]
_TOGETHER = SPACELESS["Chinese"] + SPACELESS["Japanese"]
_RUNS = [f"[{letters}]{{1,{_LONGEST_RUN}}}" for letters in (*_ALONE, _TOGETHER)]
RUN = re.compile(f"({'|'.join(_RUNS)})")
"""A run of a script without spaces; the runs are the odd parts of `RUN.split`."""
UNSPACED = re.compile(f"[{''.join(SPACELESS.values())}]")
"""One letter of those scripts: the search for it is five times faster than for a run."""

# Beyond the Basic Multilingual Plane marks are rare, and would make the patterns four times slower.
_WITH_MARKS = ((0x300, 0x3400), (0xA480, 0xAC00), (0xFB00, 0xFE30))
MARKS = "".join(
    chr(number)
    for first, end in _WITH_MARKS
    for number in range(first, end)
    if category(chr(number))[0] == "M"
)
"""Combining marks, which `\\w` of `re` leaves out: a Hindi word would fall to pieces."""

_INSIDE = rf"\w{MARKS}\u200c\u200d"  # with the joiners of Persian and of the Indian scripts
_LINKS = "'’ʼ\\-‐‑·־׳״"
# Underscores may be inside a word, not at its ends.
_PART = rf"[^\W_][{_INSIDE}]*(?<!_)"
# The dots of abbreviations such as U.S., of Booking.com and of Node.js; others end a sentence.
_DOTTED = r"(?<!\w\w)\.[^\W\d_](?!\w)(?:\.(?!\w))?|\.(?:com|org|net|js)\b"
WORD = re.compile(rf"{_PART}(?:[{_LINKS}]{_PART}|{_DOTTED})*")
"""A word with the apostrophes, hyphens and dots inside it."""

BREAK = re.compile(rf"(?:[^{_INSIDE}{_LINKS}. \t\xa0]|(?<!\.\w)\.(?!\w)|\s[-'’]\s)+")
"""What separates phrases: two words on its two sides are not neighbours."""

CLUSTER = re.compile(
    rf"[เ-ไເ-ໄ]?(?:[\u1780-\u17b3]\u17d2)?.(?:[{MARKS}ะาำๅๆະາຳ]|[\u17d2\u1039].)*", re.DOTALL
)
"""A letter of a script without spaces with the vowels and marks that cannot stand apart from it."""
