"""Hostile archives: tars and zips that say of themselves what is not so, plain and packed."""

from __future__ import annotations

import bz2
import gzip
import io
import lzma
import struct
import zipfile
from collections.abc import Callable, Iterator
from itertools import product

Inputs = Iterator[tuple[str, bytes]]
BIG = 3_000_000  # zeros that pack into nothing


def tar_header(name: bytes, length: int, kind: bytes, **fields: bytes) -> bytes:
    block = bytearray(512)
    block[:100] = name[:100].ljust(100, b"\0")
    block[100:108] = b"0000644\0"
    octal = b"%011o\0" % length if length < 8**11 else b"\x80" + length.to_bytes(11, "big")
    block[124:136] = fields.get("size", octal).ljust(12, b"\0")
    block[156:157] = kind
    block[257:265] = fields.get("magic", b"ustar\x0000")
    block[148:156] = b" " * 8
    block[148:156] = fields.get("checksum", b"%06o\0 " % sum(block))
    return bytes(block)


def tars() -> Inputs:
    end = bytes(1024)
    for kind, size in product(
        (b"x", b"g", b"L", b"K", b"S", b"0", b"1", b"5", b"V"), (0, 1, 600, 70_000, BIG, 2**62)
    ):
        body = bytes(min(size, BIG))
        yield f"{kind!r} of {size}", tar_header(b"a", size, kind) + body + end
    for kind in (b"x", b"g", b"L", b"K"):
        chain = (tar_header(b"a", 512, kind) + b"11 path=ab\n".ljust(512, b"\0")) * 3_000
        yield f"chain of {kind!r}", chain + tar_header(b"a", 0, b"0") + end
    for record in (
        b"1" * 60_000,
        b"99999999999 path=a\n",
        b"-5 path=a\n",
        b"0 path=a\n",
        b"12 size=-100\n",
        b"30 size=" + b"9" * 21 + b"\n",
        b"30 GNU.sparse.map=0,1,2,3,4,5\n",
        b"22 GNU.sparse.major=1\n25 GNU.sparse.minor=0000\n",
        b"7 a=b\n " * 8_000,
        b" " * 600,
        b"path=a\n",
    ):
        header = tar_header(b"a", len(record), b"x") + record.ljust(-(-len(record) // 512) * 512, b"\0")
        yield f"record {record[:20]!r}", header + tar_header(b"a", 3, b"0") + b"abc".ljust(512, b"\0") + end
    for written in (b"\xff" * 12, b"\x80" + b"\xff" * 11, b"777777777777", b"-1\0", b"zz", b"\0" * 12):
        yield f"size {written!r}", tar_header(b"a", 0, b"0", size=written) + end
    yield "wrong checksum", tar_header(b"a", 0, b"0", checksum=b"7777777\0") + end
    yield "many entries", b"".join(tar_header(b"%d" % n, 0, b"0") for n in range(20_000)) + end
    yield "two in one", (tar_header(b"a", 0, b"0") + end) * 2
    yield "zeros", bytes(BIG)


def archives() -> Inputs:
    """Tars of all kinds plain and packed, and zips that say of themselves what is not so."""
    packers: dict[str, Callable[[bytes], bytes]] = {
        "tar": bytes,
        "gz": gzip.compress,
        "bz2": bz2.compress,
        "xz": lzma.compress,
    }
    for suffix, pack in packers.items():
        for name, data in tars():
            yield f"{suffix} {name}", pack(data)
    for suffix, pack in list(packers.items())[1:]:
        packed = pack(tar_header(b"a", 30 * BIG, b"0") + bytes(BIG))
        for at in range(0, len(packed), max(1, len(packed) // 25)):
            yield f"{suffix} flipped at {at}", packed[:at] + bytes([packed[at] ^ 0x55]) + packed[at + 1 :]
        yield f"{suffix} bomb of streams", packed + pack(bytes(BIG)) * 40
        yield f"{suffix} many streams", pack(b"") * 2_000
    dictionary = [{"id": lzma.FILTER_LZMA2, "dict_size": 1 << 30}]
    yield "xz of a giant dictionary", lzma.compress(bytes(1024), filters=dictionary)
    yield from zips()


def zips() -> Inputs:
    for method in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED, zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA):
        buffer = io.BytesIO()
        with zipfile.ZipFile(buffer, "w", method) as archive:
            archive.writestr("bomb.inkml", bytes(BIG))
        whole = buffer.getvalue()
        yield f"zip bomb {method}", whole
        entry = whole[whole.rindex(b"PK\x01\x02") : whole.rindex(b"PK\x05\x06")]
        for copies in (2, 2_000):
            place = whole.rindex(b"PK\x01\x02")
            end = struct.pack("<4s4H2LH", b"PK\x05\x06", 0, 0, copies, copies, copies * len(entry), place, 0)
            yield f"zip of {copies} entries over one body {method}", whole[:place] + entry * copies + end
        for at in range(0, len(entry), 3):
            place = whole.rindex(b"PK\x01\x02") + at
            yield f"zip {method} entry byte {at}", whole[:place] + b"\xff" + whole[place + 1 :]
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        for number in range(10_000):
            archive.writestr(f"{number}", b"")
    yield "zip of many entries", buffer.getvalue()
