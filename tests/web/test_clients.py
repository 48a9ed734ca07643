"""Who asks."""

from __future__ import annotations

import pytest

from inkscan.web.clients import is_local, network_of


@pytest.mark.parametrize(
    ("host", "network"),
    [
        ("::1", "::"),
        ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::"),
        ("192.0.2.7", "192.0.2.7"),
        ("a socket", "a socket"),
    ],
)
def test_an_ipv6_address_counts_as_its_network(host: str, network: str) -> None:
    assert network_of(host) == network


@pytest.mark.parametrize(("host", "local"), [("::1", True), ("127.0.0.1", True), ("", True), ("::2", False)])
def test_this_machine_is_known_by_its_address(host: str, local: bool) -> None:
    assert is_local(host) == local
