"""A forum's index of topics as the common programs write it: topic, author, counts, last poster."""

from __future__ import annotations

from collections.abc import Callable

from tests.describe.thread_pages import AUTHORS, FOOT, HEAD

_BEGINNINGS = (
    "Skylight drips when the wind comes from",
    "How to quiet a gate at",
    "Which wood for a bench at",
    "Looking for an old map of",
    "Moss on the north roof of",
    "Who repairs a wind vane at",
    "Pictures of the new stairs at",
)
_PLACES = ("the west", "Low Quay", "the mill", "Fern Lane", "the harbour", "Upper Down")
TITLES = tuple(f"{start} {place}" for start in _BEGINNINGS for place in _PLACES)
"""42 titles of topics."""

FORUM = '<div class="crumbs"><a href="/">Board index</a> » <a href="/f2">Roofs and gates</a></div>'


def _author(number: int) -> str:
    return AUTHORS[number % len(AUTHORS)]


def _day(number: int) -> str:
    return f"Mar {number % 28 + 1}, 2021 8:{number % 50 + 10} am"


def _rows(row: Callable[[int, str], str]) -> str:
    return "".join(row(number, title) for number, title in enumerate(TITLES))


def phpbb() -> str:
    """Definition lists in two lists: announcements and topics."""

    def row(n: int, title: str) -> str:
        return f"""<li class="row bg{n % 2 + 1}"><dl class="row-item topic_read">
<dt title="No unread posts"><div class="list-inner"><a href="./viewtopic.php?f=2&amp;t=41{n}"
class="topictitle">{title}</a><br><div class="topic-poster">by
<a href="./memberlist.php?mode=viewprofile&amp;u={n % 5}" class="username">{_author(n)}</a> »
{_day(n)}</div></div></dt><dd class="posts">{n * 3 % 40} <dfn>Replies</dfn></dd>
<dd class="views">{n * 37 + 104} <dfn>Views</dfn></dd><dd class="lastpost"><span>
<dfn>Last post</dfn> by <a href="./memberlist.php?mode=viewprofile&amp;u={n % 3}"
class="username">{_author(n + 2)}</a>
<a href="./viewtopic.php?p=90{n}#p90{n}" title="Go to last post"></a><br>{_day(n + 3)}</span></dd>
</dl></li>"""

    head = """<li class="header"><dl class="row-item"><dt>Topics</dt><dd class="posts">Replies</dd>
<dd class="views">Views</dd><dd class="lastpost">Last post</dd></dl></li>"""
    rows = _rows(row)
    return f"""{HEAD}{FORUM}<h2 class="forum-title">
<a href="./viewforum.php?f=2">Roofs and gates</a></h2><div class="forumbg"><div class="inner">
<ul class="topiclist">{head}</ul><ul class="topiclist topics">{rows}</ul></div></div>{FOOT}"""


def phpbb_tables() -> str:
    """A table with a header row, as of 2005."""

    def row(n: int, title: str) -> str:
        return f"""<tr><td class="row1"><img src="folder.gif" alt="No new posts"></td>
<td class="row1"><span class="topictitle"><a href="viewtopic.php?t=41{n}">{title}</a></span></td>
<td class="row2"><span class="postdetails">{n * 3 % 40}</span></td>
<td class="row3"><a href="profile.php?mode=viewprofile&amp;u={n % 5}">{_author(n)}</a></td>
<td class="row2">{n * 37 + 104}</td><td class="row3">{_day(n)}<br>
<a href="profile.php?mode=viewprofile&amp;u={n % 3}">{_author(n + 2)}</a>
<a href="viewtopic.php?p=90{n}#90{n}"><img src="latest.gif" alt="View latest post"></a></td></tr>"""

    return f"""{HEAD}{FORUM}<table class="forumline"><tr><th colspan="2">Topics</th><th>Replies</th>
<th>Author</th><th>Views</th><th>Last Post</th></tr>{_rows(row)}</table>{FOOT}"""


def vbulletin() -> str:
    """List items with a list of counts."""

    def row(n: int, title: str) -> str:
        return f"""<li class="threadbit hot" id="thread_41{n}"><div class="rating0 nonsticky">
<div class="threadinfo"><div class="inner"><h3 class="threadtitle"><a class="title"
href="showthread.php?41{n}-{title.replace(" ", "-")}">{title}</a></h3><div class="threadmeta">
<div class="author"><span class="label">Started by <a class="username" href="member.php?{n % 5}">
{_author(n)}</a>, {_day(n)}</span></div></div></div></div><ul class="threadstats">
<li>Replies: <a href="misc.php?do=whoposted&amp;t=41{n}">{n * 3 % 40}</a></li>
<li>Views: {n * 37 + 1104:,}</li></ul><dl class="threadlastpost"><dt>Last Post By</dt>
<dd><a class="username" href="member.php?{n % 3}">{_author(n + 2)}</a></dd><dd>{_day(n)}</dd></dl>
</div></li>"""

    return (
        f"""{HEAD}{FORUM}<div class="threadlist"><ol id="threads">{_rows(row)}</ol></div>{FOOT}"""
    )


def xenforo() -> str:
    """Divs with short numbers and times."""

    def row(n: int, title: str) -> str:
        return f"""<div class="structItem structItem--thread js-inlineMod"
data-author="{_author(n)}"><div class="structItem-cell structItem-cell--icon">
<a href="/members/m.{n % 5}/" class="avatar"><img src="/a{n % 5}.png" alt=""></a></div>
<div class="structItem-cell structItem-cell--main">
<div class="structItem-title"><a href="/threads/t.41{n}/">{title}</a></div>
<div class="structItem-minor"><ul class="structItem-parts"><li><a href="/members/m.{n % 5}/"
class="username">{_author(n)}</a></li><li><a href="/threads/t.41{n}/"><time
datetime="2021-03-{n % 28 + 1:02}T08:00:00">Mar {n % 28 + 1}, 2021</time></a></li></ul></div></div>
<div class="structItem-cell structItem-cell--meta"><dl class="pairs pairs--justified">
<dt>Replies</dt><dd>{n * 3 % 40}</dd></dl><dl class="pairs structItem-minor"><dt>Views</dt>
<dd>{n + 1}K</dd></dl></div><div class="structItem-cell structItem-cell--latest">
<a href="/threads/t.41{n}/latest"><time datetime="2021-04-{n % 28 + 1:02}T08:00:00">
Apr {n % 28 + 1}, 2021</time></a><div class="structItem-minor"><a href="/members/m.{n % 3}/"
class="username">{_author(n + 2)}</a></div></div></div>"""

    return f"""{HEAD}{FORUM}<h1 class="p-title-value">Roofs and gates</h1><div
class="structItemContainer">{_rows(row)}</div>{FOOT}"""


def discourse() -> str:
    """A table of titles, faces, counts and ages."""

    def row(n: int, title: str) -> str:
        return f"""<tr data-topic-id="41{n}" class="topic-list-item category-roofs"><td
class="main-link"><span class="link-top-line"><a href="/t/t/41{n}" class="title raw-link
raw-topic-link">{title}</a></span></td><td class="posters"><a href="/u/u{n % 5}"><img alt=""
src="/a{n % 5}.png"></a></td><td class="num posts-map posts"><a href="/t/t/41{n}/1"
class="badge-posts"><span class="number">{n * 3 % 40}</span></a></td><td class="num views"><span
class="number">{n * 37 + 104}</span></td><td class="num age activity"><a href="/t/t/41{n}/9"
class="post-activity"><span class="relative-date">{n % 9 + 1}d</span></a></td></tr>"""

    return f"""{HEAD}<table class="topic-list"><thead><tr><th>Topic</th><th></th><th>Replies</th>
<th>Views</th><th>Activity</th></tr></thead><tbody>{_rows(row)}</tbody></table>{FOOT}"""


def smf() -> str:
    """Counts in one cell: 12 Replies, 345 Views."""

    def row(n: int, title: str) -> str:
        return f"""<tr><td class="icon1 windowbg"><img src="post.gif" alt=""></td>
<td class="subject windowbg2"><div><span id="msg_9{n}"><a href="index.php?topic=41{n}.0">{title}</a>
</span><p>Started by <a href="index.php?action=profile;u={n % 5}">{_author(n)}</a></p></div></td>
<td class="stats windowbg">{n * 3 % 40} Replies<br>{n * 37 + 104} Views</td>
<td class="lastpost windowbg2"><a href="index.php?topic=41{n}.msg9{n}#new"><img alt="Last post"
src="last.gif"></a> {_day(n)}<br>by
<a href="index.php?action=profile;u={n % 3}">{_author(n + 2)}</a></td></tr>"""

    return f"""{HEAD}{FORUM}<table class="table_grid"><thead><tr><th>Subject / Started by</th>
<th>Replies / Views</th><th>Last post</th></tr></thead><tbody>{_rows(row)}</tbody></table>{FOOT}"""


def mybb() -> str:
    """Rows with inline moderation and ratings."""

    def row(n: int, title: str) -> str:
        return f"""<tr class="inline_row"><td class="trow1"><span class="thread_status newfolder">
</span></td><td class="trow1 forumdisplay_regular"><div><span class="subject_new" id="tid_41{n}">
<a href="showthread.php?tid=41{n}">{title}</a></span><div class="author smalltext">
<a href="member.php?action=profile&amp;uid={n % 5}">{_author(n)}</a></div></div></td>
<td class="trow1"><a href="misc.php?action=whoposted&amp;tid=41{n}">{n * 3 % 40}</a></td>
<td class="trow1">{n * 37 + 104}</td><td class="trow1"><span
class="lastpost smalltext">{_day(n)}<br><a href="showthread.php?tid=41{n}&amp;action=lastpost">
Last Post</a>:
<a href="member.php?action=profile&amp;uid={n % 3}">{_author(n + 2)}</a></span></td></tr>"""

    return f"""{HEAD}{FORUM}<table class="tborder"><tr><td class="thead" colspan="5">Roofs and
gates</td></tr><tr><td class="tcat" colspan="2">Thread / Author</td><td class="tcat">Replies</td>
<td class="tcat">Views</td><td class="tcat">Last Post</td></tr>{_rows(row)}</table>{FOOT}"""


def plain() -> str:
    """A table without a name anywhere, the last poster without a link."""

    def row(n: int, title: str) -> str:
        return f"""<tr><td><a href="/topic/41{n}">{title}</a></td><td>{_author(n)}</td>
<td>{n * 3 % 40}</td><td>{n * 37 + 104}</td><td>{_author(n + 2)}, {_day(n)}</td></tr>"""

    return f"""{HEAD}{FORUM}<h1>Roofs and gates</h1><table><tr><th>Topic</th><th>Author</th>
<th>Replies</th><th>Views</th><th>Last post</th></tr>{_rows(row)}</table>{FOOT}"""


_CHINESE = "天窗漏水怎么修 谁有老磨坊的照片 门轴响怎么办 屋顶的青苔要不要除 码头新楼梯 风向标找谁修"


def discuz() -> str:
    """A body of a table per topic, in Chinese."""
    rows = "".join(
        f"""<tbody id="normalthread_41{n}"><tr><td class="icn"><a href="thread-41{n}-1-1.html"><img
src="folder.gif" alt=""></a></td><th class="common"><a href="thread-41{n}-1-1.html" class="s xst">
{title}({n // 6 + 1})</a></th><td class="by"><cite><a href="home.php?mod=space&amp;uid={n % 5}">
木匠{n % 5}</a></cite><em><span>2021-3-{n % 28 + 1}</span></em></td><td class="num">
<a href="thread-41{n}-1-1.html" class="xi2">{n * 3 % 40}</a><em>{n * 37 + 104}</em></td>
<td class="by"><cite><a href="home.php?mod=space&amp;uid={n % 3}">小雨点{n % 3}</a></cite><em>
<a href="forum.php?mod=redirect&amp;tid=41{n}&amp;goto=lastpost#lastpost">2021-4-{n % 28 + 1}
08:1{n % 9}</a></em></td></tr></tbody>"""
        for n, title in enumerate(_CHINESE.split() * 5)
    )
    head = HEAD.replace('lang="en"', 'lang="zh"')
    return f"""{head}<div id="threadlist" class="tl bm"><table><tbody><tr><th>主题</th><td>作者</td>
<td>回复/查看</td><td>最后发表</td></tr></tbody>{rows}</table></div>{FOOT}"""


def flarum() -> str:
    """List items with one count and who replied when."""

    def row(n: int, title: str) -> str:
        return f"""<li data-id="41{n}"><div class="DiscussionListItem"><div
class="DiscussionListItem-content"><a href="/u/u{n % 5}" class="DiscussionListItem-author"><img
src="/a{n % 5}.png" alt=""></a><a href="/d/41{n}-t" class="DiscussionListItem-main"><h2
class="DiscussionListItem-title">{title}</h2><ul class="DiscussionListItem-info"><li
class="item-terminalPost"><span><span class="username">{_author(n + 2)}</span> replied <time
datetime="2021-03-{n % 28 + 1:02}T08:00:00">{n % 9 + 2} days ago</time></span></li></ul></a>
<span class="DiscussionListItem-count">{n * 3 % 40}</span></div></div></li>"""

    return f"""{HEAD}<div class="DiscussionList"><ul class="DiscussionList-discussions">{_rows(row)}
</ul></div>{FOOT}"""


def bbpress() -> str:
    """Lists of a title, voices, posts and freshness."""

    def row(n: int, title: str) -> str:
        return f"""<ul id="bbp-topic-{n}" class="topic type-topic hentry"><li
class="bbp-topic-title"><a class="bbp-topic-permalink" href="/topic/{n}/">{title}</a>
<p class="bbp-topic-meta"><span>Started by: <a href="/users/{n % 5}/">{_author(n)}</a></span></p>
</li><li class="bbp-topic-voice-count">{n % 5 + 1}</li><li class="bbp-topic-reply-count">{n}</li>
<li class="bbp-topic-freshness"><a href="/topic/{n}/#post-9">{n % 9 + 2} months ago</a>
<p><a href="/users/{n % 3}/">{_author(n + 2)}</a></p></li></ul>"""

    return f"""{HEAD}<h1>Roofs and gates</h1><div class="bbp-topics">{_rows(row)}</div>{FOOT}"""


def nodebb() -> str:
    """With the beginning of the last reply, so that the rows look like posts."""

    def row(n: int, title: str) -> str:
        when = f'<time datetime="2021-03-{n % 28 + 1:02}T08:00:00">{_day(n)}</time>'
        return f"""<li class="category-item" data-tid="{n}"><a href="/topic/{n}/t"><h3>{title}</h3>
</a>
<small>{when} <a href="/user/{n % 5}">{_author(n)}</a></small><div class="stats"><span>{n}</span>
<small>Posts</small></div><div class="stats"><span>{n * 37}</span><small>Views</small></div>
<div class="teaser"><a href="/user/{n % 3}">{_author(n + 2)}</a> {when}<div class="post-content">
Look at the flashing first, number {n}. On ours the lead had lifted by the width of a finger.</div>
</div></li>"""

    return f"{HEAD}<h1>Roofs and gates</h1><ul>{_rows(row)}</ul>{FOOT}"


INDEXES = (
    phpbb,
    phpbb_tables,
    vbulletin,
    xenforo,
    discourse,
    smf,
    mybb,
    plain,
    discuz,
    flarum,
    bbpress,
    nodebb,
)
"""One page each."""
