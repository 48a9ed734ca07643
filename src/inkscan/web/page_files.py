"""The page's files, and beside them those of the model that a browser reads with while this server is away."""

from __future__ import annotations

import os
from pathlib import Path

from fastapi.staticfiles import StaticFiles

from inkscan.errors import BadServerSetting

STATIC = Path(__file__).parent / "static"
_PLACEHOLDERS = ("local.js", "fonts.css")  # in our own folder they say that nothing was built
_MARK = "app.json"


class PageFiles(StaticFiles):
    """What lies under /static; `app` is a folder that `make app` built.

    Of a built app, which may be older than this server, only what the page lacks is taken.
    """

    def __init__(self, app: Path | None) -> None:
        super().__init__(directory=STATIC)
        self._built = None if app is None else StaticFiles(directory=_static_of(app))

    def lookup_path(self, path: str) -> tuple[str, os.stat_result | None]:
        if self._built is None:
            return super().lookup_path(path)
        if path in _PLACEHOLDERS:
            return self._built.lookup_path(path)
        own, stat = super().lookup_path(path)
        return (own, stat) if stat else self._built.lookup_path(path)


def _static_of(app: Path) -> Path:
    static = app / "static"
    if not (static / _MARK).is_file():
        raise BadServerSetting(f"{app} has no built app in it; `make app` builds one, in out/app")
    return static
