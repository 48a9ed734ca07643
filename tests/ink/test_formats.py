"""Any bytes give an ink or an error with a code, soon."""

from __future__ import annotations

import io
import time
import tracemalloc
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from inkscan.errors import InkError, InkTooLarge, MalformedInk, SourceNotFound
from inkscan.ink import Ink
from inkscan.ink.ink import MAX_BYTES
from inkscan.ink.inkml import read_inkml
from inkscan.ink.json import read_json
from inkscan.ink.scgink import read_scgink
from inkscan.ink.svg import to_svg

INKML = b'<ink xmlns="http://www.w3.org/2003/InkML"><trace id="0">1 2, 3 4</trace><trace>5 6</trace></ink>'
JSON = b' {"strokes": [[[1, 2], [3, 4]], [[5, 6]]]}'
SCGINK = b"SCG_INK\n2\n2\n1 2\n3 4\n1\n5 6\n"
EXPECTED = Ink.from_points([[[1, 2], [3, 4]], [[5, 6]]])


@pytest.mark.parametrize("data", [INKML, JSON, SCGINK, b"\xef\xbb\xbf" + INKML, b"\xef\xbb\xbf" + JSON])
def test_the_format_is_told_by_content(data: bytes, tmp_path: Path) -> None:
    path = tmp_path / "ink.data"
    path.write_bytes(data)
    assert Ink.read(data) == Ink.read(path) == Ink.read(str(path)) == Ink.read(io.BytesIO(data)) == EXPECTED


ENTITY_BOMB = (
    b'<!DOCTYPE ink [<!ENTITY a "aaaaaaaaaa">'
    + b"".join(b'<!ENTITY %c "%s">' % (98 + i, b"&%c;" % (97 + i) * 10) for i in range(9))
    + b"]><ink><trace>&j;</trace></ink>"
)
EXTERNAL_ENTITY = b'<!DOCTYPE ink [<!ENTITY e SYSTEM "file:///etc/passwd">]><ink><trace>&e;</trace></ink>'


def trace(points: bytes) -> bytes:
    return b"<ink><trace>" + points + b"</trace></ink>"


HOSTILE = {
    "empty": (b"", "ink.empty"),
    "blank": (b" \n\t ", "ink.empty"),
    "truncated": (INKML[:-20], "ink.malformed"),
    "entity bomb": (ENTITY_BOMB, "ink.unsafe_xml"),
    "external entity": (EXTERNAL_ENTITY, "ink.unsafe_xml"),
    "external DTD, never fetched": (b'<!DOCTYPE ink SYSTEM "http://127.0.0.1:9/x.dtd">' + INKML, None),
    "50 MB of points": (trace(b"1 2, " * 10_000_000 + b"1 2"), "ink.too_large"),
    "points just below the size limit": (trace(b"1 2," * 1_900_000 + b"1 2"), "ink.too_large"),
    "points over the limit": (trace(b"1 2," * 300_000 + b"1 2"), "ink.too_large"),
    "coded points": (trace(b"'1 2," * 150_000 + b"1 2"), None),
    "one enormous coded row": (trace(b"'1 " * 2_600_000), "ink.too_large"),
    "one enormous coded row without spaces": (trace(b"'1" * 3_900_000), "ink.too_large"),
    "one enormous plain row": (trace(b"1 " * 3_900_000), "ink.too_large"),
    "many traces of coded values": (
        b"<ink><traceFormat>%s</traceFormat>" % b"".join(b"<channel name='%c'/>" % name for name in b"XYTF")
        + (b"<trace>" + b"'1'2'3'4," * 90 + b"</trace>") * 9_000
        + b"</ink>",
        "ink.too_large",
    ),
    "punycode": (b"<?xml version='1.0' encoding='punycode'?><ink>" + b"a-" * 500_000, "ink.encoding"),
    "an encoding that always fails": (b"<?xml version='1.0' encoding='undefined'?>" + INKML, "ink.encoding"),
    "an encoding of other things than text": (
        b"<?xml version='1.0' encoding='zip'?>" + INKML,
        "ink.encoding",
    ),
    "Latin-1 by name": (b"<?xml version='1.0' encoding='ISO-8859-1'?><!-- \xe9 -->" + INKML, None),
    "UTF-16": (('<?xml version="1.0" encoding="UTF-16"?>' + INKML.decode()).encode("utf-16"), None),
    "JSON in UTF-16": ('{"strokes": [[[1, 2], [3, 4]]]}'.encode("utf-16"), None),
    "JSON in UTF-16 without mark": ("[[[1, 2]]]".encode("utf-16-be"), None),
    "broken JSON in UTF-16": ("{".encode("utf-16"), "ink.malformed"),
    "prose in UTF-16": ("x squared".encode("utf-16"), "ink.unknown_format"),
    "coded points over the limit": (trace(b"'1 2," * 400_000 + b"1 2"), "ink.too_large"),
    "traces of many points": (
        b"<ink>" + trace(b"1 2," * 50_000 + b"1 2")[5:-6] * 30 + b"</ink>",
        "ink.too_large",
    ),
    "elements": (b"<ink>" + b"<a/>" * 1_900_000 + b"</ink>", "ink.too_large"),
    "attributes": (b"<ink " + b" ".join(b'a%d="1"' % i for i in range(600_000)) + b"/>", "ink.too_large"),
    "empty JSON lists": (b'{"strokes":[' + b"[]," * 2_500_000 + b"[]]}", "ink.too_large"),
    "NaN": (trace(b"1 2, nan 3"), "ink.coordinate"),
    "infinity": (trace(b"1 2, inf 3"), "ink.coordinate"),
    "overflow": (trace(b"1 2, 1e999 3"), "ink.coordinate"),
    "1e30": (trace(b"1 2, 1e30 3"), "ink.coordinate"),
    "one point": (trace(b"1 2"), None),
    "no strokes": (b"<ink></ink>", "ink.no_strokes"),
    "100,000 strokes": (b"<ink>" + b"<trace>1 2, 3 4</trace>" * 100_000 + b"</ink>", "ink.too_large"),
    "a stroke in 40,000 pieces": (
        b"<ink><trace id='a'>1 2</trace>"
        + b"<trace id='a' priorRef='a' continuation='middle'>1 2</trace>" * 40_000
        + b"</ink>",
        "ink.too_large",
    ),
    "a stroke in 9,000 long pieces": (
        b"<ink><trace id='a'>1 2</trace>"
        + b"<trace id='a' priorRef='a' continuation='middle'>%s</trace>" % b",".join([b"1 2"] * 20) * 9_000
        + b"</ink>",
        None,
    ),
    "groups of groups": (
        b"<ink><traceGroup id='g'>"
        + b"".join(b"<trace id='%d'>1 2</trace>" % i for i in range(9_000))
        + b"</traceGroup>"
        + b"<traceGroup><traceView traceDataRef='g'/></traceGroup>" * 30_000
        + b"</ink>",
        "ink.too_large",
    ),
    "strokes without names in groups": (
        b"<ink>"
        + b"<trace>1 2</trace>" * 9_000
        + b"<traceGroup><traceView/></traceGroup>" * 30_000
        + b"</ink>",
        None,  # they refer to nothing
    ),
    "strokes of one name in groups": (
        b"<ink>"
        + b"<trace id='a'>1 2</trace>" * 9_000
        + b"<traceGroup><traceView traceDataRef='a'/></traceGroup>" * 30_000
        + b"</ink>",
        "ink.too_large",
    ),
    "deep": (b"<ink>" + b"<traceGroup>" * 100_000, "ink.malformed"),
    "deep and closed": (
        b"<ink>" + b"<traceGroup>" * 70_000 + b"</traceGroup>" * 70_000 + b"</ink>",
        "ink.malformed",
    ),
    "wrong encoding": (b'<?xml version="1.0" encoding="utf-8"?><ink a="\xe9"/>', "ink.encoding"),
    "unknown encoding": (b'<?xml version="1.0" encoding="klingon"?><ink/>', "ink.encoding"),
    "codec that is no text": (b'<?xml version="1.0" encoding="zlib"?><ink/>', "ink.encoding"),
    "UTF-16 without mark": (INKML.decode().encode("utf-16-le"), "ink.encoding"),
    "zeros": (b"<ink>\x00</ink>", "ink.encoding"),
    "JSON of another shape": (b'{"type": "FeatureCollection", "features": []}', "ink.malformed"),
    "JSON in Latin-1": ('{"é": 1}'.encode("latin-1"), "ink.encoding"),
    "deep JSON": (b"[" * 100_000, "ink.malformed"),
    "picture": (b"\x89PNG\r\n\x1a\n" + b"\x00" * 100, "ink.unknown_format"),
    "prose": (b"x squared plus one", "ink.unknown_format"),
    "binary": (bytes(range(256)), "ink.unknown_format"),
}


def outcome(data: bytes) -> str | None:
    """The code of the error, None if the ink can be read; any other exception is a failure."""
    try:
        Ink.read(data)
    except InkError as error:
        return error.code
    return None


@pytest.mark.parametrize("case", HOSTILE)
def test_hostile_ink_gets_its_code_in_time(case: str) -> None:
    data, code = HOSTILE[case]
    started = time.process_time()
    found = outcome(data)
    assert time.process_time() - started < 5
    assert found == code


def test_a_drawing_is_told_what_is_read() -> None:
    with pytest.raises(MalformedInk, match="SVG is an output only: of XML, InkML alone holds"):
        Ink.read(to_svg(EXPECTED).encode())
    with pytest.raises(MalformedInk, match="<html>, not <ink>: of XML"):
        Ink.read(b"<html/>")


def test_a_large_file_is_not_read_into_memory(tmp_path: Path) -> None:
    path = tmp_path / "large.inkml"
    with path.open("wb") as stream:
        stream.truncate(20 * MAX_BYTES)
    tracemalloc.start()
    try:
        with pytest.raises(InkTooLarge):
            Ink.read(path)
        assert tracemalloc.get_traced_memory()[1] < 3 * MAX_BYTES
    finally:
        tracemalloc.stop()


@pytest.mark.parametrize("read", [read_inkml, read_json, read_scgink])
def test_every_reader_has_the_size_limit(read: Callable[[bytes], object]) -> None:
    with pytest.raises(InkTooLarge, match="bytes"):
        read(b" " * (MAX_BYTES + 1))


def test_a_file_that_is_not_there() -> None:
    with pytest.raises(SourceNotFound):
        Ink.read("no-such-file.inkml")


@given(st.binary(max_size=60) | st.binary(max_size=20).map(lambda b: INKML[:40] + b + INKML[60:]))
def test_any_bytes_give_ink_or_a_known_error(data: bytes) -> None:
    code = outcome(data)
    assert code is None or code.startswith("ink.")
