// What the traceViews of InkML select: traces, groups and other views, whole or from one place to another; as the server reads them.

export const MAX_DEPTH = 100;
export const DATA = new Set(['trace', 'traceGroup', 'traceView']);
const MAX_REFERRED = 100_000; // strokes that all views and groups together refer to
const PLACE = /^\d{1,9}(:\d{1,9})*$/; // the number of a child, of a child's child and so on, at last of a point; from 1

const idOf = (element) => element.getAttribute('xml:id') || element.getAttribute('id');

/** By what an element is known: its name, or itself where it has none. */
export const keyOf = (element) => idOf(element) || element;

/** What a reference names: the whole of it, as CROHME writes names, or what follows its last `#`. */
export const referred = (reference, known) => (known.has(reference) ? known.get(reference) : known.get(reference.split('#').at(-1)));

/** Resolves references when a document has been walked, for they may point forwards. */
export class Views {
  #elements;
  #members;
  #pieces;
  #referred = 0;

  /** `elements` are traces, groups and views by their names, `members` the strokes of each trace, `pieces` those of each stroke. */
  constructor(elements, members, pieces) {
    this.#elements = elements;
    this.#members = members;
    this.#pieces = pieces;
  }

  /** What a trace, a group or a view stands for, in order: {stroke, first, last}, points from 1; all of them where `last` is 0. */
  parts(element) { return this.#element(element, [], [], 0); }

  #element(element, start, end, depth) {
    this.#count();
    if (depth > MAX_DEPTH) throw tooDeep();
    const reference = element.getAttribute('traceDataRef');
    if (element.localName === 'trace') return this.#trace(this.#members.get(keyOf(element)) ?? [], start, end);
    if (element.localName !== 'traceView' || !reference) return this.#children(element, start, end, depth + 1);
    const [first, last] = [placeOf(element, 'from'), placeOf(element, 'to')];
    if ((first.length || last.length) && (start.length || end.length)) {
      throw new Error('A traceView in the file selects a part of what another selects a part of.');
    }
    return this.#named(reference, first.length ? first : start, last.length ? last : end, depth + 1);
  }

  #named(reference, start, end, depth) {
    const strokes = referred(reference, this.#members);
    if (strokes) return this.#trace(strokes, start, end);
    const element = referred(reference, this.#elements);
    if (!element) throw new Error(`A traceView in the file refers to ${reference}, which the file does not hold.`);
    return this.#element(element, start, end, depth);
  }

  #children(element, start, end, depth) {
    const children = [...element.children].filter(({ localName }) => DATA.has(localName));
    const [first, last] = boundsOf(start, end, children.length, 'element');
    return children.slice(first - 1, last).flatMap((child, i) =>
      this.#element(child, i === 0 ? start.slice(1) : [], first + i === last ? end.slice(1) : [], depth));
  }

  #trace(strokes, start, end) {
    if (!start.length && !end.length) {
      return strokes.map((stroke) => {
        this.#count();
        return { stroke, first: 0, last: 0 };
      });
    }
    if (strokes.length !== 1 || this.#pieces[strokes[0]].length !== 1 || Math.max(start.length, end.length) > 1) {
      throw new Error('A traceView in the file has `from` or `to` of what is not one trace without continuation.');
    }
    const points = this.#pieces[strokes[0]][0].x.length;
    const [first, last] = boundsOf(start, end, points, 'point');
    const isWhole = first === 1 && last === points;
    return [{ stroke: strokes[0], first: isWhole ? 0 : first, last: isWhole ? 0 : last }];
  }

  #count() {
    this.#referred += 1;
    if (this.#referred > MAX_REFERRED) throw new Error(`The traceViews and groups refer to strokes more than ${MAX_REFERRED} times.`);
  }
}

export const tooDeep = () => new Error(`The elements of the file are nested, or refer to one another, more than ${MAX_DEPTH} deep.`);

function placeOf(view, attribute) {
  const text = (view.getAttribute(attribute) ?? '').trim();
  if (text && !PLACE.test(text)) throw new Error(`The \`${attribute}\` of a traceView is ${text}; whole numbers from 1 are read, as 2:1.`);
  return text ? text.split(':').map(Number) : [];
}

function boundsOf(start, end, count, what) {
  const [first, last] = [start[0] ?? 1, end[0] ?? count];
  if ((start.length || end.length) && !(1 <= first && first <= last && last <= count)) {
    throw new Error(`A traceView in the file goes from ${what} ${first} to ${last} where there are ${count}.`);
  }
  return [first, last];
}
