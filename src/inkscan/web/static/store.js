// What the page keeps on this device: sheets and samples, in the browser's own database. Nothing of it leaves the device.

const NAME = 'inkscan';
const VERSION = 1;
const KINDS = ['sheets', 'samples'];

const done = (request) => new Promise((resolve, reject) => {
  request.onsuccess = () => resolve(request.result);
  request.onerror = () => reject(request.error);
});

/** The store; where the browser refuses one, records are kept while the page is open. */
export async function openStore() {
  try {
    const opening = indexedDB.open(NAME, VERSION);
    opening.onupgradeneeded = () => {
      for (const kind of KINDS) opening.result.createObjectStore(kind, { keyPath: 'id' });
    };
    return new Store(await done(opening));
  } catch {
    return new PassingStore();
  }
}

/** Records by kind; each has an `id`. */
class Store {
  #database;

  constructor(database) { this.#database = database; }

  put(kind, record) { return this.#change(kind, (records) => records.put(record)); }
  all(kind) { return done(this.#database.transaction(kind, 'readonly').objectStore(kind).getAll()); }
  remove(kind, id) { return this.#change(kind, (records) => records.delete(id)); }
  clear(kind) { return this.#change(kind, (records) => records.clear()); }

  /** Once it is kept: a request may succeed and its transaction fail, for want of room. */
  #change(kind, change) {
    return new Promise((resolve, reject) => {
      const transaction = this.#database.transaction(kind, 'readwrite');
      transaction.oncomplete = () => resolve(undefined);
      transaction.onabort = () => reject(transaction.error);
      change(transaction.objectStore(kind));
    });
  }
}

class PassingStore {
  #records = new Map(KINDS.map((kind) => [kind, new Map()]));

  async put(kind, record) { this.#records.get(kind).set(record.id, structuredClone(record)); }
  async all(kind) { return [...this.#records.get(kind).values()]; }
  async remove(kind, id) { this.#records.get(kind).delete(id); }
  async clear(kind) { this.#records.get(kind).clear(); }
}
