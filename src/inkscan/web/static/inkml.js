// InkML in the browser: CROHME, MathWriting and the W3C's general form, as the server reads it.

import { newStroke } from './ink.js';
import { PLAIN_FORMAT, canvasOf, channelOf, ownText, pointsOf, strokeOf, withResolution } from './inkmlpoints.js';
import { DATA, MAX_DEPTH, Views, keyOf, referred, tooDeep } from './inkmlviews.js';

const MAX_POINTS = 200_000; // of all traces and views
const FORMATTING = new Set(['context', 'inkSource', 'traceFormat', 'canvasTransform']);

/** The strokes of an InkML file; throws an Error whose message can be shown. */
export function readInkml(text) {
  if (/<!ENTITY/i.test(text)) throw new Error('The file declares entities, which ink does not need.');
  const { documentElement: root } = new DOMParser().parseFromString(text, 'application/xml');
  if (root.localName === 'parsererror' || root.querySelector('parsererror')) throw new Error('The XML is broken or cut short.');
  if (root.localName !== 'ink') throw new Error('This XML is not InkML.');
  return new Reader().strokesOf(root);
}

/** Walks a document once; references may point forwards: those to formats are followed at once, those to traces at the end. */
class Reader {
  #format = PLAIN_FORMAT;
  #formats = new Map([['DefaultContext', PLAIN_FORMAT]]);
  #defined = new Map(); // formats that may be referred to before the walk comes to them
  #depth = 0; // of the element that is walked, by nesting and by reference
  #pieces = []; // of each stroke
  #points = 0;
  #members = new Map(); // the strokes of each trace
  #named = new Map(); // traces, groups and views
  #isDefining = false;
  #hidden = new Set(); // strokes that are ink only if a view outside definitions refers to them
  #drawn = []; // numbers of strokes, and views of others
  #groups = []; // what each of them holds

  strokesOf(root) {
    for (const element of root.querySelectorAll('*')) {
      const [key, kind] = [keyOf(element), element.localName];
      const known = FORMATTING.has(kind) ? this.#defined : DATA.has(kind) ? this.#named : null;
      if (key !== element && known && !known.has(key)) known.set(key, element);
    }
    this.#walk(root.children, 0);
    const views = new Views(this.#named, this.#members, this.#pieces);
    const parts = this.#drawnParts(views);
    this.#checkGroups(views);
    return parts.map(({ stroke, first, last }) => cut(joined(this.#pieces[stroke]), first, last));
  }

  #walk(elements, depth) {
    if (depth > MAX_DEPTH) throw tooDeep();
    for (const element of elements) {
      this.#depth = depth;
      switch (element.localName) {
        case 'trace': this.#trace(element); break;
        case 'traceFormat': this.#traceFormat(element); break;
        case 'traceGroup': this.#traceGroup(element, depth); break;
        case 'traceView': this.#traceView(element, depth); break;
        case 'context': case 'inkSource': this.#context(element, depth); break;
        case 'channelProperties': this.#walk(element.children, depth + 1); break;
        case 'channelProperty': this.#channelProperty(element); break;
        case 'canvasTransform':
          this.#format = { ...this.#format, canvas: canvasOf(element) };
          this.#nameFormat(element);
          break;
        case 'definitions': this.#definitions(element, depth); break;
        default:
      }
    }
  }

  #traceFormat(element) {
    const channels = [...element.getElementsByTagNameNS('*', 'channel')].map(channelOf);
    if (channels.length) this.#format = { ...this.#format, channels };
    this.#nameFormat(element);
  }

  /** Only resolutions matter: places that are told in other steps along x than along y. */
  #channelProperty(element) {
    const [kind, name, value, units] = ['name', 'channel', 'value', 'units'].map((attribute) => element.getAttribute(attribute) ?? '');
    if (kind !== 'resolution' || !['X', 'Y'].includes(name)) return;
    const channels = this.#format.channels.map((channel) => (channel.name === name ? withResolution(channel, value, units) : channel));
    this.#format = { ...this.#format, channels };
  }

  #context(element, depth) {
    const holdsInk = [...element.children].some(({ localName }) => ['trace', 'traceGroup'].includes(localName));
    if (holdsInk) throw new Error(`A ${element.localName} in the file holds traces; they belong beside it.`);
    for (const attribute of ['contextRef', 'inkSourceRef', 'traceFormatRef']) this.#format = this.#formatOf(element, attribute);
    const transform = element.getAttribute('canvasTransformRef');
    if (transform) this.#format = { ...this.#format, canvas: this.#namedFormat(transform).canvas };
    this.#walk(element.children, depth + 1);
    this.#nameFormat(element);
  }

  /** What is defined holds for those alone that refer to it. */
  #definitions(element, depth) {
    const [current, isWithin] = [this.#format, this.#isDefining];
    this.#isDefining = true;
    for (const child of element.children) {
      this.#walk([child], depth + 1);
      this.#format = current;
    }
    this.#isDefining = isWithin;
  }

  /** The format that an element refers to, or the current one. */
  #formatOf(element, attribute = 'contextRef') {
    const reference = element.getAttribute(attribute);
    return reference ? this.#namedFormat(reference) : this.#format;
  }

  /** What a reference names, though the walk has not come to it. */
  #namedFormat(reference) {
    const known = referred(reference, this.#formats);
    if (known) return known;
    const element = referred(reference, this.#defined);
    if (!element) throw new Error(`The file refers to ${reference}, which it does not define.`);
    this.#defined.delete(keyOf(element)); // so that no circle is walked
    const [depth, current] = [this.#depth, this.#format];
    this.#format = PLAIN_FORMAT;
    this.#walk([element], depth + 1);
    const found = this.#format;
    [this.#depth, this.#format] = [depth, current];
    return found;
  }

  #nameFormat(element) { this.#formats.set(keyOf(element), this.#format); }

  #trace(element) {
    const format = this.#formatOf(element);
    const points = pointsOf(ownText(element), format.channels);
    this.#points += points.length;
    if (this.#points > MAX_POINTS) throw new Error(`The file has more than ${MAX_POINTS} points.`);
    if (!points.length || element.getAttribute('type') === 'penUp') return;
    const stroke = strokeOf(points, format);
    const isMore = ['middle', 'end'].includes(element.getAttribute('continuation'));
    const prior = isMore ? referred(element.getAttribute('priorRef') ?? '', this.#members) : null;
    if (prior) this.#continue(element, prior, stroke);
    else this.#begin(element, stroke);
  }

  #begin(element, stroke) {
    const number = this.#pieces.push([stroke]) - 1;
    const members = this.#members.get(keyOf(element)) ?? [];
    members.push(number);
    this.#members.set(keyOf(element), members);
    if (this.#isDefining) this.#hidden.add(number);
    else this.#drawn.push(number);
  }

  /** What is continued outside the definitions is ink. */
  #continue(element, prior, stroke) {
    this.#pieces[prior[0]].push(stroke);
    this.#members.set(keyOf(element), prior);
    if (!this.#isDefining && this.#hidden.delete(prior[0])) this.#drawn.push(prior[0]);
  }

  #traceGroup(element, depth) {
    const children = [...element.children].filter((child) => !this.#isMissingLabel(child));
    const current = this.#format;
    this.#format = this.#formatOf(element);
    this.#walk(children, depth + 1);
    this.#format = current;
    this.#groups.push(children.filter(({ localName }) => ['trace', 'traceView'].includes(localName)));
  }

  /** Views draw what is defined, and are groups too where they say of what symbol. */
  #traceView(element, depth) {
    const children = [...element.children];
    if (element.getAttribute('traceDataRef')) {
      if (children.some(({ localName }) => DATA.has(localName))) throw new Error('A traceView in the file has both a traceDataRef and elements of its own.');
      if (!this.#isDefining) this.#drawn.push(element);
    } else if (element.getAttribute('from') || element.getAttribute('to')) {
      throw new Error('A traceView in the file has `from` or `to`, but no traceDataRef.');
    }
    this.#walk(children, depth + 1);
    if (children.some((child) => child.localName === 'annotation' && child.getAttribute('type') === 'truth')) this.#groups.push([element]);
  }

  /** Whether a view in a traceGroup, where it is but a label, names nothing, as in a test of CROHME 2016. */
  #isMissingLabel(view) {
    const reference = view.getAttribute('traceDataRef');
    if (view.localName !== 'traceView' || !reference || view.getAttribute('from') || view.getAttribute('to')) return false;
    return !referred(reference, this.#named);
  }

  /** What of the strokes is ink, in order and each once; a view of what is drawn anyway draws nothing. */
  #drawnParts(views) {
    const parts = new Map();
    for (const drawn of this.#drawn) {
      if (typeof drawn === 'number') parts.set(`${drawn}`, { stroke: drawn, first: 0, last: 0 });
      else {
        for (const part of views.parts(drawn)) {
          const key = part.last ? `${part.stroke} ${part.first} ${part.last}` : `${part.stroke}`;
          if (this.#hidden.has(part.stroke) && !parts.has(key)) parts.set(key, part);
        }
      }
    }
    if (this.#hidden.size && !parts.size) throw new Error('All traces of the file are in its definitions, and no traceView refers to them.');
    const selected = [...parts.values()].reduce((sum, { first, last }) => sum + last - first, 0);
    if (selected > MAX_POINTS) throw new Error(`The traceViews of the file select more than ${MAX_POINTS} points.`);
    return [...parts.values()];
  }

  /** Symbols are no matter here, but a file that says of them what cannot be is refused. */
  #checkGroups(views) {
    const isPart = ({ stroke, last }) => last && !this.#hidden.has(stroke);
    for (const members of this.#groups) {
      if (members.flatMap((member) => views.parts(member)).some(isPart)) {
        throw new Error('A traceView in the file refers to a part of a trace that is drawn whole.');
      }
    }
  }
}

/** One stroke of the pieces that continue one another: it has the channels that all of them have. */
function joined([first, ...others]) {
  const stroke = { ...first };
  for (const name of ['x', 'y', 't', 'p']) {
    const channels = [first, ...others].map((piece) => piece[name]);
    stroke[name] = channels.every(({ length }) => length) ? channels.flat() : [];
  }
  return stroke;
}

/** The points of a stroke from the first to the last, counted from 1; all of them where `last` is 0. */
function cut(stroke, first, last) {
  if (!last) return stroke;
  const [x, y, t, p] = [stroke.x, stroke.y, stroke.t, stroke.p].map((values) => values.slice(first - 1, last));
  return newStroke(x, y, t, p);
}
