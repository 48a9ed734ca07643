// A ZIP archive of small files, stored as they are.

const TABLE = Array.from({ length: 256 }, (_, n) => {
  let value = n;
  for (let bit = 0; bit < 8; bit += 1) value = value & 1 ? (value >>> 1) ^ 0xedb88320 : value >>> 1;
  return value >>> 0;
});

function checksum(bytes) {
  let value = 0xffffffff;
  for (const byte of bytes) value = TABLE[(value ^ byte) & 0xff] ^ (value >>> 8);
  return (value ^ 0xffffffff) >>> 0;
}

/** Little-endian numbers: [size in bytes, value] each. */
function packed(...fields) {
  const bytes = new Uint8Array(fields.reduce((sum, [size]) => sum + size, 0));
  let at = 0;
  for (const [size, value] of fields) {
    for (let i = 0; i < size; i += 1) bytes[at + i] = Math.floor(value / 256 ** i) & 0xff;
    at += size;
  }
  return bytes;
}

/** A Blob of the archive; `files` are [name, text]. */
export function zip(files) {
  const encoder = new TextEncoder();
  const [parts, directory] = [[], []];
  let offset = 0;
  for (const [name, text] of files) {
    const [path, data] = [encoder.encode(name), encoder.encode(text)];
    const common = [[2, 20], [2, 0x800], [2, 0], [2, 0], [2, 0x21], [4, checksum(data)], [4, data.length], [4, data.length], [2, path.length], [2, 0]];
    directory.push(packed([4, 0x02014b50], [2, 20], ...common, [2, 0], [2, 0], [2, 0], [4, 0], [4, offset]), path);
    parts.push(packed([4, 0x04034b50], ...common), path, data);
    offset += 30 + path.length + data.length;
  }
  const size = directory.reduce((sum, part) => sum + part.length, 0);
  const end = packed([4, 0x06054b50], [2, 0], [2, 0], [2, files.length], [2, files.length], [4, size], [4, offset], [2, 0]);
  return new Blob([...parts, ...directory, end], { type: 'application/zip' });
}
