// The charts of a page: drawn where they are in sight, again when that changes, and all of them for paper.

import { draw, drawAhead, fit, heightIn } from "./chart.js";
import { scheme } from "./theme.js";

/** @typedef {import("./chart.js").Chart} Chart */

const NEAR = "400px";

export class Pictures {
  /**
   * @param {HTMLElement} page
   * @param {Chart} chart   the chart that the page shows already
   * @param {(words: string) => void} say
   */
  constructor(page, chart, say) {
    this.page = page;
    this.chart = chart;
    this.say = say;
    this.scheme = page.dataset["scheme"] = scheme();
    this.missed = false;
    this.onPaper = false;
    /** The charts after the first, by their box. @type {Map<HTMLElement, Chart>} */
    this.charts = new Map();
    /** Boxes on the screen, and boxes whose chart is drawn when they come there. @type {Set<Element>} */
    this.inSight = new Set();
    /** @type {Set<Element>} */
    this.undrawn = new Set();
    this.sight = new IntersectionObserver((boxes) => this.#seen(boxes), { rootMargin: NEAR });
    /** The chart each box shows. @type {WeakMap<Element, Chart>} */
    this.pictured = new WeakMap();
    const first = this.#first();
    if (first) this.pictured.set(first, chart);
    new ResizeObserver(() => this.fit()).observe(page);
  }

  /** @returns {HTMLElement | null} */
  #first() {
    return this.page.querySelector('.plot[data-exhibit="1"]');
  }

  /** Draw the first chart, another one if it is given. @param {Chart} [chart] */
  async draw(chart = this.chart) {
    this.chart = chart;
    const box = this.#first();
    this.missed = !this.page.isConnected;
    if (box && !this.missed) await this.#drawInto(box, chart);
  }

  /** Draw a chart that the first box may show next. @param {Chart} chart @param {() => boolean} wanted */
  ahead(chart, wanted) {
    const box = this.#first();
    if (box && this.page.isConnected) drawAhead(box, chart, this.scheme, wanted);
  }

  /** Show a further chart in its box, drawn when it comes in sight. @param {HTMLElement} box @param {Chart} chart */
  async put(box, chart) {
    this.charts.set(box, chart);
    box.style.height = `${heightIn(box, chart)}px`;
    this.sight.observe(box);
    await this.#stale(box);
  }

  /** A box is gone, and what is known of its chart. @param {HTMLElement} box */
  remove(box) {
    this.sight.unobserve(box);
    this.inSight.delete(box);
    this.undrawn.delete(box);
    this.charts.delete(box);
  }

  /** The scheme may have changed: charts are drawn in its colours. */
  async recolour() {
    if (scheme() === this.scheme) return;
    this.scheme = this.page.dataset["scheme"] = scheme();
    await this.draw();
    for (const box of this.charts.keys()) await this.#stale(box);
  }

  /** The page has come to its place in the document: what could not be drawn outside of it is drawn. */
  async arrived() {
    this.fit();
    if (this.missed) await this.draw();
    await this.recolour();
  }

  /** The box may have changed its width; on paper the style sheet scales what is drawn. */
  fit() {
    if (this.onPaper) return;
    for (const box of this.page.querySelectorAll(".plot")) fit(/** @type {HTMLElement} */ (box));
  }

  /** For paper every chart is drawn, in the colours of a white page. */
  async toPaper() {
    const drawn = [];
    this.onPaper = true;
    if (this.scheme === "dark") {
      this.scheme = this.page.dataset["scheme"] = "light";
      drawn.push(this.draw());
      for (const box of this.charts.keys()) this.undrawn.add(box);
    }
    for (const box of [...this.undrawn]) drawn.push(this.#drawFurther(/** @type {HTMLElement} */ (box)));
    await Promise.all(drawn);
  }

  /** The page is on the screen again. */
  async fromPaper() {
    this.onPaper = false;
    this.fit();
    await this.recolour();
  }

  /** Draw a chart; where that fails no other chart stays in its place. @param {HTMLElement} box @param {Chart} chart */
  async #drawInto(box, chart) {
    try {
      await draw(box, chart, this.scheme);
      this.pictured.set(box, chart);
    } catch (problem) {
      if (this.pictured.get(box) !== chart) box.replaceChildren();
      this.say(/** @type {Error} */ (problem).message);
    }
  }

  /** @param {IntersectionObserverEntry[]} boxes */
  #seen(boxes) {
    for (const { target, isIntersecting } of boxes) {
      if (isIntersecting) this.inSight.add(target);
      else this.inSight.delete(target);
      if (isIntersecting && this.undrawn.has(target)) void this.#drawFurther(/** @type {HTMLElement} */ (target));
    }
  }

  /** A chart is to be drawn: now where it is in sight, else when it comes there. @param {HTMLElement} box */
  async #stale(box) {
    this.undrawn.add(box);
    if (this.inSight.has(box)) await this.#drawFurther(box);
  }

  /** @param {HTMLElement} box */
  async #drawFurther(box) {
    const chart = this.charts.get(box);
    if (!box.isConnected) return;
    this.undrawn.delete(box);
    if (chart) await this.#drawInto(box, chart);
  }
}
