/**
 * What the server does not have yet. It is kept in the browser's storage until the server has answered,
 * so that neither a lost connection nor a closed window loses a label.
 *
 * @typedef {import("./kinds.js").Kind} Kind
 * @typedef {import("./labels.js").Changes} Changes
 * @typedef {"open" | "done" | "skipped"} PageState
 * @typedef {Record<string, Kind | null>} PlainChanges
 * @typedef {{yours: Kind | null, theirs: Kind | null, by: string | null}} Conflict
 * @typedef {object} Entry what is unsaved of a page
 * @property {number} id
 * @property {string} hash of the page's source, so that labels never go to another page
 * @property {string} by
 * @property {number} version the labels on which the changes were made
 * @property {PlainChanges} changes
 * @property {PageState} [state]
 * @property {Record<string, Conflict>} conflicts
 * @property {string} [refused] why the server did not take them
 *
 * @typedef {{version: number, labels: Record<string, Kind>, state: PageState}} Stored
 * @typedef {Stored & {conflicts: Record<string, Conflict>}} Conflicting
 * @typedef {object} Request
 * @property {number} id
 * @property {string} hash
 * @property {string} by
 * @property {number} version
 * @property {PlainChanges} changes
 * @property {PageState} [state]
 *
 * @typedef {{result: "saved", stored: Stored}
 *   | {result: "conflict", stored: Conflicting}
 *   | {result: "later", reason: string}
 *   | {result: "refused", reason: string}} Outcome
 *
 * @typedef {"saved" | "saving" | "later" | "conflict" | "refused"} Status
 */

const FIRST_WAIT = 1000;
const LONGEST_WAIT = 30000;
// Steps of one drag go together.
const GATHER = 80;

/**
 * Events: "status" when `status` may have changed; "stored" {id, stored} when the server has answered;
 * "conflict" {id}; "discarded" when what was refused is forgotten.
 */
export class Unsaved extends EventTarget {
  /** @type {Map<number, Entry>} */
  #entries = new Map();
  /** @type {Promise<void> | null} */
  #sending = null;
  #wait = 0;
  #reason = "";
  /** @type {unknown} */
  #timer = null;
  #prefix;
  #storage;
  #send;
  #clock;

  /**
   * @param {object} parts
   * @param {string} parts.project
   * @param {Pick<Storage, "getItem" | "setItem" | "removeItem" | "key" | "length">} parts.storage
   * @param {(request: Request) => Promise<Outcome>} parts.send
   * @param {{set(run: () => void, ms: number): unknown, clear(timer: unknown): void}} [parts.clock]
   */
  constructor({ project, storage, send, clock = browserClock }) {
    super();
    this.#prefix = `tamis.unsaved/${project}/`;
    this.#storage = storage;
    this.#send = send;
    this.#clock = clock;
    for (let index = 0; index < storage.length; index++) {
      const key = storage.key(index);
      if (key?.startsWith(this.#prefix)) this.#restore(key);
    }
    if (this.#entries.size) this.#schedule(0);
  }

  /** @returns {Status} */
  get status() {
    const entries = [...this.#entries.values()];
    if (entries.some((entry) => entry.refused)) return "refused";
    if (this.#wait) return "later";
    if (entries.some(sendable)) return "saving";
    if (entries.some((entry) => Object.keys(entry.conflicts).length)) return "conflict";
    return "saved";
  }

  /** Why the last attempt failed. */
  get reason() {
    const refused = [...this.#entries.values()].find((entry) => entry.refused);
    return refused?.refused ?? this.#reason;
  }

  /** How many labels and states are unsaved. */
  get count() {
    return [...this.#entries.values()].reduce(
      (sum, entry) =>
        sum +
        Object.keys(entry.changes).length +
        Object.keys(entry.conflicts).length +
        (entry.state ? 1 : 0),
      0,
    );
  }

  /**
   * Changes of a page that are to be saved.
   *
   * @param {{id: number, hash: string, version: number}} page
   * @param {Changes} changes
   * @param {{by: string, state?: PageState}} more
   */
  add(page, changes, { by, state }) {
    let entry = this.#entries.get(page.id);
    // Changes of a page that is not the one here anymore cannot be saved by anyone.
    if (!entry || entry.hash !== page.hash) {
      entry = { ...page, by, changes: {}, conflicts: {} };
      this.#entries.set(page.id, entry);
    }
    entry.by = by;
    for (const [block, kind] of changes) {
      entry.changes[block] = kind;
      delete entry.conflicts[block];
    }
    if (state) entry.state = state;
    delete entry.refused;
    this.#keep(entry);
    this.#schedule(GATHER);
  }

  /**
   * What of the page is unsaved, with both sides of conflicts still as this person wants it.
   *
   * @param {number} id
   * @param {string} hash
   * @returns {Changes}
   */
  changesOf(id, hash) {
    const entry = this.#entries.get(id);
    /** @type {Changes} */
    const changes = new Map();
    if (!entry || entry.hash !== hash) return changes;
    for (const [block, { yours }] of Object.entries(entry.conflicts))
      changes.set(Number(block), yours);
    for (const [block, kind] of Object.entries(entry.changes)) changes.set(Number(block), kind);
    return changes;
  }

  /** Whether anything of the page is unsaved. @param {number} id */
  has(id) {
    return this.#entries.has(id);
  }

  /** @param {number} id @returns {Map<number, Conflict>} */
  conflictsOf(id) {
    const conflicts = this.#entries.get(id)?.conflicts ?? {};
    return new Map(Object.entries(conflicts).map(([block, conflict]) => [Number(block), conflict]));
  }

  /**
   * Ends a conflict: mine is sent again, knowing theirs; theirs drops mine.
   *
   * @param {number} id
   * @param {Iterable<number>} blocks
   * @param {"mine" | "theirs"} choice
   */
  resolve(id, blocks, choice) {
    const entry = this.#entries.get(id);
    if (!entry) return;
    for (const block of blocks) {
      const conflict = entry.conflicts[block];
      if (conflict && choice === "mine") entry.changes[block] = conflict.yours;
      delete entry.conflicts[block];
    }
    this.#keep(entry);
    this.#schedule(0);
  }

  /** Tries again now, also what was refused. */
  retry() {
    for (const entry of this.#entries.values()) delete entry.refused;
    this.#wait = 0;
    this.#schedule(0);
  }

  /** Forgets what the server refuses to take. */
  discardRefused() {
    for (const entry of [...this.#entries.values()]) {
      if (!entry.refused) continue;
      this.#entries.delete(entry.id);
      this.#storage.removeItem(this.#prefix + entry.id);
    }
    this.dispatchEvent(new Event("discarded"));
    this.#changed();
  }

  /** Sends all that can be sent; resolves when nothing is left to try. */
  flush() {
    this.#clock.clear(this.#timer);
    this.#sending ??= this.#sendAll().finally(() => {
      this.#sending = null;
      this.#changed();
    });
    return this.#sending;
  }

  async #sendAll() {
    let entry;
    while ((entry = [...this.#entries.values()].find(sendable))) {
      if (!(await this.#sendEntry(entry))) break;
    }
  }

  /** @param {Entry} entry @returns {Promise<boolean>} whether to go on */
  async #sendEntry(entry) {
    const { id, hash, by, version } = entry;
    const changes = { ...entry.changes };
    const state = Object.keys(entry.conflicts).length ? undefined : entry.state;
    const outcome = await this.#send({ id, hash, by, version, changes, ...(state && { state }) });
    if (outcome.result === "later") {
      this.#wait = Math.min(LONGEST_WAIT, this.#wait * 2 || FIRST_WAIT);
      this.#reason = outcome.reason;
      this.#schedule(this.#wait);
      return false;
    }
    this.#wait = 0;
    if (outcome.result === "refused") {
      entry.refused = outcome.reason;
      this.#keep(entry);
      return true;
    }
    entry.version = outcome.stored.version;
    if (outcome.result === "saved") {
      settle(entry, changes, state);
    } else {
      for (const [block, conflict] of Object.entries(outcome.stored.conflicts)) {
        // A change made while this one was sent is about the newer label already.
        if (entry.changes[block] !== changes[block]) continue;
        delete entry.changes[block];
        entry.conflicts[block] = conflict;
      }
    }
    this.#keep(entry);
    this.dispatchEvent(new CustomEvent("stored", { detail: { id, stored: outcome.stored } }));
    if (outcome.result === "conflict")
      this.dispatchEvent(new CustomEvent("conflict", { detail: { id } }));
    return true;
  }

  /** @param {Entry} entry */
  #keep(entry) {
    const key = this.#prefix + entry.id;
    if (sendable({ ...entry, refused: undefined }) || Object.keys(entry.conflicts).length) {
      try {
        this.#storage.setItem(key, JSON.stringify(entry));
      } catch {
        // A full storage: what is unsaved is still here, until the window is closed.
      }
    } else {
      if (this.#entries.get(entry.id) === entry) this.#entries.delete(entry.id);
      this.#storage.removeItem(key);
    }
    this.#changed();
  }

  /** @param {string} key */
  #restore(key) {
    try {
      const entry = JSON.parse(this.#storage.getItem(key) ?? "");
      if (entry.id && entry.hash && entry.changes && entry.conflicts)
        this.#entries.set(entry.id, entry);
    } catch {
      // Not ours, or cut off: there is nothing in it that could be saved.
    }
  }

  /** @param {number} ms */
  #schedule(ms) {
    this.#clock.clear(this.#timer);
    this.#timer = this.#clock.set(() => void this.flush(), ms);
    this.#changed();
  }

  #changed() {
    this.dispatchEvent(new Event("status"));
  }
}

/** @param {Entry} entry */
function sendable(entry) {
  if (entry.refused) return false;
  if (Object.keys(entry.changes).length) return true;
  return Boolean(entry.state) && !Object.keys(entry.conflicts).length;
}

/**
 * @param {Entry} entry
 * @param {PlainChanges} sent
 * @param {PageState | undefined} state
 */
function settle(entry, sent, state) {
  for (const [block, kind] of Object.entries(sent)) {
    if (entry.changes[block] === kind) delete entry.changes[block];
  }
  if (entry.state === state) delete entry.state;
}

const browserClock = {
  /** @param {() => void} run @param {number} ms @returns {unknown} */
  set: (run, ms) => setTimeout(run, ms),
  /** @param {unknown} timer */
  clear: (timer) => clearTimeout(/** @type {any} */ (timer)),
};
