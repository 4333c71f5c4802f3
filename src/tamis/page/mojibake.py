"""Whether text was decoded by a wrong encoding: what such text has and no language does.

Words of one script, in which no capital follows a small letter and no sign stands between letters,
accents that come singly and characters that are common in their language are signs of text that was
read right.
"""

from __future__ import annotations

import re
from functools import cache

_LETTERS = [chr(code) for code in (*range(0xC0, 0x250), *range(0x370, 0x530))]
_UPPER = "".join(filter(str.isupper, _LETTERS))
_LOWER = "".join(filter(str.islower, _LETTERS))
_OTHER_SCRIPTS = "\u0370-\u052f\u0590-\u06ff\u0e01-\u0e5b\u3040-\u30ff\u4e00-\u9fff\uac00-\ud7a3"
# Characters that nobody writes; where windows-1252 has ¤, other encodings have the euro.
_NEVER = re.compile(r"[\ufffd\x80-\x84\x86-\x9f\ue000-\uf8ff¤]")
# Not the apostrophe, the hyphens, the middle dot of Catalan, quotes and ellipses.
_SIGN = r"[¡-¦¨-ª¬®-¶¸-º¼-¿×÷\u02c6-\u02dd\u2020-\u2022\u2030\u20a0-\u20bf\u2122\u2200-\u259f]"
_ODD = re.compile(
    rf"[A-Za-z{_UPPER}{_LOWER}{_OTHER_SCRIPTS}]{_SIGN}+(?=[A-Za-z{_UPPER}{_LOWER}{_OTHER_SCRIPTS}])"
    rf"|[a-z{_LOWER}][{_UPPER}]|[{_LOWER}][A-Z]"
    rf"|[A-Za-zÀ-ɏ][\u0370-\u052f\u0590-\u06ff]|[\u0370-\u052f\u0590-\u06ff][A-Za-zÀ-ɏ]"
    rf"|[À-ɏ]{{3,}}|{_SIGN}{{2,}}"
)
_HAN = re.compile("[\u3400-\u9fff]")
_HALF_WIDTH = re.compile("[\uff61-\uff9f]")
# Characters that a page may have hundreds of are enough to know.
_ENOUGH = 4000


def measure_oddness(text: str) -> float:
    """The share of characters beyond ASCII that stand as they do in no language, 0 to 1."""
    text = text[:_ENOUGH]
    beyond = sum(character > "\x7f" for character in text)
    if not beyond:
        return 0.0
    odd = len(_NEVER.findall(text)) + len(_HALF_WIDTH.findall(text))
    odd += sum(len(match) for match in _ODD.findall(text))
    odd += sum(not _is_common(character) for character in _HAN.findall(text))
    return min(1.0, odd / beyond)


@cache
def _is_common(character: str) -> bool:
    """Whether a Chinese character is of the first level of a national standard."""
    for codec, last in (("gb2312", 0xD7), ("big5", 0xC6), ("euc_jp", 0xCF), ("euc_kr", 0xC8)):
        try:
            code = character.encode(codec)
        except UnicodeEncodeError:
            continue
        if len(code) == 2 and code[0] <= last:
            return True
    return False
