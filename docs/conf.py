"""The documentation site: `make docs` builds it, strictly, into build/site."""

import sys
from pathlib import Path
from typing import Any

from sphinx.application import Sphinx

from tamis import __version__

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE / "extensions"))

project = "tamis"
author = "the tamis authors"
copyright = "the tamis authors, Apache-2.0"
version = release = __version__

extensions = ["myst_parser", "sphinx.ext.autodoc", "commands", "http_api"]
exclude_patterns = ["extensions"]
# A name in single backticks is code, in docstrings as in Markdown.
default_role = "code"
nitpicky = True
# Types in signatures may be of modules that are not documented here, or of numpy.
nitpick_ignore_regex = [("py:.*", ".*")]

myst_heading_anchors = 4
myst_enable_extensions = ["attrs_inline", "colon_fence"]

autodoc_preserve_defaults = True
autodoc_member_order = "bysource"
add_module_names = False
python_use_unqualified_type_names = True

html_theme = "furo"
html_title = f"tamis {version}"
html_static_path = ["static"]
html_css_files = ["site.css"]
html_favicon = "../src/tamis/serve/page/icon.svg"
html_logo = html_favicon
html_show_sphinx = False
html_copy_source = False
html_theme_options = {
    "light_css_variables": {"color-brand-primary": "#0f6b52", "color-brand-content": "#0f6b52"},
    "dark_css_variables": {"color-brand-primary": "#5cc9a3", "color-brand-content": "#5cc9a3"},
}


def _without_parameters(app: Sphinx, what: str, *_: Any) -> tuple[str, None] | None:
    """Classes are shown without their parameters: these are the fields below."""
    return ("", None) if what == "class" else None


def _without_fields(app: Sphinx, what: str, name: str, obj: Any, _: Any, lines: list[str]) -> None:
    """Fields are listed one by one, not in the docstring as for `help()`."""
    if "Fields:" in lines:
        del lines[lines.index("Fields:") :]


def setup(app: Sphinx) -> None:
    """What is changed of docstrings."""
    app.connect("autodoc-process-signature", _without_parameters)
    app.connect("autodoc-process-docstring", _without_fields)
