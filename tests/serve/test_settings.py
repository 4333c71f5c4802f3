"""Settings that make no sense."""

from __future__ import annotations

import pytest

from tamis.errors import OptionsError
from tamis.serve.settings import ServeSettings


def test_what_is_no_address_of_a_proxy_is_named() -> None:
    with pytest.raises(OptionsError, match=r"'nginx' is not an address.*10\.0\.0\.5"):
        ServeSettings(trusted_proxies=("nginx",))
