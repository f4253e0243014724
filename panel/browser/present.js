// Slides that fill the screen: one view, or those of a deck, gone through by keys, clicks at the edges, or a finger.

import { answerAddress } from "./address.js";
import { Answers, waitingWords } from "./answers.js";
import { draw, shaped } from "./chart.js";
import { program } from "./program.js";
import { scheme, watchScheme } from "./theme.js";

/** @typedef {import("./panel.js").Finding} Finding */
/** @typedef {{view: string, query: string, question: string, title?: string}} Slide */
/** @typedef {{slides: Slide[], leave: string, title: string, first: Finding | null}} Told */

const NARROWEST = 340;
const WIDEST = 1240;
/** Labels were laid out for the natural height: below this a chart would be read by nobody, above it they may touch. */
const SMALLEST = 0.62;
/** A headline of more letters is set smaller. */
const LONG_HEADLINE = 110;
const FARTHEST_TAP = 45;
const SETTLED_MS = 120;

/**
 * How a chart fills its place: how many times its natural size it is drawn, and how wide and high before that.
 * @param {number} width    of the place, in px
 * @param {number} height
 * @param {number} natural  height at which the chart was laid out
 */
export const fitted = (width, height, natural) => {
  const wanted = Math.max(height / natural, width / WIDEST);
  const scale = Math.max(SMALLEST, Math.min(wanted, width / NARROWEST));
  return { scale, width: width / scale, height: height / scale };
};

/**
 * What a key asks for; empty for nothing of ours.
 * @param {{key: string, shiftKey?: boolean, ctrlKey?: boolean, altKey?: boolean, metaKey?: boolean}} pressed
 * @returns {"on" | "back" | "first" | "last" | "leave" | "notes" | "full" | ""}
 */
export const meaning = ({ key, shiftKey = false, ctrlKey = false, altKey = false, metaKey = false }) => {
  if (ctrlKey || altKey || metaKey) return "";
  if (key === " ") return shiftKey ? "back" : "on";
  /** @type {Record<string, "on" | "back" | "first" | "last" | "leave" | "notes" | "full">} */
  const meant = {
    ArrowRight: "on", ArrowDown: "on", PageDown: "on",
    ArrowLeft: "back", ArrowUp: "back", PageUp: "back", Backspace: "back",
    Home: "first", End: "last", Escape: "leave", n: "notes", N: "notes", f: "full", F: "full",
  };
  return Object.hasOwn(meant, key) ? (meant[key] ?? "") : "";
};

/**
 * The slide that an address asks for, counted from 0.
 * @param {string} hash
 * @param {number} count
 */
export const placeOf = (hash, count) => {
  const number = Number.parseInt(hash.slice(1), 10);
  return Number.isFinite(number) ? Math.min(Math.max(number, 1), count) - 1 : 0;
};

class Presentation {
  /** @param {HTMLElement} page @param {Told} told */
  constructor(page, told) {
    this.page = page;
    this.told = told;
    this.at = -1;
    this.answers = new Answers((address, how) => fetch(program ? `${address}&by=${program}` : address, how));
    this.control = new AbortController();
    /** The chart as it is drawn now, by its finding, at one size. @type {Map<string, import("./chart.js").Chart>} */
    this.sized = new Map();
    /** @type {Finding | null} */
    this.finding = null;
    /** The slide that the finding belongs to, which is not yet the one asked for while that is waited for. */
    this.shown = -1;
    page.dataset["scheme"] = scheme();
    this.#listen();
    void this.go(placeOf(location.hash, told.slides.length));
  }

  /** @param {string} path @returns {HTMLElement} */
  #one(path) {
    return /** @type {HTMLElement} */ (this.page.querySelector(path));
  }

  /** @param {number} place */
  #address(place) {
    const { view, query } = /** @type {Slide} */ (this.told.slides[place]);
    return answerAddress(view, query, { part: "finding" });
  }

  /** Show a slide; beyond either end nothing happens. @param {number} place */
  async go(place) {
    const slide = this.told.slides[place];
    if (!slide || place === this.at) return;
    const begun = this.at === -1;
    this.at = place;
    this.control.abort();
    const control = (this.control = new AbortController());
    if (!begun || place > 0) history.replaceState(history.state, "", `#${place + 1}`);
    this.#one(".number").textContent = this.told.slides.length > 1 ? `${place + 1} / ${this.told.slides.length}` : "";
    for (const [name, end] of /** @type {[string, number][]} */ ([["back", 0], ["on", this.told.slides.length - 1]])) {
      const button = /** @type {HTMLButtonElement | null} */ (this.page.querySelector(`.edge.${name}`));
      if (button) button.disabled = place === end;
    }
    const late = setTimeout(() => this.#blank(slide), begun ? 0 : SETTLED_MS);
    if (begun && place === 0) clearTimeout(late);
    try {
      const finding = place === 0 && this.told.first ? this.told.first : await this.#asked(place, control.signal);
      clearTimeout(late);
      if (control.signal.aborted) return;
      this.#say("");
      await this.#show(slide, finding);
    } catch (problem) {
      clearTimeout(late);
      if (control.signal.aborted) return;
      this.#blank(slide);
      this.#say(`This view could not be shown: ${/** @type {Error} */ (problem).message}`);
    }
    for (const next of [place + 1, place - 1]) {
      if (this.told.slides[next] && !(next === 0 && this.told.first)) this.answers.ahead(this.#address(next));
    }
  }

  /** @param {number} place @param {AbortSignal} signal @returns {Promise<Finding>} */
  #asked(place, signal) {
    return this.answers.get(this.#address(place), {
      signal,
      waiting: (why, seconds) => this.#say(waitingWords(why, seconds)),
    });
  }

  /** Nothing of another slide stays while this one is waited for. @param {Slide} slide */
  #blank(slide) {
    this.finding = null;
    this.#one(".question").textContent = slide.question;
    this.#one("h1").textContent = "One moment …";
    for (const name of [".subtitle", ".source", ".speaker"]) this.#one(name).replaceChildren();
    this.#clear();
  }

  #clear() {
    const plot = this.#one(".plot");
    plot.replaceChildren();
    delete plot.dataset["slide"];
  }

  /** @param {Slide} slide @param {Finding} finding */
  async #show(slide, finding) {
    this.finding = finding;
    this.shown = this.at;
    const parts = finding.parts ?? {};
    this.#one(".question").textContent = slide.question;
    const headline = this.#one("h1");
    if (slide.title) headline.textContent = slide.title;
    else headline.innerHTML = parts["headline"] ?? "";
    headline.classList.toggle("long", (headline.textContent ?? "").length > LONG_HEADLINE);
    this.#one(".subtitle").innerHTML = parts["subtitle"] ?? "";
    this.#one(".source").innerHTML = parts["source"] ?? "";
    document.title = [headline.textContent, this.told.title].filter(Boolean).join(" – ");
    const notes = this.#one(".speaker");
    notes.innerHTML = [
      parts["notes"] && `<ul>${parts["notes"]}</ul>`,
      parts["sure"] && `<h2>How sure are we?</h2>${parts["sure"]}`,
      parts["changes"] && `<h2>What changes this?</h2>${parts["changes"]}`,
      parts["method"] && `<h2>Method</h2>${parts["method"]}`,
    ].filter(Boolean).join("");
    notes.scrollTop = 0;
    await this.draw();
  }

  /** Draw the chart as large as its place. */
  async draw() {
    const { finding, shown } = this;
    if (!finding) return;
    const [stage, plot] = [this.#one(".stage"), this.#one(".plot")];
    const { data, layout } = shaped(finding.chart.figure, stage.clientWidth);
    const size = fitted(stage.clientWidth, stage.clientHeight, layout.height);
    if (!(size.width > 1 && size.height > 1)) return;
    plot.style.width = `${size.width}px`;
    plot.style.transform = `scale(${size.scale})`;
    const key = `${shown} ${Math.round(size.width)} ${Math.round(size.height)}`;
    const chart = this.sized.get(key) ?? { figure: { data, layout: { ...layout, height: size.height } }, alt: finding.chart.alt };
    this.sized.set(key, chart);
    await draw(plot, chart, scheme());
    if (finding === this.finding) plot.dataset["slide"] = String(shown + 1);
    else if (!this.finding) this.#clear(); // its slide was left while it was drawn
  }

  #listen() {
    addEventListener("keydown", (event) => {
      const asked = meaning(event);
      if (!asked) return;
      // A button in focus is pressed by the space key, and notes in focus are scrolled.
      const target = /** @type {HTMLElement} */ (event.target);
      if (event.key === " " && target.closest?.("button, a")) return;
      if (target.closest?.(".speaker") && ["ArrowUp", "ArrowDown", "PageUp", "PageDown"].includes(event.key)) return;
      event.preventDefault();
      this.do(asked);
    });
    this.page.addEventListener("click", (event) => {
      const edge = /** @type {HTMLElement} */ (event.target).closest(".edge");
      if (edge) this.do(edge.classList.contains("on") ? "on" : "back");
    });
    /** @type {Touch | undefined} */
    let from;
    addEventListener("touchstart", (event) => (from = event.touches.length === 1 ? event.touches[0] : undefined), { passive: true });
    addEventListener("touchend", (event) => {
      const to = event.changedTouches[0];
      if (!from || !to || /** @type {HTMLElement} */ (event.target).closest(".speaker")) return;
      const [across, down] = [to.clientX - from.clientX, to.clientY - from.clientY];
      from = undefined;
      if (Math.abs(across) > FARTHEST_TAP && Math.abs(across) > 1.5 * Math.abs(down)) this.do(across < 0 ? "on" : "back");
    }, { passive: true });
    addEventListener("hashchange", () => this.go(placeOf(location.hash, this.told.slides.length)));
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    let settled;
    const again = () => {
      clearTimeout(settled);
      settled = setTimeout(() => void this.draw(), SETTLED_MS);
    };
    new ResizeObserver(again).observe(this.#one(".stage"));
    watchScheme(() => {
      this.page.dataset["scheme"] = scheme();
      void this.draw();
    });
  }

  /** @param {ReturnType<typeof meaning>} asked */
  do(asked) {
    const last = this.told.slides.length - 1;
    if (asked === "on") void this.go(this.at + 1);
    if (asked === "back") void this.go(this.at - 1);
    if (asked === "first") void this.go(0);
    if (asked === "last") void this.go(last);
    if (asked === "leave") location.assign(this.told.leave);
    if (asked === "notes") {
      const notes = this.#one(".speaker");
      notes.hidden = !notes.hidden;
    }
    if (asked === "full") {
      const change = document.fullscreenElement ? document.exitFullscreen() : document.documentElement.requestFullscreen();
      change.catch(() => this.#say("This browser does not show pages in full screen."));
    }
  }

  /** @param {string} words */
  #say(words) {
    this.#one(".said").textContent = words;
  }
}

const page = /** @type {HTMLElement | null} */ (document.querySelector("#first.present"));
const told = document.getElementById("first-answer")?.textContent;
if (page && told) new Presentation(page, JSON.parse(told));
