# cython: annotation_typing=False, wraparound=True
"""The inside of a paragraph in Markdown: text that means itself, and marks around it.

Marks are written only where CommonMark reads them as marks: a delimiter that could not open or
close where it would stand (`**(a)**b`) is left out, together with its partner.
"""

from __future__ import annotations

import heapq
import re
import unicodedata
from collections.abc import Callable
from typing import TypeAlias

from tamis import limits
from tamis.render.formulas import Formula
from tamis.render.outline import Mark, Marks, Span
from tamis.render.pictures import Image

# The first finds them fast, the second says which of them would be read as markup.
_CANDIDATE = re.compile(r"[\\`*\[<&_~]")
_IS_CANDIDATE = bytes(chr(code) in "\\`*[]<&_~$" for code in range(0x80))
_SPECIAL = re.compile(
    r"[\\`*\[]"
    r"|<(?=[A-Za-z/!?]|$)"
    r"|&(?=#?\w+;|#?$)"
    r"|(?<![^\W_])_|_(?![^\W_])"
    r"|(?<=\S)~|~(?=~|$)"
)
_LINE_START = re.compile(
    r"^(?:#{1,6}(?=\s|$)|>|[+-](?=\s|$)|[-=:| ]+$|--|~~~|(\d{1,9})(?=[.)](?:\s|$)))", re.MULTILINE
)
# TeX that scripts of the page would draw: between \( and \), \[ and \], dollars.
_TEX = re.compile(
    r"\\\((?P<a>(?:[^$\n\\]|\\(?![()]))+)\\\)"
    r"|\\\[(?P<b>(?:[^$\n\\]|\\(?![\[\]]))+)\\\]"
    r"|\$\$(?P<c>[^$\n]+)\$\$"
    r"|(?<![\w$\\])\$(?P<d>[^\s$](?:[^$\n]*[^\s$\\])?)\$(?![\w$])"
)
_TAG = re.compile(r"<(?=[A-Za-z/!?])")
_LOOKS_LIKE_TEX = re.compile(r"[\\^_{}=<>]|^\d*[A-Za-z]'?$")
# What a text with TeX between dollars has; prices have it seldom.
_MAY_HAVE_TEX = re.compile(r"[\\^_{}=<>]|\$\$|\$\d*[A-Za-z]'?\$")
_DELIMITERS = {"strong": "**", "emphasis": "*", "deleted": "~~"}
_TAGS = {"sub", "sup"}
_WITHOUT_TEXT = frozenset(("note", "label", "back"))
_TASKS = {"done": "[x] ", "open": "[ ] "}
_ALT_ESCAPES = str.maketrans({sign: "\\" + sign for sign in "\\[]`<&*_"})
BACKTICKS = re.compile(r"`+")
_Replacement: TypeAlias = Callable[[re.Match[str]], str]
# Spans and delimiters after which the limits are checked.
_OFTEN = 1000
# Characters of a text from which on they are checked inside it.
_LONG = 20_000


def inline(spans: list[Span], line_break: str) -> str:
    """Spans as Markdown."""
    if len(spans) == 1:
        _, content, marks = spans[0]
        if isinstance(content, str):
            text = content.strip()
            text = _whole(text, _effective(marks)) if marks else escaped(text, False)
            return started(text.replace("\n", line_break) if "\n" in text else text)
    return _Inline(line_break).of(spans)


def _whole(text: str, marks: Marks) -> str:
    """A leaf that is one text. At its ends every delimiter works."""
    if not text or not marks:
        return escaped(text, False)
    name = marks[-1][0]
    if name in ("label", "back", *_TASKS):
        return ""
    if name == "note":
        text = ""
    elif name == "code":
        text = code_span(" ".join(text.split()))
    else:
        text = escaped(text, _in_link(marks))
    for mark in reversed(marks):
        before, after = _signs(mark)
        text = f"{before}{text}{after}"
    return text


def _signs(mark: Mark) -> tuple[str, str]:
    """What stands before and after the text that has a mark, apart from code."""
    name, value = mark
    if name in _DELIMITERS:
        return _DELIMITERS[name], _DELIMITERS[name]
    if name == "link":
        return "[", f"]({value})"
    if name == "note":
        return f"[^{value.label}]", ""
    return (f"<{name}>", f"</{name}>") if name in _TAGS else ("", "")


def _in_link(marks: Marks) -> bool:
    for mark in marks:
        if mark[0] == "link":
            break
    else:
        return False
    return True


def _may_be_special(text: str) -> bool:
    # Compiled, a loop takes a tenth of the time of `any`.
    for character in text:
        if character < "\x7f" and _IS_CANDIDATE[ord(character)]:
            break
    else:
        return False
    return True


# A pair of brackets with none inside, and a single one.
_BRACKETS = re.compile(r"\[[^\[\]]*\]")
_BRACKET = re.compile(r"[\[\]]")


def escaped(text: str, in_link: bool) -> str:
    """Text that means itself, but for formulas in TeX."""
    if not _may_be_special(text):
        return text
    if (text.count("$") > 1 and _MAY_HAVE_TEX.search(text)) or "\\(" in text or "\\[" in text:
        pieces, end = [], 0
        for match in limits.checked(_TEX.finditer(text)):
            tex = match["a"] or match["b"] or match["c"] or match["d"]
            if match["d"] and not _LOOKS_LIKE_TEX.search(tex):
                continue
            if "`" in tex:
                continue  # with a backtick after the formula it would be code
            if in_link and _BRACKET.search(_BRACKETS.sub("", tex)):
                continue  # it would end the text of the link
            pieces += [_without_markup(text[end : match.start()], in_link), f"${safe_tex(tex)}$"]
            end = match.end()
        return "".join((*pieces, _without_markup(text[end:], in_link)))
    return _without_markup(text, in_link)


def _without_markup(text: str, in_link: bool) -> str:
    text = _replaced(_CANDIDATE, _backslashed_if_special, text)
    if text.count("$") > 1:
        text = text.replace("$", "\\$")
    return text.replace("]", "\\]") if in_link else text


def _backslashed_if_special(match: re.Match[str]) -> str:
    return "\\" + match[0] if _SPECIAL.match(match.string, match.start()) else match[0]


def _replaced(pattern: re.Pattern[str], replacement: _Replacement, text: str) -> str:
    """As `re.sub`, which knows no deadline: in a long text one match after the other."""
    if len(text) < _LONG:
        return pattern.sub(replacement, text)
    pieces: list[str] = []
    end = 0
    for match in limits.checked(pattern.finditer(text)):
        pieces += (text[end : match.start()], replacement(match))
        end = match.end()
    return "".join((*pieces, text[end:]))


def started(text: str) -> str:
    """Text whose lines do not begin like a heading, a list, a rule ..."""
    if "\n" in text:
        return _replaced(_LINE_START, _kept_plain, text)
    if text and text[0] in "#>+-=:| ~0123456789":
        match = _LINE_START.match(text)
        return _kept_plain(match) + text[match.end() :] if match else text
    return text


def _kept_plain(match: re.Match[str]) -> str:
    return f"{match[1]}\\" if match[1] else "\\" + match[0]


def code_span(text: str) -> str:
    """Code between as many backticks as it needs."""
    if "`" not in text:
        return f"`{text}`"
    runs = set(map(len, BACKTICKS.findall(text)))
    length = 1
    while length in runs:
        length += 1
    padding = " " if text[:1] == "`" or text[-1:] == "`" else ""
    return f"{'`' * length}{padding}{text}{padding}{'`' * length}"


def safe_tex(tex: str) -> str:
    """TeX on one line, in which a parser without formulas finds no tags."""
    return _TAG.sub("< ", " ".join(tex.split()))


def _atom(content: Image | Formula) -> str:
    if isinstance(content, Formula):
        return f"${safe_tex(content.tex)}$"
    return f"![{_alt(content.alt)}]({content.src})"


def _alt(text: str) -> str:
    """What an image shows. Most has nothing to escape, and `translate` takes long to see that."""
    for character in text:
        if character in "\\[]`<&*_":
            return text.translate(_ALT_ESCAPES)
    return text


def _effective(marks: Marks) -> Marks:
    """The marks that Markdown has, each once; inside code and references none counts."""
    if not marks or (len(marks) == 1 and marks[0][0] not in ("highlight", "quotation")):
        return marks
    effective: list[Mark] = []
    names = set()
    for mark in marks:
        name = mark[0]
        if name in names or name in ("highlight", "quotation"):
            continue
        names.add(name)
        effective.append(mark)
        if name in ("code", "note", "label", "back"):
            break
    if effective and effective[-1][0] in ("note", "label", "back"):
        return tuple([mark for mark in effective if mark[0] not in _TAGS])
    return tuple(effective)


class _Inline:
    """The content of one leaf, as strings; delimiters are strings of their own until resolved."""

    def __init__(self, line_break: str) -> None:
        self.line_break = line_break
        self.out: list[str] = []
        self.open: list[tuple[Mark, int]] = []
        self.code: list[str] = []  # pieces of the open code
        # Places in `out` of the delimiters that begin something and of those that end it.
        self.delimiters: dict[int, int] = {}
        self.white = ""

    def of(self, spans: list[Span]) -> str:
        """The whole content."""
        for place, (separator, content, marks) in enumerate(spans):
            if place % _OFTEN == _OFTEN - 1:
                limits.check()
            self._add_white(separator)
            marks = _effective(marks)
            last = marks[-1][0] if marks else ""
            if last in _WITHOUT_TEXT:
                self._without_text(marks, last)
            elif last in _TASKS:
                self.out.append(_TASKS[last])
            elif isinstance(content, str):
                self._text(content, marks, last == "code")
            elif last != "code":
                self._move(marks)
                self.out.append(_atom(content))
        self._close(0)
        if self.delimiters:
            self._resolve()
        return started("".join(self.out).strip())

    def _without_text(self, marks: Marks, last: str) -> None:
        """A reference to a footnote; or nothing, for what only leads back, and labels."""
        if last == "note" and not (self.open and self.open[-1][0] == marks[-1]):
            self._move(marks)
        else:  # one reference, however many texts it has
            self.white = ""

    def _text(self, content: str, marks: Marks, code: bool) -> None:
        text = content
        lead = after = ""
        if not content or content[0].isspace() or content[-1].isspace():
            text = content.lstrip()
            if not text:
                self._add_white(content)
                return
            lead = content[: len(content) - len(text)]
            after = text[len(text.rstrip()) :]
            text = text[: len(text) - len(after)]
        if code and "\n" in text:
            text = text.replace("\n", " ")
        self._add_white(lead)
        same_code = code and len(self.open) == len(marks) and self.open[-1][0] == marks[-1]
        if same_code and self._same(marks) == len(marks):
            self.code += (" " if self.white else "", text)
        else:
            self._move(marks)
            if code:
                self.code = [text]
            else:
                text = escaped(text, _in_link(marks))
                if self.out and text[0] in "(:" and self.out[-1].startswith("[^"):
                    text = "\\" + text
                self.out.append(text.replace("\n", self.line_break) if "\n" in text else text)
        self.white = after
        if len(after) > 1:
            self.white = "\n" if "\n" in after else " "

    def _add_white(self, white: str) -> None:
        """White space before the next content: among several characters a line break wins."""
        if white:
            self.white += white
            if len(self.white) > 1:
                self.white = "\n" if "\n" in self.white else " "

    def _move(self, marks: Marks) -> None:
        """Close and open marks so that these hold, white space outside of them."""
        same = self._same(marks) if self.open else 0
        self._close(same)
        if self.white:
            self.out.append(self.line_break if "\n" in self.white else self.white)
            self.white = ""
        for place in range(same, len(marks)):
            self._open(marks[place])

    def _same(self, marks: Marks) -> int:
        """How many of the open marks are the first of these."""
        same = 0
        while same < len(marks) and same < len(self.open) and self.open[same][0] == marks[same]:
            same += 1
        return same

    def _open(self, mark: Mark) -> None:
        self.open.append((mark, len(self.out)))
        if mark[0] in ("link", "note") and self.out and self.out[-1].endswith("!"):
            self.out[-1] = self.out[-1][:-1] + "\\!"
        before, _ = _signs(mark)
        if before:
            self.out.append(before)

    def _close(self, keep: int) -> None:
        while len(self.open) > keep:
            mark, place = self.open.pop()
            if mark[0] in _DELIMITERS:
                self.delimiters[place] = len(self.out)
            _, after = _signs(mark) if mark[0] != "code" else ("", code_span("".join(self.code)))
            if after:
                self.out.append(after)

    def _resolve(self) -> None:
        """Leave out the delimiters that would not be read as what they are.

        Round by round, from the first to the last; a later round looks only at those that lost a
        delimiter beside them since they were looked at.
        """
        opening = self.delimiters
        closing = {end: start for start, end in opening.items()}
        if len(opening) < _OFTEN and self._all_work(closing):
            return
        order = list(opening)
        places = {start: number for number, start in enumerate(order)}
        waiting = [(0, number) for number in range(len(order))]
        steps = 0
        while waiting:
            steps += 1
            if steps % _OFTEN == 0:
                limits.check()
            turn, number = heapq.heappop(waiting)
            start = order[number]
            end = opening.get(start, -1)
            if end < 0 or (self._works(start, 1, closing) and self._works(end, -1, opening)):
                continue
            self.out[start] = self.out[end] = ""
            del opening[start], closing[end]
            for beside in (*self._beside(start, closing), *self._beside(end, closing)):
                if places[beside] <= number:
                    heapq.heappush(waiting, (turn + 1, places[beside]))
                elif turn:
                    heapq.heappush(waiting, (turn, places[beside]))

    def _all_work(self, closing: dict[int, int]) -> bool:
        """Whether every delimiter is read as what it is, as in most texts."""
        for start, end in self.delimiters.items():
            if not self._works(start, 1, closing) or not self._works(end, -1, self.delimiters):
                return False
        return True

    def _beside(self, place: int, closing: dict[int, int]) -> list[int]:
        """Where the delimiters begin that stand next to a place, or whose partner does."""
        opening = self.delimiters
        beside = []
        for step in (-1, 1):
            near = place + step
            while near in opening or near in closing or self.out[near : near + 1] == [""]:
                if near in opening or near in closing:
                    beside.append(near if near in opening else closing[near])
                near += step
        return beside

    def _works(self, place: int, inward: int, opposite: dict[int, int]) -> bool:
        """Whether the delimiter at a place begins emphasis (`inward` 1) or ends it (-1).

        CommonMark calls it "left-flanking" and "right-flanking".
        """
        sign = self.out[place][0]
        inside, _ = self._neighbour(place, inward, sign)
        outside, last = self._neighbour(place, -inward, sign)
        if last in opposite or not inside or inside.isspace():
            return False
        if not _is_punctuation(inside) or not outside:
            return True
        return outside.isspace() or _is_punctuation(outside)

    def _neighbour(self, place: int, step: int, sign: str) -> tuple[str, int]:
        """The character beside the run of delimiters at a place, and the run's last place there."""
        out, last = self.out, place
        place += step
        while 0 <= place < len(out):
            string = out[place]
            if string:
                if not (string[0] == sign and string.strip(sign) == ""):
                    return (string[0] if step > 0 else string[-1]), last
                last = place
            place += step
        return "", last


def _is_punctuation(character: str) -> bool:
    return not character.isalnum() and unicodedata.category(character)[0] in "PS"
