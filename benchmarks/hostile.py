"""Hostile inputs: what an attacker would send to each reader, made here from nothing.

Each builder yields (name, content). `attack.py` feeds them to the readers and adds mutated good inputs.
"""

from __future__ import annotations

import encodings.aliases
import json
from collections.abc import Iterator
from itertools import product
from pathlib import Path
from tempfile import TemporaryDirectory

import pyarrow as pa
import pyarrow.parquet as pq

from inkscan.data.corpus import SCHEMA

Inputs = Iterator[tuple[str, bytes]]


def declared_encodings() -> Inputs:
    """Every codec that Python knows, declared over bodies that some of them take minutes for."""
    bodies = {
        "text": b"a-" * 200_000,
        "ink": b"<ink><trace>1 2, 3 4</trace></ink>",
        "bytes": bytes(range(256)) * 100,
    }
    for codec, (name, body) in product(sorted(set(encodings.aliases.aliases.values())), bodies.items()):
        head = f"<?xml version='1.0' encoding='{codec.replace('_', '-')}'?>".encode()
        yield f"{codec} {name}", head + body
    for mark in (b"\xff\xfe", b"\xfe\xff", b"\xef\xbb\xbf", b"\xff\xfe\x00\x00", b"\x00\x00\xfe\xff"):
        yield f"mark {mark!r}", mark + b"<ink><trace>1 2</trace></ink>"


def inkmls() -> Inputs:
    def ink(body: bytes) -> bytes:
        return b"<ink>" + body + b"</ink>"

    def trace(points: bytes) -> bytes:
        return ink(b"<trace>" + points + b"</trace>")

    values = (
        b"'1 ",
        b"'1",
        b'"1,',
        b"1 ",
        b"1,",
        b"#f",
        b"T ",
        b"* ",
        b"? ",
        b"!1'2,",
        b"1e9,",
        b"nan ",
        b"1-",
        b".",
        b"-",
    )
    for value, times in product(values, (1, 1_000, 150_000, 2_500_000)):
        yield f"{value!r} x {times}", trace((value * times)[:7_900_000])
    for parts in (
        b"<trace>1 2</trace>",
        b"<trace>'1'2,'3'4</trace>",
        b"<traceGroup>",
        b"<annotation/>",
        b"<a b='c'/>",
    ):
        for times in (100, 9_999, 200_000):
            yield f"{parts!r} x {times}", ink((parts * times)[:7_900_000])
    nested = b"<traceGroup>" * 90_000 + b"</traceGroup>" * 90_000
    yield from {
        "deep": ink(nested[:7_900_000]),
        "entities": b"<!DOCTYPE ink [<!ENTITY a 'aaaaaaaaaa'><!ENTITY b '&a;&a;&a;'>]><ink><trace>&b;</trace></ink>",
        "attributes": b"<ink " + b" ".join(b"a%d='1'" % n for n in range(100_000)) + b"/>",
        "names": b"<ink><" + b"a" * 5_000_000 + b"/></ink>",
        "comment": b"<!--" + b"-" * 5_000_000 + b"<ink/>",
        "text": ink(b"x" * 7_000_000),
        "references": ink(
            b"<trace id='a'>1 2</trace>" + b"<traceGroup><traceView traceDataRef='#a'/></traceGroup>" * 40_000
        ),
    }.items()


def jsons() -> Inputs:
    pieces = (
        "[",
        '{"strokes":',
        "[[1,2],",
        "1e999,",
        "NaN,",
        '"a",',
        "9" * 5_000 + ",",
        "null,",
        "[[[1,2]]],",
        "\\ud800",
    )
    for (piece, times), closed in product(product(pieces, (1, 100, 100_000)), (False, True)):
        text = (piece * times)[:4_000_000]
        yield f"{piece[:9]} x {times} {closed}", f'{{"strokes": [{text}{"]}" if closed else ""}'.encode()
    values: tuple[object, ...] = (
        None,
        3,
        "a",
        [],
        {},
        [[]],
        [[[]]],
        [[[1]]],
        [[[1, 2, 3, 4, 5]]],
        [[[1, True]]],
        [[[1, 1e300]]],
        [{}],
    )
    for value in values:
        yield f"value {value}", json.dumps({"strokes": value}).encode()
        yield f"bare {value}", json.dumps(value).encode()
        yield f"groups {value}", json.dumps({"strokeGroups": value}).encode()
    yield "flat", json.dumps({"strokes": [list(range(400_000))]}).encode()
    yield "many strokes", json.dumps([[[1, 2]]] * 60_000).encode()
    yield "long column", json.dumps({"strokes": {"x": [[1] * 300_000], "y": [[1] * 300_000]}}).encode()


def latexes() -> Inputs:
    pieces = (
        "'", "^", "_", "{", "}", "x'", "x^{'}", "^{\\prime}", "\\frac", "\\frac{a}{b}", "\\sqrt[", "\\sqrt", "\\left(",
        "\\left(x\\right)", "x_", "\\overset{a}{b}", "\\hat", "\\begin{array}", "\\mathbb{R", "\\limits", "l o g", "$",
        "\\", "&", "\x00", "{x}^{y}_", "\\over ", "((((", "\\sum_", "\\mathbb{" + "A" * 50 + "}",
    )  # fmt: skip
    for piece, times in product(pieces, (1, 65, 1_000, 100_000)):
        yield f"{piece[:12]} x {times}", (piece * times)[:24_999].encode()
        yield f"x{piece[:12]} x {times} x", ("x" + piece * times)[:24_990].encode() + b"}x" * 4


def mathmls() -> Inputs:
    for tag, times in product(
        ("mrow", "msup", "mfrac", "msqrt", "mtable", "semantics", "mi"), (1, 60, 20_000)
    ):
        yield (
            f"{tag} x {times}",
            (f"<math>{f'<{tag}>' * times}<mi>x</mi>{f'</{tag}>' * times}</math>").encode(),
        )
        yield (
            f"{tag} beside {times}",
            (f"<math>{f'<{tag}><mi>x</mi></{tag}>' * times}</math>")[:400_000].encode(),
        )


def labels() -> Inputs:
    lines = (
        "a\tb",
        "a",
        "\t",
        "\t\t\t",
        '"',
        "a,b",
        "a\tb\tc",
        "\u2028",
        "a\\b\tx",
        " ",
        "file\tlatex",
        '"a\n',
        "a\t" + "x" * 90_000,
    )
    for line, times, end in product(lines, (1, 1_000, 50_000), ("\n", "\r\n", "")):
        yield f"{line[:9]!r} x {times} {end!r}", (line + end).encode() * (times if len(line) < 100 else 10)
    yield "a line without end", b"a\t" + b"x" * 20_000_000
    yield "no UTF-8", b"a\t\xff\xfe\n" * 100


def reports() -> Inputs:
    counts = (
        "1",
        "Infinity",
        "-Infinity",
        "NaN",
        "-1",
        "1e400",
        "9" * 4_000,
        "9" * 5_000,
        '"1"',
        "null",
        "[]",
        "true",
    )
    for a, b in product(counts, counts):
        row = f'{{"id": "a", "truth_tokens": {a}, "token_errors": {b}, "symlg_errors": {a}, "same_structure": {b}}}'
        yield f"{a[:9]} {b[:9]}", f'{{"samples": [{row}]}}'.encode()
    for text in (
        "[" * 100_000,
        '{"samples":' * 50_000,
        "",
        "3",
        '{"samples": 3}',
        '{"samples": [3]}',
        '{"samples": [[]]}',
        "\xff",
    ):
        yield text[:20], text.encode("latin-1")


def corpora() -> Inputs:
    """Parquet files of other shapes, with and without the metadata of a corpus."""
    metadata = {f"inkscan.{name}": "1" for name in ("split", "licence", "fingerprint", "format")}
    good = {
        "id": ["a"],
        "strokes": [[{"x": [1.0, 2.0], "y": [1.0, 2.0]}]],
        "tokens": [["x"]],
        "alignment": [[[0]]],
        "source": [""],
    }
    changes: list[tuple[str, object]] = [
        ("id", [None]), ("strokes", [[]]), ("strokes", [None]), ("strokes", [[{"x": [1.0], "y": []}]]),
        ("strokes", [[None]]), ("strokes", [[{"x": [], "y": []}]]), ("strokes", [[{"x": [float("nan")], "y": [1.0]}]]),
        ("strokes", [[{"x": [1e300], "y": [1.0]}]]), ("tokens", [[]]), ("tokens", [[None]]), ("source", [None]),
        ("tokens", [["x"] * 100_000]), ("tokens", [["x" * 1_000_000]]), ("alignment", [[]]), ("alignment", [[[-1]]]),
        ("alignment", [[[2**31 - 1]]]), ("alignment", [[[0] * 200_000]]), ("id", ["a" * 1_000_000]),
    ]  # fmt: skip
    for number, (name, value) in enumerate([("id", ["a"]), *changes]):
        table = pa.Table.from_pydict({**good, name: value}, schema=SCHEMA)
        yield f"{number} {name}", parquet(table.replace_schema_metadata(metadata))
    table = pa.Table.from_pydict(good, schema=SCHEMA)
    yield "no metadata", parquet(table)
    for version in ("0", "-1", "9" * 5_000, "x", "2"):
        yield (
            f"format {version[:9]}",
            parquet(table.replace_schema_metadata({**metadata, "inkscan.format": version})),
        )
    yield "no rows", parquet(table.slice(0, 0).replace_schema_metadata(metadata))
    yield "other columns", parquet(pa.table({"a": [1]}).replace_schema_metadata(metadata))
    for name in SCHEMA.names:
        yield f"without {name}", parquet(table.drop([name]).replace_schema_metadata(metadata))
        yield (
            f"numbers for {name}",
            parquet(
                table.set_column(SCHEMA.get_field_index(name), name, pa.array([1])).replace_schema_metadata(
                    metadata
                )
            ),
        )


def parquet(table: pa.Table) -> bytes:
    with TemporaryDirectory() as folder:
        path = Path(folder) / "c.parquet"
        pq.write_table(table, path)
        return path.read_bytes()
