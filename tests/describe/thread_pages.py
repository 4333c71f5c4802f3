"""Pages with threads, in the markup of common systems; all sites and people are invented."""

from __future__ import annotations

from collections.abc import Callable

Maker = Callable[[], str]

MESSAGES = (
    "The skylight over the stairs drips, but only when the wind is from the west. Has anybody"
    " found a cure for that without taking the whole frame out?",
    "Look at the flashing first. On ours the lead had lifted by the width of a finger.",
    "Thanks!",
    "Same here. We put a bead of butyl under the lip in October, and it has been dry since.",
    "Butyl does not like frost, so warm the tube before you begin, and press it in well.",
)
AUTHORS = ("Marten Ode", "slate_77", "Marten Ode", "Ines Quay", "roofer-bob")
DAYS = ("2019-11-03", "2019-11-03", "2019-11-04", "2019-11-09", "2020-01-12")
SIGNATURE = "Measure twice, cut once, swear three times over the pieces."

HEAD = """<!doctype html><html lang="en"><head><title>Skylight drips - Old House Bench</title>
</head><body><div class="menu"><a href="/">Board</a> <a href="/faq">FAQ</a>
<a href="/login">Log in</a></div>"""
FOOT = """<div class="foot">Powered by nails. All times are UTC.
<a href="/privacy">Privacy</a></div></body></html>"""

_MONTHS = "Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec".split()


def _day(number: int) -> str:
    year, month, day = DAYS[number].split("-")
    return f"{_MONTHS[int(month) - 1]} {day}, {year} 8:0{number} am"


def phpbb() -> str:
    """Divs: a card, a title that repeats, a signature, a line of buttons."""
    posts = "".join(
        f"""<div id="p10{n}" class="post has-profile bg{n % 2 + 1}"><div class="inner">
<dl class="postprofile" id="profile10{n}"><dt><a href="./memberlist.php?mode=viewprofile&amp;u={n}"
class="username">{AUTHORS[n]}</a></dt><dd class="profile-rank">Carpenter</dd>
<dd class="profile-posts"><strong>Posts:</strong> <a href="search.php?u={n}">{n}13</a></dd>
<dd class="profile-joined"><strong>Joined:</strong> Mon Mar 02, 2015 4:1{n} pm</dd></dl>
<div class="postbody"><h3><a href="#p10{n}">{"Re: " if n else ""}Skylight drips</a></h3>
<ul class="post-buttons"><li><a href="./posting.php?mode=quote&amp;p=10{n}">Quote</a></li></ul>
<p class="author"><a href="./viewtopic.php?p=10{n}#p10{n}">Post</a> by <strong>
<a href="./memberlist.php?mode=viewprofile&amp;u={n}" class="username">{AUTHORS[n]}</a></strong> »
{_day(n)}</p>
<div class="content">{MESSAGES[n]}</div>
<div id="sig10{n}" class="signature">{SIGNATURE}</div></div></div></div><hr class="divider">"""
        for n in range(5)
    )
    return f'{HEAD}<h2 class="topic-title">Skylight drips</h2>{posts}{FOOT}'


def phpbb_tables() -> str:
    """Tables without a name: header rows, then a row with the author beside the message."""
    rows = "".join(
        f"""<tr><td><a name="{n}55"></a><b>{AUTHORS[n]}</b></td><td>Posted: {_day(n)}
<a href="viewtopic.php?p={n}55#{n}55">link</a></td></tr>
<tr><td>Posts: {n}1<br><a href="profile.php?u={n}">Profile</a></td>
<td><span>{MESSAGES[n]}</span></td></tr>
<tr><td colspan="2"><a href="#top">Back to top</a></td></tr>"""
        for n in range(5)
    )
    return f"{HEAD}<table><tr><th>Author</th><th>Message</th></tr>{rows}</table>{FOOT}"


def vbulletin() -> str:
    """Each post is a table, with the date in its head and a quote in the second message."""
    quote = """<div class="bbcode_container"><div class="bbcode_quote"><div>Originally posted by
<strong>Marten Ode</strong></div><blockquote>only when the wind is from the west</blockquote>
</div></div>"""
    posts = "".join(
        f"""<table class="tborder" id="post7{n}"><tr><td class="thead">
<a name="post7{n}"></a>{_day(n).replace(" 8:", ", 08:")}</td>
<td class="thead">#<a href="showpost.php?p=7{n}">{n + 1}</a></td></tr>
<tr><td class="alt2"><div id="postmenu_7{n}"><a class="bigusername" href="member.php?u={n}">
{AUTHORS[n]}</a></div><div class="smallfont">Senior Member</div>
<div class="smallfont">Join Date: Mar 2015</div></td>
<td class="alt1" id="td_post_7{n}"><div id="post_message_7{n}">{quote * (n == 1)}{MESSAGES[n]}</div>
</td></tr></table>"""
        for n in range(5)
    )
    return f'{HEAD}<div id="posts">{posts}</div>{FOOT}'


def discourse() -> str:
    """Articles with the date in a data attribute, the day of the year alone in the text."""
    posts = "".join(
        f"""<div class="topic-post clearfix regular"><article id="post_{n + 1}" class="boxed">
<div class="topic-avatar"><a href="/u/user{n}" class="trigger-user-card"><img alt=""
src="/a{n}.png"></a></div><div class="topic-body"><div class="topic-meta-data"><span class="names">
<span class="first username"><a href="/u/user{n}">{AUTHORS[n]}</a></span></span>
<div class="post-info"><a class="post-date" href="/t/skylight/31/{n + 1}?u=x#post_{n + 1}">
<span title="{DAYS[n]}T08:00:00Z" class="relative-date">{n + 2}d</span></a></div></div>
<div class="regular contents"><div class="cooked"><p>{MESSAGES[n]}</p></div>
<section class="post-menu-area"><button>Reply</button><button>Like</button></section></div></div>
</article></div>"""
        for n in range(5)
    )
    return f"{HEAD}<h1>Skylight drips</h1>{posts}{FOOT}"


def stack_exchange() -> str:
    """A question and two answers of the same kind, with comments below two of them."""

    def comments(*numbers: int) -> str:
        items = "".join(
            f"""<li id="comment-{n}0" class="comment"><div class="comment-text">
<span class="comment-copy">{MESSAGES[n]}</span> – <a href="/users/{n}/x" class="comment-user">
{AUTHORS[n]}</a> <span class="comment-date"><span title="{DAYS[n]} 10:00:00Z">{DAYS[n]}</span>
</span></div></li>"""
            for n in numbers
        )
        return f'<ul class="comments-list">{items}</ul>'

    def post(kind: str, n: int, inner: str) -> str:
        return f"""<div id="{kind}-4{n}" class="{kind}" itemscope
itemtype="https://schema.org/{kind.capitalize()}"><div class="post-layout">
<div class="votecell"><span class="vote-count">{n + 3}</span></div>
<div class="postcell"><div class="s-prose" itemprop="text"><p>{MESSAGES[n]}</p>
</div><div class="user-info"><div class="user-action-time">
<span title="{DAYS[n]} 09:15:00Z" class="relativetime">{_day(n)}</span></div>
<div class="user-details" itemprop="author"><a href="/users/{n}/x">{AUTHORS[n]}</a></div></div>
</div>
<div class="post-comments">{inner}</div></div></div>"""

    return (
        f"{HEAD}<h1>Why does my skylight drip?</h1>{post('question', 0, comments(2, 3))}"
        f"<h2>2 Answers</h2>{post('answer', 1, comments(4, 2))}{post('answer', 3, '')}{FOOT}"
    )


def nested() -> str:
    """Replies inside replies, with times in their elements."""

    def comment(n: int, inner: str = "") -> str:
        return f"""<div class="thing comment" id="thing_t1_c{n}"><div class="entry">
<p class="tagline"><a href="/user/u{n}" class="author">{AUTHORS[n]}</a> <span>{n + 4} points</span>
<time datetime="{DAYS[n]}T10:0{n}:00+00:00">{n + 1} months ago</time></p>
<div class="md"><p>{MESSAGES[n]}</p></div><ul class="flat-list buttons">
<li><a href="/r/roofs/c{n}/" class="bylink">permalink</a></li><li><a href="#">reply</a></li></ul>
</div><div class="child">{inner}</div></div>"""

    thread = comment(0, comment(1, comment(2)) + comment(3)) + comment(4)
    return f'{HEAD}<div class="commentarea"><div class="sitetable">{thread}</div></div>{FOOT}'


STORY = """<article class="post-812 post type-post"><h1 class="entry-title">Tide mill turns</h1>
<p class="byline">By <span class="author">Tove Eelgrass</span>
<time class="entry-date" datetime="2020-05-08T06:00:00Z">8 May 2020</time></p>
<p>The tide mill at Low Quay turns again after forty years, and the miller, who had never seen it
move, was the first to get wet.</p><p>Volunteers spent three winters on the wheel; the oak came from
a barn that the storm of 2019 had taken down, and the iron from a ship that nobody missed.</p>
<p>On Sundays the mill is open to everybody who does not mind the stairs, and there is bread from
its own flour as long as the tide is with the baker.</p></article>"""


def wordpress(comments: bool = True) -> str:
    """An article with comments, one of them a reply."""

    def comment(n: int, level: int, inner: str = "") -> str:
        return f"""<li id="comment-3{n}" class="comment even depth-{level}"><article
id="div-comment-3{n}" class="comment-body"><footer class="comment-meta">
<div class="comment-author vcard"><b class="fn"><a href="http://a{n}.example/" rel="external
nofollow" class="url">{AUTHORS[n]}</a></b> <span class="says">says:</span></div>
<div class="comment-metadata"><a href="https://quay.example/mill#comment-3{n}">
<time datetime="{DAYS[n]}T09:00:00+00:00">{_day(n)}</time></a></div></footer>
<div class="comment-content"><p>{MESSAGES[n]}</p></div>
<div class="reply"><a rel="nofollow" href="#respond">Reply</a></div></article>{inner}</li>"""

    thread = comment(1, 1, f'<ol class="children">{comment(2, 2)}</ol>') + comment(3, 1)
    below = f"""<div id="comments"><h2>3 thoughts on Tide mill</h2><ol class="comment-list">{thread}
</ol><div id="respond"><form><label>Your name</label><textarea></textarea></form></div></div>"""
    return f"{HEAD}<main>{STORY}{below if comments else ''}</main>{FOOT}"


def guestbook() -> str:
    """A definition list: the term is the author with the date, the definition the message."""
    entries = "".join(
        f"""<dt id="e{n}1"><b class="author">{AUTHORS[n]}</b> <i>{_day(n)}</i></dt>
<dd><p>{MESSAGES[n]}</p></dd>"""
        for n in range(5)
    )
    return f"{HEAD}<h1>Guest book</h1><dl>{entries}</dl>{FOOT}"


CHINESE = (
    "楼梯上面的天窗漏水,不过只有刮西风的时候才漏,请问有人不拆窗框就修好过吗?",
    "先看看窗边的铅皮,我们家的已经翘起来一指宽了,压回去以后就不漏了。",
    "谢谢,周末我上去看看。",
)


def discuz() -> str:
    """Tables of posts, in Chinese."""
    names = ("木匠老王", "小雨点", "木匠老王")
    posts = "".join(
        f"""<div id="post_88{n}"><table id="pid88{n}" class="plhin"><tr><td class="pls">
<div class="authi"><a href="home.php?mod=space&amp;uid={n % 2}" class="xw1">{names[n]}</a></div>
<p><em>主题</em> 1{n}</p></td><td class="plc"><div class="pi"><strong>
<a href="forum.php?mod=redirect&amp;pid=88{n}#pid88{n}">{n + 1}楼</a></strong>
<em id="authorposton88{n}">发表于 2019-11-0{n + 3} 08:1{n}</em></div>
<div class="t_fsz"><table><tr><td class="t_f" id="postmessage_88{n}">{CHINESE[n]}</td></tr></table>
</div></td></tr><tr><td class="pls"></td><td class="plc"><a href="#">回复</a>
<a href="#">举报</a></td></tr></table></div>"""
        for n in range(3)
    )
    head = HEAD.replace('lang="en"', 'lang="zh"')
    return f'{head}<div id="postlist">{posts}</div>{FOOT}'


GERMAN = (
    "Das Dachfenster über der Treppe tropft, aber nur bei Westwind. Weiß jemand Rat?",
    "Sieh dir zuerst das Blech an. Bei uns stand es einen Finger breit ab.",
    "Danke, ich steige am Samstag hinauf.",
    "Butyl mag keinen Frost, also vorher die Tube anwärmen.",
)


def german() -> str:
    """German, dates in German, the author as plain text."""
    names = ("Jörg", "Dachdecker_Uwe", "Jörg", "Frieda")
    posts = "".join(
        f"""<li class="beitrag" id="beitrag-{n}21"><div class="autor"><strong>{names[n]}</strong>
<span>Mitglied seit 2. Mai 2014</span></div><div class="datum">{n + 3}. März 2021, 18:2{n} Uhr</div>
<div class="inhalt"><p>{GERMAN[n]}</p></div><a href="/melden?{n}">Melden</a>
<a href="/zitieren?{n}">Zitieren</a></li>"""
        for n in range(4)
    )
    head = HEAD.replace('lang="en"', 'lang="de"')
    return f"{head}<ol>{posts}</ol>{FOOT}"


def teasers() -> str:
    """An overview of stories, each with a title that leads elsewhere, an author and a date."""
    stories = "".join(
        f"""<article class="post" id="post-{n}"><h2><a href="/story-{n}">Story number {word} of
the harbour</a></h2><p class="meta">By <a href="/author/{n}" class="author">{AUTHORS[n]}</a>,
<time datetime="{DAYS[n]}">{_day(n)}</time></p><p>{MESSAGES[n]}</p></article>"""
        for n, word in enumerate("one two three four five".split())
    )
    return f"{HEAD}<main>{stories}</main>{FOOT}"


def products() -> str:
    """Cards of products with prices and ratings."""
    cards = "".join(
        f"""<li class="product" id="product-{n}"><a href="/p/{n}"><img alt="" src="{n}.jpg">
<h3>Sieve number {n}</h3></a><p>Fine mesh of steel in a frame of ash, {n + 12} cm wide, for flour
and soups.</p><span class="price">{n + 18}.50</span> <span class="rating">4.{n} of 5</span>
<button>Add to basket</button></li>"""
        for n in range(12)
    )
    return f"{HEAD}<h1>Sieves</h1><ul>{cards}</ul>{FOOT}"
