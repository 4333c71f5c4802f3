"""The code blocks of a page, as the tests of the documentation read them."""

from __future__ import annotations

from pathlib import Path

from tests.docs.blocks import INDENTED, Block, blocks

PAGE = """\
# A page

<!-- not run: installs -->
```sh
pip install tamis
```

Save this as `make.py`:

```python
print("a")

print("b")
```

    tamis extract a.html

    tamis extract b.html

1. An item, which goes on
   here.

    and this is still of the item

   ~~~console
   $ tamis --version
   ...
   ~~~

Text
    that is no code.

```text
last
"""


def test_the_blocks_of_a_page_come_with_what_the_line_before_says(tmp_path: Path) -> None:
    path = tmp_path / "page.md"
    path.write_text(PAGE, "utf-8")
    assert blocks(path) == [
        Block("sh", "pip install tamis\n", 5, not_run="installs"),
        Block("python", 'print("a")\n\nprint("b")\n', 11, file_name="make.py"),
        Block(INDENTED, "tamis extract a.html\n\ntamis extract b.html\n", 16),
        Block("console", "$ tamis --version\n...\n", 26),
        Block("text", "last\n", 34),
    ]
