"""How places, bytes and connections are shared among clients.

No client has a fixed share, since a proxy may be the only one. A client may take as long as it has
less than three times what is free. So one client alone gets three quarters of everything, of two
that take all they can each gets three sevenths, and there is always something left for the next.
"""

from __future__ import annotations

import ipaddress

_TIMES_FREE = 3


def may_take(own: int, taken: int, most: int, size: int = 1) -> bool:
    """Whether a client that has `own` of all that is `taken` may take so many more.

    >>> may_take(own=95, taken=95, most=128), may_take(own=96, taken=96, most=128)
    (True, False)
    """
    return own + size - 1 < _TIMES_FREE * (most - taken - size + 1)


def name_client(host: str) -> str:
    """The client behind an address: itself, or the network of an IPv6 address.

    Whoever has one IPv6 address has all of its /64.

    >>> name_client("192.0.2.7"), name_client("2001:db8::1:2:3:4"), name_client("::ffff:192.0.2.7")
    ('192.0.2.7', '2001:db8::/64', '192.0.2.7')
    """
    if ":" not in host:
        return host
    try:
        address = ipaddress.IPv6Address(host.partition("%")[0])
    except ValueError:
        return host
    if address.ipv4_mapped:
        return str(address.ipv4_mapped)
    return str(ipaddress.IPv6Network((int(address) >> 64 << 64, 64)))
