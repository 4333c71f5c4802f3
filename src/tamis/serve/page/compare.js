/** Two to four methods or weights on one page: what each keeps, where they differ, who is right. */

import { ApiError, messageOf } from "./api.js";
import { FEWEST, MOST, PROJECT, SHIPPED, isWeights, parsed, rowsOf, saveChoices, savedChoices } from "./comparison.js";
import { count, fill, h, icon, lastWins, later, plural } from "./dom.js";
import { methods, optionsNote } from "./settings.js";

/** @typedef {import("./app.js").App} App */
/** @typedef {import("./settings.js").Method} Method */
/** @typedef {import("./comparison.js").Choice} Choice */
/** @typedef {import("./comparison.js").Comparison} Comparison */
/** @typedef {import("./comparison.js").Row} Row */

const GOLD = "tamis.gold";

/**
 * @param {HTMLElement} main
 * @param {import("./app.js").Route} _route
 * @param {App} app
 * @returns {Promise<() => void>}
 */
export async function show(main, _route, app) {
  const [all, weights] = await Promise.all([methods(app), projectWeights(app)]);
  const look = new CompareLook(main, app, all, weights);
  await look.begin();
  return () => look.end();
}

/**
 * The weights that were taught in the project, none if the service has no project.
 * @param {App} app
 * @returns {Promise<string[]>}
 */
async function projectWeights(app) {
  try {
    const project = await app.api.get("/v1/project");
    return project.weights.map((/** @type {{name: string}} */ { name }) => name);
  } catch (error) {
    if (error instanceof ApiError) return [];
    throw error;
  }
}

class CompareLook {
  /** @type {App} */
  #app;
  /** @type {Method[]} */
  #methods;
  /** @type {string[]} */
  #weights;
  /** @type {Choice[]} */
  #choices;
  /** @type {Comparison | null} */
  #made = null;
  /** @type {Row[]} */
  #rows = [];
  #onlyDifferences = false;
  #place = -1;
  /** @type {(() => void)[]} */
  #cleanup = [];

  #columns = h("div", { class: "columns" });
  #agreement = h("section", { class: "agreement card", test: "compare-agreement", "aria-label": "Agreement", "aria-live": "polite" });
  #table = h("div", { class: "differences" });
  #gold = h("textarea", {
    id: "gold",
    rows: 5,
    dir: "auto",
    placeholder: "The right text of this page, as a person would copy it",
    on: { input: () => this.#goldChanged() },
  });

  /**
   * @param {HTMLElement} main
   * @param {App} app
   * @param {Method[]} all
   * @param {string[]} weights
   */
  constructor(main, app, all, weights) {
    this.#app = app;
    this.#methods = all;
    this.#weights = weights;
    this.#choices = savedChoices(all, weights);
    this.#gold.value = sessionStorage.getItem(`${GOLD}.${app.state.id}`) ?? "";
    fill(
      main,
      h("h1", { class: "visually-hidden" }, "Compare"),
      h(
        "div",
        { class: "compare" },
        optionsNote(app, ["method"]),
        this.#columns,
        h(
          "div",
          { class: "compare-facts" },
          this.#agreement,
          h(
            "details",
            { class: "gold card", open: Boolean(this.#gold.value) },
            h("summary", {}, "Gold"),
            h("label", { for: "gold", class: "hint" }, "Paste the right text, and each method is measured against it."),
            this.#gold,
          ),
        ),
        this.#table,
      ),
    );
    this.#cleanup.push(
      app.keys(
        {
          n: { label: "Next difference", run: () => this.#jump(1) },
          p: { label: "Previous difference", run: () => this.#jump(-1) },
          d: { label: "Only differences, or all blocks", run: () => this.#switch() },
        },
        "Compare",
      ),
    );
  }

  async begin() {
    this.#drawColumns();
    fill(this.#table, h("p", { class: "loading" }, "Comparing…"));
    await this.#compare(null);
  }

  end() {
    for (const clean of this.#cleanup) clean();
  }

  #goldChanged = later(() => {
    try {
      sessionStorage.setItem(`${GOLD}.${this.#app.state.id}`, this.#gold.value);
    } catch {
      // Too long to be kept; it is there until the view is left.
    }
    void this.#compare(null);
  }, 300);

  #compare = lastWins(async () => {
    const { html, url, options } = this.#app.state;
    const { method: _, ...others } = options;
    const page = { html, base_url: url };
    const gold = this.#gold.value.trim() || null;
    try {
      const [made, view] = await Promise.all([
        this.#app.api.post("/v1/compare", { ...page, options: others, methods: this.#choices, gold }),
        this.#app.api.post("/v1/view", {
          ...page,
          // Of the blocks alone: they are the same with every method.
          options: { ...others, method: "baseline" },
          document: false,
        }),
      ]);
      this.#made = made;
      this.#rows = rowsOf(made, view.blocks);
      this.#draw();
    } catch (error) {
      fill(this.#table, h("div", { class: "empty", role: "alert" }, h("h2", {}, "That did not work"), h("p", {}, messageOf(error))));
    }
  });

  /** @param {() => void} change */
  #change(change) {
    change();
    saveChoices(this.#choices);
    this.#drawColumns();
    void this.#compare(null);
  }

  #draw() {
    this.#drawColumns();
    this.#drawAgreement();
    this.#drawTable();
  }

  #drawColumns() {
    const focused = document.activeElement?.id;
    const scores = this.#made?.results.map(({ score }) => score?.f1 ?? -1) ?? [];
    const best = Math.max(...scores);
    fill(
      this.#columns,
      this.#choices.map((choice, place) => this.#column(choice, place, scores[place] === best && best >= 0)),
      this.#choices.length < MOST &&
        h(
          "button",
          { class: "add", test: "compare-add", on: { click: () => this.#add() } },
          icon("M12 5v14M5 12h14"),
          "Add a method",
        ),
    );
    this.#columns.style.setProperty("--columns", String(this.#choices.length));
    if (focused) document.getElementById(focused)?.focus();
  }

  #add() {
    const used = new Set(this.#choices.map(({ method }) => method));
    const next = this.#methods.find(({ name }) => !used.has(name)) ?? this.#methods[0];
    if (next) this.#change(() => this.#choices.push({ method: next.name }));
  }

  /**
   * @param {Choice} choice
   * @param {number} place
   * @param {boolean} best
   */
  #column(choice, place, best) {
    const result = this.#made?.results[place];
    const method = this.#methods.find(({ name }) => name === choice.method);
    const value = choice.weights ?? choice.method;
    const select = h(
      "select",
      {
        id: `compare-method-${place}`,
        "aria-label": `Method ${place + 1}`,
        on: {
          change: () =>
            this.#change(() => {
              this.#choices[place] = isWeights(select.value)
                ? { method: "tamis", weights: select.value }
                : { method: select.value };
            }),
        },
      },
      h(
        "optgroup",
        { label: "Methods" },
        this.#methods.map(({ name }) => h("option", { value: name, selected: name === value }, name)),
      ),
      this.#weights.length > 0 &&
        h(
          "optgroup",
          { label: "Weights of the project" },
          [SHIPPED, ...this.#weights.map((name) => PROJECT + name)].map((weights) =>
            h("option", { value: weights, selected: weights === value }, weights.replace(PROJECT, "")),
          ),
        ),
    );
    return h(
      "section",
      { class: "column card", test: "compare-column", "aria-label": result?.name ?? choice.method },
      h(
        "header",
        {},
        select,
        this.#choices.length > FEWEST &&
          h(
            "button",
            {
              class: "quiet icon-button",
              "aria-label": `Take ${choice.method} away`,
              on: { click: () => this.#change(() => this.#choices.splice(place, 1)) },
            },
            icon("M6 6l12 12M18 6 6 18"),
          ),
      ),
      h("p", { class: "hint" }, described(choice, method)),
      result &&
        h("p", { class: "number" }, h("strong", {}, count(result.words)), ` words in ${plural(result.blocks, "block")}`),
      result?.score && scored(result.score, best),
      method && this.#parameters(choice, method, place),
    );
  }

  /**
   * The parameters of a method, each to be changed.
   * @param {Choice} choice
   * @param {Method} method
   * @param {number} place
   */
  #parameters(choice, method, place) {
    const names = Object.keys(method.parameters).filter((name) => name !== "weights");
    if (!names.length || choice.weights) return null;
    return h(
      "details",
      { open: Boolean(choice.parameters) },
      h("summary", { class: "hint" }, plural(names.length, "parameter")),
      h(
        "div",
        { class: "parameters" },
        names.flatMap((name) => {
          const id = `parameter-${place}-${name}`;
          const usual = method.parameters[name];
          const given = choice.parameters?.[name] ?? usual;
          const field = h("input", {
            id,
            value: typeof given === "string" ? given : JSON.stringify(given),
            on: {
              change: () =>
                this.#change(() => {
                  const typed = parsed(field.value, usual);
                  const { [name]: _, ...rest } = choice.parameters ?? {};
                  choice.parameters = typed === usual ? rest : { ...rest, [name]: typed };
                }),
            },
          });
          return [h("label", { for: id, class: "mono" }, name), field];
        }),
      ),
    );
  }

  #drawAgreement() {
    const { agreement = [] } = this.#made ?? {};
    fill(
      this.#agreement,
      h("h2", {}, "Agreement"),
      h(
        "table",
        { class: "pairs" },
        h("caption", { class: "visually-hidden" }, "F1 of the words that each two keep"),
        h(
          "tbody",
          {},
          agreement.map(({ names: [one, other], f1 }) => {
            const bar = h("span", { class: "bar" }, h("i"));
            /** @type {HTMLElement} */ (bar.firstElementChild).style.width = `${100 * f1}%`;
            return h(
              "tr",
              {},
              h("th", { scope: "row" }, `${one} and ${other}`),
              h("td", {}, bar),
              h("td", { class: "number" }, f1.toFixed(3)),
            );
          }),
        ),
      ),
      h("p", { class: "hint" }, "F1 of the words that both keep; 1 is the same text."),
    );
  }

  #drawTable() {
    const differing = this.#rows.filter(({ differs }) => differs).length;
    const embedded = this.#made?.results.some((result) => result.embedded);
    const shown = this.#rows.filter(({ kept, differs }) => differs || (!this.#onlyDifferences && kept.some(Boolean)));
    fill(
      this.#table,
      h(
        "div",
        { class: "row differences-bar" },
        h("h2", {}, differing ? `They differ on ${plural(differing, "block")}` : "They keep the same blocks"),
        h(
          "label",
          { class: "check" },
          h("input", {
            type: "checkbox",
            checked: this.#onlyDifferences,
            on: { change: () => this.#switch() },
          }),
          "differences alone",
        ),
      ),
      embedded && h("p", { class: "notice" }, "One method took its text from the data of the page, so its text is compared, not its blocks."),
      shown.length
        ? h(
            "div",
            { class: "blocks" },
            h("div", { class: "block-row block-head" }, this.#made?.results.map(({ name }) => h("span", {}, name))),
            shown.map((row) => this.#row(row)),
          )
        : h("p", { class: "hint" }, differing || this.#rows.length ? "Nothing to show." : "The page has no text."),
    );
    this.#table.style.setProperty("--columns", String(this.#choices.length));
  }

  /** @param {Row} row */
  #row({ block, text, kept, scores, differs }) {
    const short = text.length > 700 ? `${text.slice(0, 700)}…` : text;
    const names = this.#made?.results.map(({ name }) => name) ?? [];
    return h(
      "div",
      { class: `block-row ${differs ? "differs" : ""}`, tabindex: differs ? "0" : undefined },
      kept.map((own, place) =>
        h(
          "div",
          { class: `cell ${own ? "is-kept" : "is-dropped"}`, title: `${names[place]}, block ${block}` },
          h("span", { class: "visually-hidden" }, `${names[place]} ${own ? "keeps" : "drops"}: `),
          h("span", { dir: "auto", class: "cell-text" }, short),
          differs && scores[place] !== null && h("span", { class: "hint number" }, Number(scores[place]).toFixed(2)),
        ),
      ),
    );
  }

  #switch() {
    this.#onlyDifferences = !this.#onlyDifferences;
    this.#drawTable();
  }

  /** @param {1 | -1} direction */
  #jump(direction) {
    const rows = /** @type {NodeListOf<HTMLElement>} */ (this.#table.querySelectorAll(".differs"));
    if (!rows.length) return;
    this.#place = (this.#place + direction + rows.length) % rows.length;
    rows[this.#place]?.focus();
    rows[this.#place]?.scrollIntoView({ block: "center" });
  }
}

/**
 * @param {Choice} choice
 * @param {Method | undefined} method
 */
function described({ weights }, method) {
  if (weights === SHIPPED) return "The default method with the shipped weights, whatever the project has accepted.";
  return weights ? "The default method with weights of this project." : method?.summary;
}

/**
 * @param {{precision: number, recall: number, f1: number}} score
 * @param {boolean} best
 */
function scored({ precision, recall, f1 }, best) {
  return h(
    "p",
    { class: `gold-score number ${best ? "best" : ""}` },
    h("strong", {}, f1.toFixed(3)),
    " F1 ",
    h("span", { class: "hint" }, `precision ${precision.toFixed(3)}, recall ${recall.toFixed(3)}`),
  );
}
