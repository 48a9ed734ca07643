// InkSurface: a canvas that takes pen, touch and mouse, and draws strokes with what is known of them.
//
// Events: "change" after each change of the strokes, "pendown" and "penup", "scratch" with the ids that a scribble removed, "tap"
// with its place before it becomes a dot, and "resize" when the ink may be shown in another size.

import { boxOf, distance, newStroke } from './ink.js';
import { History } from './history.js';
import { scratchedOut } from './scratch.js';

const PEN = 3; // CSS pixels at middle pressure
const ERASER = 12;
const TAP = 6; // CSS pixels that a tap may move
const FADE_MS = 260;
const PALM_MS = 1500; // a touch this soon after the pen is the hand that holds it

export class InkSurface extends EventTarget {
  #canvas;
  #context;
  #history = new History();
  #current = null; // the stroke being drawn
  #pointer = null;
  #isTouch = false; // the pointer is a finger or a palm
  #erased = null; // ids while the eraser is down
  #fading = []; // {strokes, until}
  #origin = performance.now();
  #penSeen = -Infinity;
  #scale = 1;
  #frame = 0;
  tool = 'pen';
  isLocked = false; // it takes no pen
  selected = new Set();
  doubtful = new Set();
  unread = new Set(); // ids of strokes that no symbol of the answer explains
  heat = null; // Map of stroke id to attention, while a replay runs

  constructor(canvas) {
    super();
    this.#canvas = canvas;
    this.#context = canvas.getContext('2d');
    canvas.style.touchAction = 'none';
    canvas.addEventListener('pointerdown', (event) => this.#down(event));
    canvas.addEventListener('pointermove', (event) => this.#move(event));
    canvas.addEventListener('pointerup', (event) => this.#up(event));
    canvas.addEventListener('pointercancel', (event) => this.#cancel(event));
    canvas.addEventListener('contextmenu', (event) => event.preventDefault());
    new ResizeObserver(() => this.#resize()).observe(canvas);
    this.#resize();
  }

  get strokes() { return this.#history.present; }
  get canUndo() { return this.#history.canUndo; }
  get canRedo() { return this.#history.canRedo; }
  get scale() { return this.#scale; } // of what is shown to the strokes' own coordinates
  get size() { return { width: this.#canvas.clientWidth, height: this.#canvas.clientHeight }; }

  add(...strokes) { this.#commit([...this.strokes, ...strokes]); }

  /** Another sheet: there is nothing to undo in it. */
  begin(strokes) {
    this.#history.reset([...strokes]);
    this.#changed();
    this.#fit();
  }

  /** Other strokes, such as those of a file; those that would not fit are shown smaller. */
  replace(strokes) {
    this.#commit([...strokes]);
    this.#fit();
  }

  /** The same strokes in another place or size, which is no step to undo. */
  refit(strokes) {
    this.#history.present = [...strokes];
    this.#changed();
    this.#fit();
  }

  clear() { if (this.strokes.length) this.#commit([]); }

  remove(ids) {
    const gone = new Set(ids);
    const kept = this.strokes.filter((stroke) => !gone.has(stroke.id));
    if (kept.length < this.strokes.length) this.#commit(kept);
  }

  /** Go on with a press that began on something before the canvas: its events so far are the first of a stroke. */
  takeOver([first, ...others]) {
    this.#down(first);
    for (const event of others) this.#move(event);
  }

  /** Forget the stroke being drawn: nobody will say where it ends. */
  drop() {
    if (this.#pointer === null) return;
    this.#lift();
    this.redraw();
  }

  undo() { if (this.canUndo) { this.#history.undo(); this.#changed(); } }
  redo() { if (this.canRedo) { this.#history.redo(); this.#changed(); } }

  redraw() {
    if (!this.#frame) this.#frame = requestAnimationFrame(() => { this.#frame = 0; this.#draw(); });
  }

  #commit(strokes) {
    this.#history.push(strokes);
    this.#changed();
  }

  #changed() {
    if (!this.strokes.length) this.#scale = 1;
    this.redraw();
    this.dispatchEvent(new Event('change'));
  }

  #down(event) {
    if (this.isLocked || (event.pointerType === 'mouse' && event.button !== 0)) return;
    if (event.pointerType === 'pen' && this.#isTouch) this.drop(); // the palm came first
    if (this.#pointer !== null) return;
    if (event.pointerType === 'pen') this.#penSeen = performance.now();
    else if (event.pointerType === 'touch' && performance.now() - this.#penSeen < PALM_MS) return;
    event.preventDefault();
    this.#canvas.focus({ preventScroll: true });
    this.#canvas.setPointerCapture(event.pointerId);
    this.#pointer = event.pointerId;
    this.#isTouch = event.pointerType === 'touch';
    this.dispatchEvent(new Event('pendown'));
    const penEraser = event.pointerType === 'pen' && (event.buttons & 32) !== 0;
    if (this.tool === 'eraser' || penEraser) this.#erased = new Set();
    else this.#current = newStroke();
    this.#take(event);
  }

  #move(event) {
    if (event.pointerId !== this.#pointer) return;
    if (event.pointerType === 'pen') this.#penSeen = performance.now();
    const events = event.getCoalescedEvents?.() ?? [];
    for (const one of events.length ? events : [event]) this.#take(one);
  }

  #take(event) {
    const [x, y] = this.#place(event);
    if (this.#erased) {
      for (const stroke of this.strokes) if (distance(stroke, x, y) < ERASER) this.#erased.add(stroke.id);
    } else {
      const stroke = this.#current;
      if (stroke.x.at(-1) === x && stroke.y.at(-1) === y) return;
      stroke.x.push(x);
      stroke.y.push(y);
      stroke.t.push(Math.round(event.timeStamp - this.#origin));
      stroke.p.push(Math.round((event.pressure || 0.5) * 1000) / 1000);
    }
    this.redraw();
  }

  #up(event) {
    if (event.pointerId !== this.#pointer) return;
    const [stroke, erased] = [this.#current, this.#erased];
    this.#lift();
    if (erased) {
      this.remove(erased);
      this.redraw();
      return;
    }
    if (this.#isTaken(stroke)) {
      this.redraw();
      return;
    }
    const scratched = scratchedOut(stroke, this.strokes);
    if (!scratched.length) {
      this.add(stroke);
      return;
    }
    const gone = new Set(scratched);
    this.#fading.push({
      strokes: [...this.strokes.filter(({ id }) => gone.has(id)), stroke],
      until: performance.now() + FADE_MS,
    });
    this.remove(gone);
    this.dispatchEvent(new CustomEvent('scratch', { detail: scratched }));
  }

  /** Whether somebody wants a tap for himself, who prevents the event's default: then it is no dot. */
  #isTaken(stroke) {
    const { left, top, width, height } = boxOf(stroke);
    const detail = { x: left * this.#scale, y: top * this.#scale };
    return Math.hypot(width, height) * this.#scale < TAP && !this.dispatchEvent(new CustomEvent('tap', { detail, cancelable: true }));
  }

  #cancel(event) { if (event.pointerId === this.#pointer) this.drop(); }

  #lift() {
    this.#current = this.#erased = this.#pointer = null;
    this.dispatchEvent(new Event('penup'));
  }

  #place(event) {
    const frame = this.#canvas.getBoundingClientRect();
    const round = (value) => Math.round((value / this.#scale) * 10) / 10;
    return [round(event.clientX - frame.left), round(event.clientY - frame.top)];
  }

  #resize() {
    const { width, height } = this.size;
    const ratio = devicePixelRatio || 1;
    this.#canvas.width = Math.max(1, Math.round(width * ratio));
    this.#canvas.height = Math.max(1, Math.round(height * ratio));
    this.#fit();
    this.#draw();
    this.dispatchEvent(new Event('resize'));
  }

  /**
   * Ink wider or taller than the canvas is shown smaller; its coordinates stay. Never while somebody writes: then nothing
   * that is written may move.
   */
  #fit() {
    const { width, height } = this.size;
    if (this.#current || !this.strokes.length || !width || !height) return;
    const box = boxOf(...this.strokes);
    this.#scale = Math.min(width / Math.max(width, box.right + 8), height / Math.max(height, box.bottom + 8));
    this.redraw();
  }

  #draw() {
    const style = getComputedStyle(this.#canvas);
    const color = (name) => { this.#canvas.style.color = `var(${name})`; return style.color; }; // light-dark() is resolved on the way
    const context = this.#context;
    const ratio = (devicePixelRatio || 1) * this.#scale;
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    context.clearRect(0, 0, this.#canvas.width / ratio, this.#canvas.height / ratio);
    context.lineCap = context.lineJoin = 'round';
    const hottest = this.heat ? Math.max(...this.heat.values(), 1e-6) : 1;
    for (const stroke of this.strokes) {
      if (!this.heat && this.selected.has(stroke.id)) this.#line(stroke, color('--accent-soft'), 14);
      else if (!this.heat && this.unread.has(stroke.id)) this.#unreadLine(stroke, color('--danger'));
      else if (!this.heat && this.doubtful.has(stroke.id)) this.#line(stroke, color('--doubt-soft'), 11);
    }
    for (const stroke of this.strokes) {
      context.globalAlpha = this.#erased?.has(stroke.id) ? 0.2 : 1;
      if (this.heat) {
        const share = (this.heat.get(stroke.id) ?? 0) / hottest;
        if (share > 0.05) this.#line(stroke, color('--heat'), PEN + 10 * share, 0.25 * share);
        this.#line(stroke, color('--ink-faint'), PEN);
        this.#line(stroke, color('--heat'), PEN * (1 + 0.4 * share), share);
      } else {
        this.#line(stroke, color(this.selected.has(stroke.id) ? '--accent' : '--ink'), PEN);
      }
    }
    context.globalAlpha = 1;
    if (this.#current) this.#line(this.#current, color('--ink'), PEN);
    this.#drawFading(color('--danger'));
  }

  /** A dotted band: a sign for those, too, who do not see its colour. */
  #unreadLine(stroke, color) {
    this.#context.setLineDash([1, 13]);
    this.#line(stroke, color, 11, 0.4);
    this.#context.setLineDash([]);
  }

  #drawFading(color) {
    const now = performance.now();
    this.#fading = this.#fading.filter(({ until }) => until > now);
    for (const { strokes, until } of this.#fading) {
      for (const stroke of strokes) this.#line(stroke, color, PEN, (until - now) / FADE_MS);
    }
    if (this.#fading.length) this.redraw();
  }

  #line({ x, y, p }, color, width, alpha = null) {
    const context = this.#context;
    const before = context.globalAlpha;
    if (alpha !== null) context.globalAlpha = Math.max(0, Math.min(1, alpha));
    context.strokeStyle = context.fillStyle = color;
    context.lineWidth = width;
    if (x.length === 1) {
      context.beginPath();
      context.arc(x[0], y[0], width * 0.7, 0, 2 * Math.PI);
      context.fill();
    } else if (p.length === x.length && width <= 2 * PEN && alpha === null && p.some((v) => v !== p[0])) {
      this.#pressed(x, y, p, width);
    } else {
      context.beginPath();
      smooth(context, x, y);
      context.stroke();
    }
    context.globalAlpha = before;
  }

  #pressed(x, y, p, width) {
    const context = this.#context;
    for (let i = 1; i < x.length; i += 1) {
      context.lineWidth = width * (0.45 + 0.55 * (p[i] + p[i - 1]));
      context.beginPath();
      context.moveTo(x[i - 1], y[i - 1]);
      context.lineTo(x[i], y[i]);
      context.stroke();
    }
  }
}

function smooth(context, x, y) {
  context.moveTo(x[0], y[0]);
  for (let i = 1; i < x.length - 1; i += 1) {
    context.quadraticCurveTo(x[i], y[i], (x[i] + x[i + 1]) / 2, (y[i] + y[i + 1]) / 2);
  }
  context.lineTo(x.at(-1), y.at(-1));
}
