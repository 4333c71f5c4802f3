/** The pages that were opened, kept in this browser so that a reload goes on where one was. */

/**
 * A page that was pasted, dropped or fetched; `group` is the same for those that were opened together.
 * @typedef {{id: number, group: number, name: string, html: string, url: string | null}} StoredPage
 */

const DATABASE = "tamis";
const PAGES = "pages";
const CURRENT = "tamis.page";
/** Groups that are kept: other tabs may look at them. */
const MOST_GROUPS = 5;

/** Pages by their numbers, in IndexedDB; in memory where the browser has none for us. */
export class PageStore {
  /** @type {IDBDatabase | null} */
  #database = null;
  /** @type {Map<number, StoredPage>} those of the group that this tab looks at, if it opened it */
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
   * Keeps pages that are opened together, and forgets those that were opened long ago.
   * @param {{name: string, html: string, url: string | null}[]} pages
   * @returns {Promise<number[]>} their numbers
   */
  async add(pages) {
    const group = Date.now();
    const stored = pages.map((page, place) => ({ ...page, group, id: group + place }));
    this.#memory = new Map(stored.map((page) => [page.id, page]));
    try {
      const known = await this.#known();
      const groups = [...new Set(known.map((page) => page.group))].sort((one, other) => other - one);
      const old = new Set(groups.slice(MOST_GROUPS - 1));
      const store = this.#database?.transaction(PAGES, "readwrite").objectStore(PAGES);
      if (store) {
        for (const page of known) if (old.has(page.group)) store.delete(page.id);
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

  /** @returns {Promise<{id: number, name: string}[]>} the pages that were opened with the current one, in their order */
  async list() {
    const all = this.#memory.size ? [...this.#memory.values()] : await this.#known();
    const group = all.find(({ id }) => id === this.current)?.group;
    return all.filter((page) => page.group === group).map(({ id, name }) => ({ id, name }));
  }

  /** @returns {Promise<{id: number, group: number, name: string}[]>} what is in the database, without the HTML */
  async #known() {
    /** @type {{id: number, group: number, name: string}[]} */
    const pages = [];
    if (!this.#database) return pages;
    const request = this.#database.transaction(PAGES).objectStore(PAGES).openCursor();
    return new Promise((resolve) => {
      request.onerror = () => resolve(pages);
      request.onsuccess = () => {
        const cursor = request.result;
        if (!cursor) return resolve(pages);
        const { id, group, name } = cursor.value;
        pages.push({ id, group, name });
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
