// Undo and redo over whole lists of strokes: lists share their strokes, so keeping them is cheap.

const MOST = 500;

export class History {
  #past = [];
  #future = [];
  present = [];

  get canUndo() { return this.#past.length > 0; }
  get canRedo() { return this.#future.length > 0; }

  /** Begin anew with these. */
  reset(strokes) {
    this.#past = [];
    this.#future = [];
    this.present = strokes;
  }

  push(strokes) {
    this.#past.push(this.present);
    if (this.#past.length > MOST) this.#past.shift();
    this.#future = [];
    this.present = strokes;
  }

  undo() {
    if (!this.canUndo) return;
    this.#future.push(this.present);
    this.present = this.#past.pop();
  }

  redo() {
    if (!this.canRedo) return;
    this.#past.push(this.present);
    this.present = this.#future.pop();
  }
}
