// Scratch-out: a scribble over ink that is already there removes it. A single slash does not: slow writers of x, + and ≠
// would lose what they wrote.

import { boxOf, distance } from './ink.js';

const COVERED = 0.6; // of the old stroke's box by the scribble's
const TURNS = 4; // a scribble goes to and fro; letters turn less often
const NEAR = 10;

/** Ids of the strokes that `stroke` crosses out; empty when it is ordinary writing. */
export function scratchedOut(stroke, others) {
  if (!isScribble(stroke)) return [];
  const box = boxOf(stroke);
  return others.filter((other) => {
    const old = padded(boxOf(other));
    const share = overlap(box, old) / (old.width * old.height);
    return share > COVERED && touches(stroke, other);
  }).map((other) => other.id);
}

function isScribble(stroke) {
  const ends = Math.hypot(stroke.x.at(-1) - stroke.x[0], stroke.y.at(-1) - stroke.y[0]);
  return ends / length(stroke) < 0.5 && Math.max(turns(stroke.x), turns(stroke.y)) >= TURNS;
}

function length({ x, y }) {
  let sum = 1e-9;
  for (let i = 1; i < x.length; i += 1) sum += Math.hypot(x[i] - x[i - 1], y[i] - y[i - 1]);
  return sum;
}

/** How often the values turn back by a good part of their range. */
function turns(values) {
  const least = 0.35 * (Math.max(...values) - Math.min(...values));
  if (least < 6) return 0;
  let [found, direction, extreme] = [0, 0, values[0]];
  for (const value of values) {
    if (direction === 0) {
      if (Math.abs(value - extreme) > least) [direction, extreme] = [Math.sign(value - extreme), value];
    } else if ((value - extreme) * direction > 0) {
      extreme = value;
    } else if ((extreme - value) * direction > least) {
      found += 1;
      direction = -direction;
      extreme = value;
    }
  }
  return found;
}

function touches(stroke, other) {
  return other.x.some((x, i) => distance(stroke, x, other.y[i]) < NEAR);
}

function padded({ left, top, right, bottom }) {
  const box = { left: left - 1, top: top - 1, right: right + 1, bottom: bottom + 1 };
  return { ...box, width: box.right - box.left, height: box.bottom - box.top };
}

function overlap(a, b) {
  const width = Math.min(a.right, b.right) - Math.max(a.left, b.left);
  const height = Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top);
  return Math.max(0, width) * Math.max(0, height);
}
