/** The service: every request of the page goes through here. */

const TOKEN = "tamis.token";

/**
 * A problem document of the service, or what stands for one.
 * @typedef {{status: number, title?: string, detail: string, type?: string, [more: string]: unknown}} Problem
 */

/** An answer that is not a success. Its message says what to do. */
export class ApiError extends Error {
  /** @param {Problem} problem */
  constructor(problem) {
    super(problem.detail);
    this.name = "ApiError";
    this.problem = problem;
    this.status = problem.status;
  }
}

/** Asks the service. */
export class Api {
  /** @type {(wrong: boolean) => Promise<string | null>} */
  #askForToken;

  /**
   * @param {(wrong: boolean) => Promise<string | null>} askForToken gives null if there is none to
   *   be had; `wrong` says that one was tried
   */
  constructor(askForToken) {
    this.#askForToken = askForToken;
  }

  /**
   * @param {string} path
   * @param {RequestInit} [init]
   * @returns {Promise<any>} the JSON of the answer
   */
  async get(path, init = {}) {
    return (await this.fetch(path, init)).json();
  }

  /**
   * @param {string} path
   * @param {unknown} body sent as JSON
   * @param {RequestInit} [init]
   * @returns {Promise<any>} the JSON of the answer
   */
  async post(path, body, init = {}) {
    return (await this.send(path, body, init)).json();
  }

  /**
   * @param {string} path
   * @param {RequestInit} [init]
   * @returns {Promise<any>} the JSON of the answer
   */
  async delete(path, init = {}) {
    return (await this.fetch(path, { ...init, method: "DELETE" })).json();
  }

  /**
   * Like `post`, for an answer that is not JSON.
   * @param {string} path
   * @param {unknown} body
   * @param {RequestInit} [init]
   * @returns {Promise<Response>}
   */
  send(path, body, init = {}) {
    const headers = { "Content-Type": "application/json" };
    return this.fetch(path, { ...init, method: "POST", headers, body: JSON.stringify(body) });
  }

  /**
   * An answer that is a success; else an `ApiError` is thrown.
   * @param {string} path
   * @param {RequestInit} [init]
   * @returns {Promise<Response>}
   */
  async fetch(path, init = {}) {
    for (;;) {
      const response = await this.#asked(path, init);
      if (response.ok) return response;
      if (response.status === 401) {
        const wrong = sessionStorage.getItem(TOKEN) !== null;
        sessionStorage.removeItem(TOKEN);
        const token = await this.#askForToken(wrong);
        if (token) {
          sessionStorage.setItem(TOKEN, token);
          continue;
        }
      }
      throw new ApiError(await problemOf(response));
    }
  }

  /**
   * @param {string} path
   * @param {RequestInit} init
   * @returns {Promise<Response>}
   */
  async #asked(path, init) {
    const headers = new Headers(init.headers);
    const token = sessionStorage.getItem(TOKEN);
    if (token) headers.set("Authorization", `Bearer ${token}`);
    try {
      return await fetch(path, { ...init, headers });
    } catch (error) {
      if (error instanceof DOMException && error.name === "AbortError") throw error;
      throw new ApiError({
        status: 0,
        detail: "The service does not answer. Is tamis serve still running? Start it and try again.",
      });
    }
  }
}

/**
 * @param {Response} response
 * @returns {Promise<Problem>}
 */
async function problemOf(response) {
  try {
    const problem = await response.json();
    if (typeof problem.detail === "string") return { status: response.status, ...problem };
  } catch {
    // No JSON: something else answered, a proxy for example.
  }
  return { status: response.status, detail: `The service answered ${response.status}; try again.` };
}

/**
 * What to tell a person about anything that was thrown; it begins with a capital, or an address.
 * @param {unknown} error
 * @returns {string}
 */
export function messageOf(error) {
  const text = error instanceof Error ? error.message : String(error);
  return /^[a-z]+:\/\//.test(text) ? text : text.charAt(0).toUpperCase() + text.slice(1);
}
