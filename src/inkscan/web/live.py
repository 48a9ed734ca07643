"""WebSocket `/v1/live`: strokes come and go, and the newest ink is always the one that is read.

The client sends a `LiveMessage` for each change and gets a `LiveReply`; after an error nothing of the message is
done. While one ink is read, changes gather; the next answer is to the newest.
"""

from __future__ import annotations

import asyncio
import json
import time
from functools import partial
from typing import Annotated, Any, Literal

from fastapi import WebSocket, WebSocketDisconnect
from pydantic import ConfigDict, Field, WithJsonSchema

from inkscan.errors import BadRequest, InkscanError, Overloaded, Unauthorized
from inkscan.ink import Ink, Stroke
from inkscan.ink.json import ink_from_json, parse_json
from inkscan.runtime.session import Session
from inkscan.web.access import is_key, is_known_origin, offered_key
from inkscan.web.answers import Recognized, Timing
from inkscan.web.batching import Question
from inkscan.web.bodies import check_size, read_in
from inkscan.web.clients import client_of
from inkscan.web.dialects import OWN
from inkscan.web.failures import Failure
from inkscan.web.logs import LOGGER, log_request, note
from inkscan.web.options import Options
from inkscan.web.service import Service, service_of
from inkscan.web.shapes import Asked, Says, Shape
from inkscan.web.strokes import Strokes

POLICY, TRY_LATER = 1008, 1013  # WebSocket close codes
BACK_OFF_SECONDS = 0.5
VERBS = ("undo", "redo", "clear")

router = OWN.router()


_Name = Annotated[Any, WithJsonSchema({"anyOf": [{"type": "string"}, {"type": "integer"}]})]


class LiveMessage(Asked):
    """What a client may send; strokes are read by the session."""

    model_config = ConfigDict(extra="forbid")

    add: Strokes = Field(None, description="Put them after the others.")
    remove: Annotated[list[int], Says("remove is a list of stroke numbers")] = Field(
        default_factory=list, description="Remove these strokes, counted from 0; done before `add`."
    )
    set: Strokes = Field(None, description="Replace all strokes by these.")
    undo: Annotated[bool, Says("undo is true or false")] = Field(
        False, description="Take back the last change."
    )
    redo: Annotated[bool, Says("redo is true or false")] = Field(False, description="Do it again.")
    clear: Annotated[bool, Says("clear is true or false")] = Field(False, description="Remove all strokes.")
    options: Annotated[dict[str, Any], Says("options is an object")] = Field(
        default_factory=dict, description="Those of `/v1/recognize`, for all answers from now on."
    )
    wishes: Annotated[dict[str, Any], Says("wishes is an object")] = Field(
        default_factory=dict, description="The older name of `options`."
    )
    id: Annotated[str | int | None, Says("id is a string or a whole number")] = Field(
        None,
        description="A string or a whole number of your choice; an answer repeats the last one that it takes into "
        "account.",
    )
    key: Annotated[Any, WithJsonSchema({"type": "string"})] = Field(
        None, description="The server's key, in the first message and soon, where headers cannot be set."
    )


class LiveReply(Shape):
    """What it gets; an answer to ink has the fields of `/v1/recognize` too."""

    type: Literal["answer", "error"] = Field(
        description="An answer has the fields of `/v1/recognize` too, if the ink has strokes. An error with a "
        "`version` is about that ink, which stays; after any other the ink is as it was before the message."
    )
    id: _Name = Field(
        description="Of the last message that is taken into account, or of the one that was wrong."
    )
    version: int = Field(0, description="Grows with each change of the ink.")
    strokes: int = Field(0, description="How many the ink has.")
    error: dict[str, str] = Field(
        default_factory=dict, description="`code` and `message`, where something is wrong; see below."
    )

    def json_of(self, **more: Any) -> str:
        """What is said of it, and more keys."""
        return json.dumps(self.model_dump(exclude_unset=True) | more)


@router.websocket("/live")
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
        self._name = value.get("id") if type(value.get("id")) in (str, int) else None
        self._check_key(value)
        self._change(LiveMessage.read(value))

    def _check_key(self, value: dict[str, Any]) -> None:
        offered = value.get("key")
        if not self._welcome and isinstance(offered, str):
            self._welcome = is_key(offered, self._service.settings)
        if not self._welcome:
            raise Unauthorized("this server wants its key: send {'key': '...'} first")

    def _change(self, message: LiveMessage) -> None:
        """All that a message asks for, or an error and nothing of it."""
        session, given = self._session, message.model_fields_set
        options = self._options
        if given & {"options", "wishes"}:
            options = Options.read({**message.wishes, **message.options})
            self._service.queue.recognizer.constraint_of(options.search(self._service.search))
        verbs = [verb for verb in VERBS if getattr(message, verb)]
        if len(verbs) + bool(given & {"add", "remove", "set"}) > 1:
            raise BadRequest(f"{verbs[0]} is a message of its own; set replaces all strokes by others")
        if "set" in given and message.remove:
            raise BadRequest("set replaces all strokes by others, so there is none to remove")
        if given & {"add", "remove", "set"}:
            everything = {*range(len(session.strokes))}
            gone = everything if "set" in given else {*message.remove}
            add = (*_strokes(message.set), *_strokes(message.add))
            both = (*(session.strokes[i] for i in everything - gone), *add)
            check_size(len(both), sum(map(len, both)), self._service.limits)
            session.change(remove=gone, add=add)
        for verb in verbs:
            getattr(session, verb)()
        self._options = options

    async def _answer(self) -> None:
        while True:
            await self._changed.wait()
            self._changed.clear()
            name, version, strokes = self._id, self._session.version, self._session.strokes
            reply = LiveReply(type="answer", version=version, id=name, strokes=len(strokes))
            try:
                answered = await self._answered(Ink(strokes)) if strokes else {}
            except Overloaded:
                self._changed.set()  # the ink is still here, so it is only later
                await asyncio.sleep(BACK_OFF_SECONDS)
            except Exception as error:
                if not isinstance(error, InkscanError):
                    fields = {"id": self._socket.scope["request_id"]}
                    LOGGER.exception("a fault", extra={"fields": fields})
                await self._send_error(error, name, version=version, strokes=len(strokes))
            else:
                await self._socket.send_text(reply.json_of(**answered))
                self.answers += 1

    async def _answered(self, ink: Ink) -> dict[str, Any]:
        service, options = self._service, self._options
        search = options.search(service.search)
        write = partial(Recognized.of, options=options, vocabulary=service.symbols_for(search))
        question = Question(ink, search, write)
        answer = await service.queue.recognize(question, client_of(self._socket))
        written: Recognized = answer.written
        return written.json_of(timing=Timing.of(answer))

    async def _send_error(self, error: Exception, name: object, **ink: Any) -> None:
        failure = Failure.of(error)
        reply = LiveReply(type="error", id=name, **ink, **OWN.error(failure.code, failure.message))
        await self._socket.send_text(reply.json_of())


def _strokes(value: object) -> tuple[Stroke, ...]:
    return () if value is None or value == [] else ink_from_json({"strokes": value}).strokes
