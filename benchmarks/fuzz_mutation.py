"""Mutation: a good input after some changes, for `fuzz.py` and `attack.py`."""

from __future__ import annotations

import random
import re

MAX_BYTES = 200_000  # of a mutated input
WORDS = (
    *(
        b"{",
        b"}",
        b"^",
        b"_",
        b"\\frac",
        b"\\sqrt[",
        b"\\left(",
        b"\\limits",
        b"\\begin{array}",
        b"$",
        b"&",
        b"\\",
    ),
    *(
        b"<trace>",
        b"</trace>",
        b"<ink>",
        b"<mrow>",
        b"<mfrac>",
        b"<msup>",
        b"<!DOCTYPE",
        b"<!ENTITY a 'b'>",
        b"&a;",
    ),
    *(
        b"[",
        b"]",
        b"{}",
        b"[[",
        b"null",
        b"true",
        b'"x":',
        b'"strokes":',
        b",",
        b":",
        b'"',
        b"NaN",
        b"Infinity",
    ),
    *(
        b"1e309",
        b"-1e30",
        b"1e9",
        b"0",
        b"-0",
        b"9" * 400,
        b"\x00",
        b"\xff\xfe",
        b"\xef\xbb\xbf",
        b"\xed\xa0\x80",
        b"SCG_INK",
    ),
)
NUMBERS = (b"1e308", b"-1", b"0", b"1e9", b"999999999", b"1e-320")
NUMBER = re.compile(rb"-?\d+(?:\.\d+)?")


def mutated(rng: random.Random, seeds: list[bytes]) -> bytes:
    """A seed after some changes: bytes, words, numbers, pieces doubled, dropped, moved or repeated often."""
    data = bytearray(rng.choice(seeds))
    for _ in range(rng.choice((1, 1, 2, 3, 5, 10))):
        at, to = sorted(rng.randrange(len(data) + 1) for _ in range(2))
        kind = rng.randrange(9)
        if kind == 0 and data:
            data[rng.randrange(len(data))] = rng.randrange(256)
        elif kind == 1:
            data[at:at] = rng.choice(WORDS)
        elif kind == 2:
            del data[at : min(to, at + rng.choice((1, 8, 64, 100_000)))]
        elif kind == 3:
            data[at:at] = data[at : min(to, at + 64)]
        elif kind == 4:
            other = rng.choice(seeds)
            cut = rng.randrange(len(other) + 1)
            data[at:] = other[cut:]
        elif kind == 5:
            numbers = list(NUMBER.finditer(data))
            if numbers:
                chosen = rng.choice(numbers)
                data[chosen.start() : chosen.end()] = rng.choice(NUMBERS)
        elif kind == 6:
            data[at:at] = rng.choice(WORDS) * rng.choice((2, 50, 1_000, 10_000))
        elif kind == 7:
            data[at:at] = data[at : min(to, at + 32)] * rng.choice((2, 100, 3_000))
        else:
            del data[at:]
    return bytes(data[:MAX_BYTES])
