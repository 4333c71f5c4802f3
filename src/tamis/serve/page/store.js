/** The pages that were opened, kept in this browser so that a reload goes on where one was. */

/**
 * A page that was pasted, dropped or fetched.
 * @typedef {{id: number, name: string, html: string, url: string | null}} StoredPage
 */

const DATABASE = "tamis";
const PAGES = "pages";
const CURRENT = "tamis.page";

/** Pages by their numbers, in IndexedDB; in memory where the browser has none for us. */
export class PageStore {
  /** @type {IDBDatabase | null} */
  #database = null;
  /** @type {Map<number, StoredPage>} */
  #memory = new Map();

  /** @returns {Promise<void>} */
  async open() {
    try {
      const request = indexedDB.open(DATABASE, 1);
      request.onupgradeneeded = () => request.result.createObjectStore(PAGES, { keyPath: "id" });
      this.#database = await done(request);
    } catch {
      this.#database = null;
    }
  }

  /**
   * Keeps these pages instead of all others.
   * @param {{name: string, html: string, url: string | null}[]} pages
   * @returns {Promise<number[]>} their numbers
   */
  async replace(pages) {
    const first = Date.now();
    const stored = pages.map((page, place) => ({ ...page, id: first + place }));
    this.#memory = new Map(stored.map((page) => [page.id, page]));
    try {
      const store = this.#database?.transaction(PAGES, "readwrite").objectStore(PAGES);
      if (store) {
        store.clear();
        for (const page of stored) store.put(page);
        await finished(store.transaction);
      }
    } catch {
      // A full disk: they are there until the page is left.
    }
    return stored.map((page) => page.id);
  }

  /**
   * @param {number} id
   * @returns {Promise<StoredPage | null>}
   */
  async get(id) {
    const known = this.#memory.get(id);
    if (known || !this.#database) return known ?? null;
    const request = this.#database.transaction(PAGES).objectStore(PAGES).get(id);
    return (await done(request)) ?? null;
  }

  /** @returns {Promise<{id: number, name: string}[]>} all pages, in their order */
  async list() {
    if (this.#memory.size || !this.#database)
      return [...this.#memory.values()].map(({ id, name }) => ({ id, name }));
    /** @type {{id: number, name: string}[]} */
    const pages = [];
    const request = this.#database.transaction(PAGES).objectStore(PAGES).openCursor();
    return new Promise((resolve) => {
      request.onerror = () => resolve(pages);
      request.onsuccess = () => {
        const cursor = request.result;
        if (!cursor) return resolve(pages);
        pages.push({ id: cursor.value.id, name: cursor.value.name });
        cursor.continue();
      };
    });
  }

  /** The page that this tab shows. */
  get current() {
    return Number(sessionStorage.getItem(CURRENT) ?? localStorage.getItem(CURRENT) ?? 0);
  }

  set current(id) {
    sessionStorage.setItem(CURRENT, String(id));
    localStorage.setItem(CURRENT, String(id));
  }
}

/**
 * @template T
 * @param {IDBRequest<T>} request
 * @returns {Promise<T>}
 */
function done(request) {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
}

/**
 * @param {IDBTransaction} transaction
 * @returns {Promise<void>}
 */
function finished(transaction) {
  return new Promise((resolve, reject) => {
    transaction.oncomplete = () => resolve();
    transaction.onerror = transaction.onabort = () => reject(transaction.error);
  });
}
