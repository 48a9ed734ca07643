"""`inkscan serve`: the HTTP API and the page to write on."""

from __future__ import annotations

import os
from dataclasses import replace
from pathlib import Path
from typing import Annotated

import typer

from inkscan.cli.shared_options import ClassifierName, Models
from inkscan.errors import BadServerSetting
from inkscan.runtime.engine import cores
from inkscan.web.server_settings import Limits, ServerSettings

DEFAULT_PORT = 8731
MOST_READERS = 4  # by default; beyond, they would wait for Python more than for the networks
_LIMITS = Limits()
_LOOPBACK = ("127.0.0.1", "::1", "localhost")
_LOOPBACK_NAMES = ("127.0.0.1", "[::1]", "localhost")

API_KEY, HMAC_KEY = "INKSCAN_API_KEY", "INKSCAN_HMAC_KEY"
ApiKey = Annotated[
    str | None,
    typer.Option(
        envvar=API_KEY,
        help="Clients must send this key; safer in the environment.",
        show_default=False,
    ),
]
HmacKey = Annotated[
    str | None,
    typer.Option(
        envvar=HMAC_KEY,
        help="Requests in MyScript's shape must be signed with it.",
        show_default=False,
    ),
]
Origins = Annotated[
    list[str] | None,
    typer.Option(
        metavar="ORIGIN",
        help="An origin whose pages may ask, such as https://my.page; repeatable; * is any.",
    ),
]
HostNames = Annotated[
    list[str] | None,
    typer.Option(
        metavar="NAME",
        help="A name that the Host header may have beside this machine's own; repeatable; * is any.",
    ),
]
BuiltApp = Annotated[
    Path | None,
    typer.Option(
        metavar="FOLDER",
        help="A folder of `make app`, whose model reads in the browser while this server is away.",
    ),
]


def serve(
    model: Models = None,
    classifier: ClassifierName = None,
    host: Annotated[
        str, typer.Option(help="Address to listen on; 0.0.0.0 opens it to the network.")
    ] = "127.0.0.1",
    port: Annotated[
        int, typer.Option(min=0, max=65535, help="Port to listen on; 0 takes a free one.")
    ] = DEFAULT_PORT,
    api_key: ApiKey = None,
    hmac_key: HmacKey = None,
    cors: Origins = None,
    allow_host: HostNames = None,
    app: BuiltApp = None,
    readers: Annotated[
        int | None,
        typer.Option(min=1, max=64, help="Batches recognised at the same time; the cores, at most 4."),
    ] = None,
    threads: Annotated[int, typer.Option(min=1, help="CPU threads of each.")] = 1,
    batch: Annotated[
        int, typer.Option(min=1, max=256, help="Most inks recognised together.")
    ] = _LIMITS.batch,
    queue: Annotated[
        int, typer.Option(min=1, help="Requests that may wait; more get status 429.")
    ] = _LIMITS.queue,
    timeout: Annotated[
        float, typer.Option(min=0.1, help="Seconds to an answer, then status 504.")
    ] = _LIMITS.answer_seconds,
    max_body: Annotated[int, typer.Option(min=1_000, help="Most bytes of a request.")] = _LIMITS.body_bytes,
    max_strokes: Annotated[int, typer.Option(min=1, help="Most strokes of an ink.")] = _LIMITS.strokes,
    max_points: Annotated[int, typer.Option(min=1, help="Most points of an ink.")] = _LIMITS.points,
) -> None:
    """Load the model once and serve it until the process is stopped; the log goes to standard error."""
    from inkscan.runtime.recognizer import MAX_STROKES, load
    from inkscan.web.app import create_app
    from inkscan.web.logs import log_to_stderr
    from inkscan.web.server import serve as run

    if max_strokes > MAX_STROKES:
        raise BadServerSetting(f"one expression has at most {MAX_STROKES} strokes, so --max-strokes has, too")
    limits = replace(
        _LIMITS, body_bytes=max_body, strokes=max_strokes, points=max_points, queue=queue, batch=batch,
        readers=readers or min(cores(), MOST_READERS), answer_seconds=timeout,
    )  # fmt: skip
    hosts = answered_hosts(host, tuple(allow_host or ()))
    keys = (_key(api_key, API_KEY), _key(hmac_key, HMAC_KEY))
    settings = ServerSettings(limits, *keys, tuple(cors or ()), hosts, app)
    recognizer = load(*(model or ()), threads=threads, classifier=classifier)
    recognizer.open_all()  # before anybody waits for it
    log_to_stderr()
    run(create_app(recognizer, settings), host, port, limits, _announce)


def _key(given: str | None, variable: str) -> str:
    """A key, none if it is not set at all; an empty one is most likely a variable that should have had a value."""
    if given == "" or (given is None and os.environ.get(variable) == ""):
        raise BadServerSetting(f"{variable} is set but empty: give a key, or unset it to serve everybody")
    return given or ""


def answered_hosts(host: str, allowed: tuple[str, ...]) -> tuple[str, ...]:
    """Names that the Host header may have; none stands for any.

    A server for this machine alone answers to its own names, else a page of another site could reach it by giving
    its own name this machine's address.
    """
    if "*" in allowed or not (allowed or host in _LOOPBACK):
        return ()
    named = f"[{host}]" if ":" in host else host
    return tuple(sorted({*_LOOPBACK_NAMES, named.lower(), *map(str.lower, allowed)}))


def _announce(address: str) -> None:
    typer.echo(f"inkscan is at {address} (Ctrl-C stops it)", err=True)
