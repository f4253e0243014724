// The exhibits after the first, and where to go on: asked for when the reader pauses, given up when they go on.

/** @typedef {import("./panel.js").Panel} Panel */
/** @typedef {{title: string, subtitle: string, source: string, section: string, chart: import("./chart.js").Chart}} Exhibit */

/** Longer than a reader who steps through values takes from one to the next. */
const AFTER_MS = 1000;

export class Further {
  /** @param {Panel} panel */
  constructor(panel) {
    this.panel = panel;
    this.control = new AbortController();
    /** The query they are asked for, or are here for. @type {string | null} */
    this.query = null;
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    this.later = undefined;
  }

  /** What is asked is given up. */
  leave() {
    clearTimeout(this.later);
    this.control.abort(new DOMException("A newer choice", "AbortError"));
    this.query = null;
  }

  /** They are asked for when the reader pauses. */
  ask() {
    if (this.panel.embedded) return;
    this.leave();
    this.query = this.panel.query;
    this.later = setTimeout(() => void this.#fetch(), AFTER_MS);
  }

  /** The page is back in sight: what was given up when it was left is asked for again. */
  resume() {
    if (this.query !== this.panel.query) this.ask();
  }

  /** What stands there is of an earlier choice. */
  stale() {
    this.leave();
    for (const place of this.#places()) place.classList.add("stale");
  }

  /** Where exhibits stand: open beside the finding, and in the sections on request. @returns {HTMLElement[]} */
  #places() {
    return [...this.panel.node.querySelectorAll("[data-exhibits]")].map((place) => /** @type {HTMLElement} */ (place));
  }

  async #fetch() {
    const places = this.#places();
    if (!places.length) return;
    const { query, node } = this.panel;
    const control = (this.control = new AbortController());
    try {
      /** @type {{exhibits: Exhibit[], leads: string}} */
      const { exhibits, leads } = await this.panel.ask(query, { part: "further" }, control.signal);
      await this.panel.live;
      for (const [index, exhibit] of exhibits.entries()) {
        if (control.signal.aborted) return;
        await this.#exhibit(places, exhibit, index + 2);
      }
      if (control.signal.aborted) return;
      for (const extra of node.querySelectorAll(".exhibit"))
        if (Number(extra.id.split("-")[1]) > exhibits.length + 1) this.#remove(extra);
      const onward = node.querySelector('[data-part="leads"]');
      if (onward) onward.innerHTML = leads;
      for (const place of places) {
        place.dataset["query"] = query;
        place.classList.remove("stale");
      }
      this.panel.part.open();
    } catch (problem) {
      if (control.signal.aborted) return;
      this.query = null;
      if (!this.panel.left(problem)) for (const extra of node.querySelectorAll(".exhibit")) this.#remove(extra);
    }
  }

  /** Take an exhibit away, and what is known of its chart. @param {Element} section */
  #remove(section) {
    const box = section.querySelector(".plot");
    if (box instanceof HTMLElement) this.panel.pictures.remove(box);
    section.remove();
  }

  /**
   * Show an exhibit in its place; one that stands there keeps its node, and so stays open.
   * @param {HTMLElement[]} places
   * @param {Exhibit} exhibit
   * @param {number} number
   */
  async #exhibit(places, exhibit, number) {
    const place = places.find((one) => one.dataset["exhibits"] === exhibit.section);
    if (!place) return;
    let section = this.panel.node.querySelector(`#exhibit-${number}`);
    if (section && section.parentElement !== place) {
      this.#remove(section);
      section = null;
    }
    if (!section) {
      section = madeOf(exhibit.section, number);
      const after = [...place.children].find((one) => Number(one.id.split("-")[1]) > number);
      place.insertBefore(section, after ?? null);
    }
    for (const [name, text] of /** @type {const} */ ([["title", exhibit.title], ["subtitle", exhibit.subtitle], ["source", exhibit.source]])) {
      const line = /** @type {HTMLElement | null} */ (section.querySelector(`.${name}`));
      if (!line) continue;
      line.textContent = text;
      line.hidden = !text;
    }
    const box = /** @type {HTMLElement | null} */ (section.querySelector(".plot"));
    if (box) await this.panel.pictures.put(box, exhibit.chart);
  }
}

/** An exhibit with nothing in it yet: open with the finding, else closed under its title. @param {string} section @param {number} number */
const madeOf = (section, number) => {
  const open = section === "finding";
  const made = document.createElement(open ? "section" : "details");
  made.className = "exhibit";
  made.id = `exhibit-${number}`;
  made.innerHTML =
    (open ? '<h2 class="title"></h2>' : '<summary><h3 class="title"></h3></summary>') +
    `<p class="subtitle"></p><div class="chart"><div class="plot" data-exhibit="${number}"></div></div><p class="source"></p>` +
    `<details class="section table" data-table="${number}"><summary>Table</summary><div class="rows"></div></details>`;
  return made;
};
