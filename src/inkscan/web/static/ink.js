// Strokes as plain data: {id, x: [], y: [], t: [], p: []}. y grows downwards, t is in milliseconds.

let count = 0;
const SESSION = Date.now().toString(36) + Math.random().toString(36).slice(2, 6);

/** A name that nothing else has, not even what was kept on another day. */
export function newId() {
  count += 1;
  return `${SESSION}-${count}`;
}

export const newStroke = (x = [], y = [], t = [], p = []) => ({ id: newId(), x, y, t, p });

export function boxOf(...strokes) {
  let [left, top, right, bottom] = [Infinity, Infinity, -Infinity, -Infinity];
  for (const stroke of strokes) {
    for (let i = 0; i < stroke.x.length; i += 1) {
      left = Math.min(left, stroke.x[i]);
      right = Math.max(right, stroke.x[i]);
      top = Math.min(top, stroke.y[i]);
      bottom = Math.max(bottom, stroke.y[i]);
    }
  }
  return { left, top, right, bottom, width: right - left, height: bottom - top };
}

/** The strokes scaled and moved into the middle of a frame, no larger than `most` times their size; as they are if it has no room. */
export function fitted(strokes, width, height, margin = 32, most = 3) {
  if (!strokes.length) return [];
  const box = boxOf(...strokes);
  const scale = Math.min(
    (width - 2 * margin) / Math.max(box.width, 1),
    (height - 2 * margin) / Math.max(box.height, 1),
    most,
  );
  if (scale <= 0) return strokes;
  const dx = (width - box.width * scale) / 2 - box.left * scale;
  const dy = (height - box.height * scale) / 2 - box.top * scale;
  const round = (value) => Math.round(value * 10) / 10;
  return strokes.map((stroke) => ({
    ...stroke,
    x: stroke.x.map((x) => round(x * scale + dx)),
    y: stroke.y.map((y) => round(y * scale + dy)),
  }));
}

/** The distance of a point from a stroke's line. */
export function distance(stroke, px, py) {
  let best = Infinity;
  const { x, y } = stroke;
  for (let i = 0; i < x.length; i += 1) {
    const j = Math.min(i + 1, x.length - 1);
    const [dx, dy] = [x[j] - x[i], y[j] - y[i]];
    const length = dx * dx + dy * dy;
    const along = length ? Math.min(1, Math.max(0, ((px - x[i]) * dx + (py - y[i]) * dy) / length)) : 0;
    best = Math.min(best, Math.hypot(px - x[i] - along * dx, py - y[i] - along * dy));
  }
  return best;
}

/** An SVG path of strokes, for small pictures. */
export function svgPath(strokes) {
  return strokes
    .map(({ x, y }) => x.map((v, i) => `${i ? 'L' : 'M'}${v} ${y[i]}`).join('') + (x.length === 1 ? 'h.1' : ''))
    .join('');
}
