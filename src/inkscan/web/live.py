"""WebSocket `/v1/live`: strokes come and go, and the newest ink is always the one that is read.

The client sends objects; each may carry an `id` of its choice, and any of

    {"key": "..."}              the server's key, before anything else and soon, where the server wants one
    {"wishes": {"n_best": 5, "formats": [...]}}   as in /v1/recognize, from now on
    {"set": [stroke, ...]}      these strokes instead of all others
    {"remove": [2, 3]}          strokes by their numbers
    {"add": [stroke, ...]}      strokes behind the others
    {"undo": true} {"redo": true} {"clear": true}

and gets `{"type": "answer", "version", "id", "strokes", ...}` in the shape of /v1/recognize, with the `id` of the
last change that the answer knows, or `{"type": "error", "id", "error": {"code", "message"}}`, and then nothing of
the message is done. While one ink is read, changes gather; the next answer is to the newest.
"""

from __future__ import annotations

import asyncio
import json
import time
from functools import partial
from typing import Annotated, Any

from fastapi import APIRouter, WebSocket, WebSocketDisconnect
from pydantic import ConfigDict, Field

from inkscan.errors import BadRequest, InkscanError, Overloaded, Unauthorized
from inkscan.ink import Ink, Stroke
from inkscan.ink.json import ink_from_json, parse_json
from inkscan.runtime.session import Session
from inkscan.web.access import is_key, is_known_origin, offered_key
from inkscan.web.answers import Recognized, Timing
from inkscan.web.batching import Question
from inkscan.web.bodies import check_size, read_in
from inkscan.web.clients import client_of
from inkscan.web.failures import Failure
from inkscan.web.logs import LOGGER, log_request, note
from inkscan.web.options import Options
from inkscan.web.service import Service, service_of
from inkscan.web.shapes import Asked, Says

POLICY, TRY_LATER = 1008, 1013  # WebSocket close codes
BACK_OFF_SECONDS = 0.5
VERBS = ("undo", "redo", "clear")

router = APIRouter()


class Message(Asked):
    """What a client may send; strokes are read by the session."""

    model_config = ConfigDict(extra="forbid")

    add: Any = None
    remove: Annotated[list[int], Says("remove is a list of stroke numbers")] = Field(default_factory=list)
    set: Any = None
    undo: Annotated[bool, Says("undo is true or false")] = False
    redo: Annotated[bool, Says("redo is true or false")] = False
    clear: Annotated[bool, Says("clear is true or false")] = False
    wishes: Annotated[dict[str, Any], Says("wishes is an object")] = Field(default_factory=dict)
    id: Any = None
    key: Any = None


@router.websocket("/v1/live")
async def live(socket: WebSocket) -> None:
    """One live session."""
    service = service_of(socket)
    if not is_known_origin(socket.headers, service.settings):
        await socket.close(POLICY)
        return
    await socket.accept()
    started = time.perf_counter()
    connection = _Connection(socket, service)
    try:
        await connection.run()
    finally:
        service.live.discard(socket)
        note(socket.scope, answers=connection.answers)
        log_request(socket.scope, 101, time.perf_counter() - started)


class _Connection:
    """Receives changes and answers the newest ink, one recognition at a time."""

    def __init__(self, socket: WebSocket, service: Service) -> None:
        self._socket, self._service = socket, service
        self._session = Session(service.queue.recognizer)
        self._options = Options()
        self._changed = asyncio.Event()
        self._name: object = None  # of the message that is read
        self._id: object = None  # of the last one that was done
        self._welcome = not service.settings.api_key or is_key(offered_key(socket.headers), service.settings)
        self.answers = 0

    async def run(self) -> None:
        """Until the client goes."""
        reader = asyncio.create_task(self._answer())
        try:
            while await self._has_place():
                message = await self._message()
                if message["type"] == "websocket.disconnect" or not await self._take(message):
                    return
        except WebSocketDisconnect:
            return
        finally:
            reader.cancel()
            await asyncio.gather(reader, return_exceptions=True)

    async def _has_place(self) -> bool:
        """Take a place among the live sessions once the key was shown; False where all are taken."""
        places = self._service.live
        if self._welcome and self._socket not in places:
            if len(places) >= self._service.limits.live_sessions:
                await self._socket.close(TRY_LATER, "too many live sessions; try again later")
                return False
            places.add(self._socket)
        return True

    async def _message(self) -> Any:
        """The next message; whoever has yet to show the key may not stay for long."""
        seconds = None if self._welcome else self._service.limits.body_seconds
        try:
            async with asyncio.timeout(seconds):
                return await self._socket.receive()
        except TimeoutError:
            await self._socket.close(POLICY, f"no key within {seconds:g} s")
            return {"type": "websocket.disconnect"}

    async def _take(self, message: Any) -> bool:
        """One message; False ends the session."""
        body = (message.get("text") or "").encode("utf-8", "replace") or message.get("bytes") or b""
        self._name = None
        try:
            await read_in(self._service.reading, self._socket, body, partial(self._apply, body))
            self._id = self._name
            self._changed.set()
        except InkscanError as error:
            await self._send_error(error, self._name)
            if not self._welcome:
                await self._socket.close(POLICY)
                return False
        return True

    def _apply(self, body: bytes) -> None:
        """What a message asks for; away from the event loop, one message at a time."""
        value = parse_json(body)
        if not isinstance(value, dict):
            raise BadRequest("a message is a JSON object")
        self._name = value.get("id") if isinstance(value.get("id"), str | int) else None
        self._check_key(value)
        self._change(Message.read(value))

    def _check_key(self, value: dict[str, Any]) -> None:
        offered = value.get("key")
        if not self._welcome and isinstance(offered, str):
            self._welcome = is_key(offered, self._service.settings)
        if not self._welcome:
            raise Unauthorized("this server wants its key: send {'key': '...'} first")

    def _change(self, message: Message) -> None:
        """All that a message asks for, or an error and nothing of it."""
        session, given = self._session, message.model_fields_set
        options = Options.read(message.wishes) if "wishes" in given else self._options
        if given & {"add", "remove", "set"}:
            everything = {*range(len(session.strokes))}
            gone = everything if "set" in given else {*message.remove}
            add = (*_strokes(message.set), *_strokes(message.add))
            both = (*(session.strokes[i] for i in everything - gone), *add)
            check_size(len(both), sum(map(len, both)), self._service.limits)
            session.change(remove=gone, add=add)
        for verb in VERBS:
            if getattr(message, verb):
                getattr(session, verb)()
        self._options = options

    async def _answer(self) -> None:
        while True:
            await self._changed.wait()
            self._changed.clear()
            name, version, strokes = self._id, self._session.version, self._session.strokes
            reply: dict[str, Any] = {
                "type": "answer",
                "version": version,
                "id": name,
                "strokes": len(strokes),
            }
            try:
                if strokes:
                    reply |= await self._answered(Ink(strokes))
            except Overloaded:
                self._changed.set()  # the ink is still here, so it is only later
                await asyncio.sleep(BACK_OFF_SECONDS)
            except Exception as error:
                if not isinstance(error, InkscanError):
                    fields = {"id": self._socket.scope["request_id"]}
                    LOGGER.exception("a fault", extra={"fields": fields})
                await self._send_error(error, name)
            else:
                await self._socket.send_text(json.dumps(reply))
                self.answers += 1

    async def _answered(self, ink: Ink) -> dict[str, Any]:
        service, options = self._service, self._options
        write = partial(Recognized.of, options=options, vocabulary=service.symbols)
        question = Question(ink, options.search(service.search), write)
        answer = await service.queue.recognize(question, client_of(self._socket))
        written: Recognized = answer.written
        return written.json_of(timing=Timing.of(answer))

    async def _send_error(self, error: Exception, name: object) -> None:
        failure = Failure.of(error)
        body = {"type": "error", "id": name, "error": {"code": failure.code, "message": failure.message}}
        await self._socket.send_text(json.dumps(body))


def _strokes(value: object) -> tuple[Stroke, ...]:
    return () if value is None or value == [] else ink_from_json({"strokes": value}).strokes
