/**
 * The project's endpoints.
 *
 * @typedef {import("./kinds.js").Kind} Kind
 * @typedef {import("./unsaved.js").PageState} PageState
 * @typedef {import("./unsaved.js").Outcome} Outcome
 * @typedef {import("./unsaved.js").Request} SaveRequest
 * @typedef {import("../frame.js").View} View
 * @typedef {import("../api.js").Api} Api
 * @typedef {import("../teach/words.js").Report} Report
 *
 * @typedef {object} Weights
 * @property {string} name
 * @property {string} created
 * @property {number} before
 * @property {number} after
 * @property {number} sure
 * @property {number} pages
 * @property {boolean} accepted
 *
 * @typedef {object} Teaching
 * @property {"none" | "running" | "done" | "failed" | "stopped" | "interrupted"} state
 * @property {number | null} share
 * @property {string | null} text
 * @property {Report | null} report
 * @property {string | null} error
 * @property {string | null} [weights] the name of what it wrote
 *
 * @typedef {object} ProjectInfo
 * @property {string} name
 * @property {number} pages
 * @property {number} labelled
 * @property {number} skipped
 * @property {number} left
 * @property {Weights[]} weights
 * @property {string | null} accepted
 * @property {Teaching} teaching
 *
 * @typedef {object} ListedPage
 * @property {number} id
 * @property {string | null} name
 * @property {string | null} url
 * @property {string | null} title
 * @property {PageState} state
 * @property {number} version
 * @property {string | null} changed
 * @property {string | null} by
 * @property {number} blocks
 * @property {number} close
 * @property {string | null} claimed_by
 *
 * @typedef {object} LabelledPage
 * @property {number} id
 * @property {string | null} name
 * @property {string | null} url
 * @property {PageState} state
 * @property {number} version
 * @property {Record<string, Kind>} labels
 * @property {string | null} by
 * @property {View} view
 *
 * @typedef {"added" | "teaching"} Order
 * @typedef {PageState | "all"} Filter
 */
import { ApiError, messageOf } from "../api.js";

/** A connection that is gone, or a server that has no room, time or disk now. */
const PASSING = new Set([0, 408, 429, 500, 502, 503, 504, 507]);

export class Project {
  #api;

  /** @param {Api} api */
  constructor(api) {
    this.#api = api;
  }

  /** @returns {Promise<ProjectInfo>} */
  info() {
    return this.#api.get("/v1/project");
  }

  /**
   * @param {{state: Filter, order: Order, limit: number, offset: number}} query
   * @returns {Promise<{total: number, pages: ListedPage[]}>}
   */
  pages(query) {
    const search = new URLSearchParams(
      Object.entries(query).map(([name, value]) => [name, String(value)]),
    );
    return this.#api.get(`/v1/project/pages?${search}`);
  }

  /**
   * @param {number} id
   * @param {boolean} pictures whether its document loads pictures and style sheets
   * @returns {Promise<LabelledPage>}
   */
  page(id, pictures) {
    return this.#api.get(`/v1/project/pages/${id}${pictures ? "?pictures=true" : ""}`);
  }

  /** @param {number} id @returns {Promise<{version: number, state: PageState, labels: Record<string, Kind>, by?: string | null}>} */
  version(id) {
    return this.#api.get(`/v1/project/pages/${id}/version`);
  }

  /**
   * @param {{html?: string, url?: string, base_url?: string, name?: string}} page
   * @returns {Promise<{id: number, replaces?: number | null, carried?: number, lost?: number}>}
   */
  add(page) {
    return this.#api.post("/v1/project/pages", page);
  }

  /**
   * The next page for this person, claimed so that nobody else gets it; null if none is left.
   *
   * @param {{by: string, after?: number, order: Order}} request
   * @returns {Promise<number | null>}
   */
  async next(request) {
    return (await this.#api.post("/v1/project/next", request)).id;
  }

  /** @param {SaveRequest} request @returns {Promise<Outcome>} */
  async save({ id, ...body }) {
    try {
      const stored = await this.#api.post(`/v1/project/pages/${id}/labels`, body);
      return { result: "saved", stored };
    } catch (error) {
      const { status, detail, conflicts, ...stored } = problemOf(error);
      // Without conflicts, the same again helps only if it is about another version.
      if (conflicts && (Object.keys(conflicts).length || stored.version !== body.version))
        return { result: "conflict", stored: /** @type {any} */ ({ ...stored, conflicts }) };
      return { result: PASSING.has(status) ? "later" : "refused", reason: detail };
    }
  }

  /** @param {{comments: boolean}} options @returns {Promise<Teaching>} */
  startTeaching(options) {
    return this.#api.post("/v1/project/teach", options);
  }

  /** @returns {Promise<Teaching>} */
  teaching() {
    return this.#api.get("/v1/project/teach");
  }

  stopTeaching() {
    return this.#api.delete("/v1/project/teach");
  }

  /** @param {string | null} weights */
  accept(weights) {
    return this.#api.post("/v1/project/accept", { weights });
  }

  /** @param {"jsonl" | "label-studio" | "web-main-bench"} format @returns {Promise<Blob>} */
  async labels(format) {
    return (await this.#api.fetch(`/v1/project/labels?format=${format}`)).blob();
  }

  /** @param {string} name @param {"weights" | "card"} what @returns {Promise<Blob>} */
  async download(name, what) {
    const path = `/v1/project/weights/${encodeURIComponent(name)}`;
    return (await this.#api.fetch(what === "card" ? `${path}/card` : path)).blob();
  }
}

/**
 * What the service says is wrong; status 0 if nothing answered.
 *
 * @param {unknown} error
 * @returns {import("../api.js").Problem}
 */
export function problemOf(error) {
  if (error instanceof ApiError) return { ...error.problem, detail: messageOf(error) };
  return { status: 0, detail: messageOf(error) };
}
