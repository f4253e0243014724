// The exhibits after the first, and where to go on: asked for when the reader pauses, given up when they go on.

/** @typedef {import("./panel.js").Panel} Panel */
/** @typedef {{title: string, subtitle: string, source: string, chart: import("./chart.js").Chart}} Exhibit */

const AFTER_MS = 400;

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
    this.#place()?.classList.add("stale");
  }

  /** @returns {HTMLElement | null} */
  #place() {
    return this.panel.node.querySelector('[data-part="further"]');
  }

  async #fetch() {
    const place = this.#place();
    if (!place) return;
    const { query, node } = this.panel;
    const control = (this.control = new AbortController());
    try {
      /** @type {{exhibits: Exhibit[], leads: string}} */
      const { exhibits, leads } = await this.panel.ask(query, { part: "further" }, control.signal);
      await this.panel.live;
      for (const [index, exhibit] of exhibits.entries()) {
        if (control.signal.aborted) return;
        await this.#exhibit(place, exhibit, index);
      }
      if (control.signal.aborted) return;
      for (const extra of [...place.children].slice(exhibits.length)) this.#remove(extra);
      const onward = node.querySelector('[data-part="leads"]');
      if (onward) onward.innerHTML = leads;
      place.dataset["query"] = query;
      place.classList.remove("stale");
      this.panel.part.open();
    } catch (problem) {
      if (control.signal.aborted) return;
      this.query = null;
      if (!this.panel.left(problem)) for (const extra of [...place.children]) this.#remove(extra);
    }
  }

  /** Take an exhibit away, and what is known of its chart. @param {Element} section */
  #remove(section) {
    const box = section.querySelector(".plot");
    if (box instanceof HTMLElement) this.panel.pictures.remove(box);
    section.remove();
  }

  /**
   * @param {HTMLElement} place
   * @param {Exhibit} exhibit
   * @param {number} index
   */
  async #exhibit(place, exhibit, index) {
    const number = index + 2;
    let section = /** @type {HTMLElement | undefined} */ (place.children[index]);
    if (!section) {
      section = document.createElement("section");
      section.className = "exhibit";
      section.id = `exhibit-${number}`;
      section.innerHTML =
        '<h2></h2><p class="subtitle"></p><div class="chart"><div class="plot"></div></div><p class="source"></p>' +
        `<details class="section table" data-table="${number}"><summary>Table</summary><div class="rows"></div></details>`;
      place.append(section);
    }
    const [title, subtitle, source] = ["h2", "p.subtitle", "p.source"].map((one) => section.querySelector(one));
    if (title) title.textContent = exhibit.title;
    if (subtitle) subtitle.textContent = exhibit.subtitle;
    if (source) source.textContent = exhibit.source;
    const box = /** @type {HTMLElement | null} */ (section.querySelector(".plot"));
    if (box) {
      box.dataset["exhibit"] = String(number);
      await this.panel.pictures.put(box, exhibit.chart);
    }
  }
}
