"""Clients: which one asks, and whether it is still there."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from ipaddress import IPv6Address, ip_address
from typing import Any, TypeVar

from fastapi import Request, WebSocket
from starlette.requests import ClientDisconnect

GONE = 499  # the status in the log of a request whose client did not wait; nobody reads it
_NETWORK_BITS = 64  # of an IPv6 address: what one customer gets

Result = TypeVar("Result")


def client_of(connection: Request | WebSocket) -> str:
    """Whose turn it is that a request takes: its address, as a trusted proxy gives it."""
    return network_of(connection.client.host if connection.client else "")


def network_of(host: str) -> str:
    """An address, or the network of an IPv6 address, since one customer has all addresses of that."""
    try:
        address = ip_address(host)
    except ValueError:
        return host
    if address.version == 4:
        return host
    return str(IPv6Address(int(address) >> _NETWORK_BITS << _NETWORK_BITS))


def is_local(host: str) -> bool:
    """Whether it is this machine itself, perhaps as a proxy for others."""
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return True  # a socket in the file system


async def while_connected(request: Request, work: Coroutine[Any, Any, Result]) -> Result:
    """The result of some work, which is given up when the client goes; the body must have been read."""
    task, gone = asyncio.create_task(work), asyncio.create_task(_disconnection(request))
    try:
        await asyncio.wait({task, gone}, return_when=asyncio.FIRST_COMPLETED)
        if not task.done():
            raise ClientDisconnect
        return task.result()
    finally:
        task.cancel()
        gone.cancel()
        await asyncio.gather(task, gone, return_exceptions=True)


async def _disconnection(request: Request) -> None:
    while (await request.receive())["type"] != "http.disconnect":
        pass
