// The page of a view, live: a change of a control is one answer from the server, put in place.

import { addressOf, answerAddress, queryOf, queryWith } from "./address.js";
import { Answers, waitingWords } from "./answers.js";
import { ready } from "./chart.js";
import { watchDeck } from "./deck.js";
import { addToDeck, sayInDeck } from "./deck_button.js";
import { openClicked, openMark } from "./evidence.js";
import { complete, focusChip, held, hold, neighbours, reset, safe, sheet } from "./fields.js";
import { Further } from "./further.js";
import { Part } from "./part.js";
import { Pictures } from "./pictures.js";
import { outdated, program, renew } from "./program.js";
import { openShare } from "./share.js";
import { walk } from "./walk.js";
import { fillOpenTables, fillTable, forgetTable } from "./tables.js";

/** @typedef {import("./chart.js").Chart} Chart */
/**
 * @typedef {object} Finding
 * @property {string} view
 * @property {string} path
 * @property {string} query    what is off its default, as the address has it
 * @property {string} link     every setting spelled out, and the release; empty for a reader's own data
 * @property {Record<string, string>} [parts]   name -> HTML
 * @property {Record<string, [string, boolean, string, Record<string, string>]>} controls
 *   value, whether it applies, what stands for empty, labels of options that depend on the other choices
 * @property {Record<string, string>} [ignored] setting -> what was wrong with it
 * @property {Chart} chart
 * @property {string} pin      the token of these choices, as another answer names what it is compared with
 * @property {string} [page]
 * @property {string} [program]  what made it
 */
/** @typedef {(view: string, query: string, options: Record<string, string | number>, signal: AbortSignal) => Promise<any>} Ask */
/** @typedef {{id: string, ask: Ask} | null} Own   which data of the reader's own are read, and how; null for ours */

const DIM_AFTER_MS = 150;
const TYPED_MS = 350;
const QUICK_MS = 250;
/** What may be asked next is fetched when a reader has stayed at a control for so long. */
const AHEAD_MS = 150;
const SAME_CHANGE_MS = 2000;
const TOLD_MS = 6000;
const MOST_PATIENCE_MS = 60_000;
/** What lies higher is out of sight, or under the bar at the top of a phone. [px] */
const UNDER_TOP = 60;

/** An answer is kept under the program it is asked of, by the browser and on the way, as another's may differ. */
export const answers = new Answers((address, how) => fetch(program ? `${address}&by=${program}` : address, how));

/** A signal for what a reader opened: it is given up at last, with words that say so. */
const patience = () => {
  const control = new AbortController();
  setTimeout(() => control.abort(new Error("No answer came within a minute. Try again.")), MOST_PATIENCE_MS);
  return control.signal;
};

export class Panel {
  /**
   * @param {HTMLElement} node     the page as the server made it
   * @param {Finding} finding      what it shows
   * @param {string} asked         the query it was asked with: the same choices, perhaps spelled out
   * @param {Own} own
   */
  constructor(node, finding, asked, own) {
    this.node = node;
    this.asked = asked;
    /** The query under way, if any. @type {string | null} */
    this.wanted = null;
    this.own = own;
    this.view = finding.view;
    this.path = finding.path;
    this.finding = finding;
    this.embedded = node.classList.contains("embedded");
    /** @type {AbortController | null} */
    this.control = null;
    /** @type {Record<string, string>} */
    this.shown = {};
    this.pictures = new Pictures(node, finding.chart, (words) => this.#say(words));
    this.further = new Further(this);
    this.part = new Part(node);
    /** The change under way, or the last one: over when the page shows it or has given it up. @type {Promise<void>} */
    this.changing = Promise.resolve();
    this.quick = true;
    this.changedLast = { name: "", at: 0 };
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    this.aheadLater = undefined;
    /** What a reader put into a control and cannot be used: nothing else changed. @type {import("./fields.js").Refused} */
    this.refused = null;
    /** @type {Promise<void>} */
    this.live = this.pictures.draw();
    this.#listen();
    this.further.ask();
    this.part.open();
    // A reader may have chosen before the page was live.
    if (this.controls.some(({ name, value }) => value !== (finding.controls[name]?.[0] ?? value).trim())) this.#changed("");
  }

  /** What the controls hold. */
  get controls() {
    return held(this.node);
  }

  /** What is off its default, as the address has it. */
  get query() {
    return this.finding.query;
  }

  /** Whether this is what the page shows, or will in a moment, however it is spelled. @param {string} query */
  shows(query) {
    return this.wanted === null ? query === this.query || query === this.asked : query === this.wanted;
  }

  /**
   * Read these data from now on; where they are others than before, everything is asked for anew.
   * @param {Own} own
   * @param {string} [query]  what is to be shown
   */
  async readFrom(own, query = this.query) {
    const [before, changed] = [this.own, own?.id !== this.own?.id];
    this.own = own;
    if (changed || !this.shows(query)) await this.show(query, { history: "none" });
    if (before && !own && this.finding.link) this.#say("Your export is no longer read here: these are the numbers of our release.");
    if (!changed) this.resume();
  }

  /**
   * Show the view with other choices. Where that is refused, controls and address go back to what is shown.
   * @param {string} query
   * @param {{history: "push" | "replace" | "none", typed?: string}} how  ``typed``: the control a reader put it into;
   *   what cannot be used there is told beside it, and the page stays as it is
   */
  show(query, { history: how, typed = "" }) {
    this.changing = this.#show(query, how, typed);
    return this.changing;
  }

  /**
   * @param {string} query
   * @param {"push" | "replace" | "none"} how
   * @param {string} typed
   */
  async #show(query, how, typed) {
    this.control?.abort(new DOMException("A newer choice", "AbortError"));
    const control = (this.control = new AbortController());
    this.wanted = query;
    this.further.leave();
    clearTimeout(this.aheadLater);
    const begun = performance.now();
    const dim = setTimeout(() => this.node.classList.add("dim"), DIM_AFTER_MS);
    try {
      const finding = await this.ask(query, { part: "finding" }, control.signal);
      if (control.signal.aborted) return;
      this.quick = performance.now() - begun < QUICK_MS;
      if (typed && finding.ignored?.[typed]) {
        this.refused = { name: typed, words: finding.ignored[typed] };
        this.#hold({ all: false });
        this.further.ask();
        return;
      }
      this.asked = query;
      await this.#apply(finding, how);
    } catch (problem) {
      if (control.signal.aborted) return;
      this.#hold({ all: true });
      this.#putAddress("replace");
      if (this.left(problem)) return;
      this.#say(`${/** @type {Error} */ (problem).message} The previous choices are still shown.`);
      this.further.ask();
    } finally {
      clearTimeout(dim);
      if (this.control === control) {
        this.control = null;
        this.wanted = null;
        this.node.classList.remove("dim");
      }
    }
  }

  /**
   * @param {string} query
   * @param {Record<string, string | number>} options
   * @param {AbortSignal} [signal]
   */
  async ask(query, options, signal = patience()) {
    if (this.own) return this.own.ask(this.view, query, options, signal);
    let told = false;
    const waiting = (/** @type {"busy" | "away"} */ why, /** @type {number} */ seconds) => {
      told = true;
      this.#say(waitingWords(why, seconds));
    };
    try {
      const answer = await answers.get(answerAddress(this.view, query, options), { signal, waiting });
      const inSight = location.pathname === this.path;
      return inSight && outdated(answer.program) ? renew(addressOf(this.path, query, location.search)) : answer;
    } finally {
      if (told) this.#say("");
    }
  }

  /** What another view answers. @param {string} address */
  fetch(address) {
    return answers.get(address, { signal: patience() });
  }

  /**
   * @param {Finding} finding
   * @param {"push" | "replace" | "none"} how
   */
  async #apply(finding, how) {
    this.finding = finding;
    this.refused = null;
    this.further.stale();
    this.#say("");
    // Drawn before the words come in, as plotly measures what it draws and would have the page laid out twice.
    const drawn = this.pictures.draw(finding.chart);
    const before = this.#first();
    if (ready()) await drawn;
    if (this.finding !== finding) return; // a newer one came while this was drawn
    for (const [name, html] of Object.entries(finding.parts ?? {})) {
      if (this.shown[name] === html) continue;
      this.shown[name] = html;
      for (const part of this.node.querySelectorAll(`[data-part="${safe(name)}"]`)) part.innerHTML = html;
    }
    this.#hold({ all: how === "none" });
    // What could not be used of a link leaves the address.
    if (how !== "none" || Object.keys(finding.ignored ?? {}).length) this.#putAddress(how === "push" ? "push" : "replace");
    sayInDeck(this.node, this.finding.link);
    for (const section of this.node.querySelectorAll("details.table")) forgetTable(this, /** @type {HTMLDetailsElement} */ (section));
    await drawn;
    if (this.finding !== finding) return;
    this.node.dataset["query"] = finding.query;
    if (how !== "none") this.#told(before, this.#first());
    this.node.dispatchEvent(new CustomEvent("shown", { bubbles: true, detail: finding }));
    this.further.ask();
  }

  /** Let the address say what is shown, where this page is the one in sight. @param {"push" | "replace"} how */
  #putAddress(how) {
    const address = addressOf(this.path, this.query, location.search);
    if (location.pathname !== this.path || address === location.pathname + location.search) return;
    const { sheet: open, ...state } = history.state ?? {};
    history[how === "push" && !open ? "pushState" : "replaceState"](state, "", address + location.hash);
  }

  #listen() {
    const form = this.node.querySelector("form.controls");
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    let typed;
    const change = (/** @type {Event} */ event) => {
      clearTimeout(typed);
      const { name } = /** @type {HTMLInputElement} */ (event.target);
      if (name) this.#changed(name);
    };
    form?.addEventListener("submit", (event) => event.preventDefault());
    for (const controls of this.node.querySelectorAll(".controls")) {
      controls.addEventListener("change", change);
      controls.addEventListener("input", (event) => {
        const control = /** @type {HTMLInputElement} */ (event.target);
        if (control.tagName === "SELECT") return;
        clearTimeout(typed);
        typed = setTimeout(() => this.#changed(control.name), TYPED_MS);
        this.#meanwhile(control);
      });
      controls.addEventListener("focusout", () => {
        clearTimeout(typed);
        if (!this.control) this.#hold({ all: true });
      });
      controls.addEventListener("focusin", (event) => this.#ahead(/** @type {HTMLInputElement} */ (event.target)));
    }
    this.node.addEventListener("keydown", (event) => {
      if (event.key === "Escape") sheet(this.node, false);
    });
    this.node.addEventListener("click", (event) => {
      const target = /** @type {HTMLElement} */ (event.target);
      // A link that does the same without scripts; a new tab is the reader's own wish.
      if (target.closest("a") && (event.ctrlKey || event.metaKey || event.shiftKey)) return;
      if (target.closest("a[data-act]") || openClicked(this, target)) event.preventDefault();
      this.#clicked(target, event);
    });
    this.node.addEventListener("mark", (event) => openMark(this, /** @type {CustomEvent} */ (event).detail));
    this.node.addEventListener("pointerover", (event) => {
      const button = /** @type {HTMLElement} */ (event.target).closest?.('[data-act="share"]');
      if (button && !this.own && this.quick) answers.ahead(answerAddress(this.view, this.query, { part: "share" }));
    });
    this.node.addEventListener("toggle", (event) => {
      const section = event.target;
      if (section instanceof HTMLDetailsElement && section.open && section.dataset["table"]) void fillTable(this, section);
    }, true);
    walk(this.node);
    fillOpenTables(this);
    watchDeck(() => sayInDeck(this.node, this.finding.link));
    sayInDeck(this.node, this.finding.link);
  }

  /** @param {string} name */
  #changed(name) {
    const query = queryOf(this.controls);
    const told = this.wanted === null && Object.keys(this.finding.ignored ?? {}).length > 0;
    if (query === (this.wanted ?? (told ? this.asked : this.query))) {
      if (this.refused) {
        this.refused = null;
        this.#hold({ all: false });
      }
      return;
    }
    const now = performance.now();
    const again = this.changedLast.name === name && now - this.changedLast.at < SAME_CHANGE_MS;
    const typing = document.activeElement instanceof HTMLInputElement && document.activeElement.name === name;
    const typed = this.node.querySelector(`.controls input[name="${safe(name)}"]`) ? name : "";
    this.changedLast = { name, at: now };
    void this.show(query, { history: again && typing ? "replace" : "push", typed }).then(() => {
      const control = this.node.querySelector(`.controls [name="${safe(name)}"]`);
      if (control === document.activeElement) this.#ahead(/** @type {HTMLInputElement} */ (control));
    });
  }

  /** Fetch what a reader may choose next, and draw it while it is still wanted. @param {string} query @param {() => boolean} wanted */
  async #prepare(query, wanted) {
    const finding = await answers.ahead(answerAddress(this.view, query, { part: "finding" }));
    if (finding) this.pictures.ahead(finding.chart, () => this.wanted === null && wanted());
  }

  /** Prepare what a reader has typed while there may be more to come. @param {HTMLInputElement} control */
  #meanwhile(control) {
    const query = queryOf(this.controls);
    if (this.own || !this.quick || !complete(control) || query === this.query) return;
    void this.#prepare(query, () => query === queryOf(this.controls));
  }

  /** Prepare a control's neighbours; steps of a number follow too fast for drawings. @param {HTMLInputElement | HTMLSelectElement} control */
  #ahead(control) {
    clearTimeout(this.aheadLater);
    if (this.own || !this.quick || !control.name) return;
    const wanted = () => control.tagName === "SELECT" && document.activeElement === control;
    this.aheadLater = setTimeout(() => {
      for (const value of neighbours(control)) void this.#prepare(queryWith(this.controls, control.name, value), wanted);
    }, AHEAD_MS);
  }

  /**
   * @param {HTMLElement} target
   * @param {MouseEvent} event
   */
  #clicked(target, event) {
    const pill = target.closest("a[data-choose]");
    if (pill instanceof HTMLAnchorElement) {
      event.preventDefault();
      void this.#pick(pill);
      return;
    }
    const chip = target.closest("[data-reset]");
    if (chip instanceof HTMLElement) {
      reset(this.node, chip.dataset["reset"] ?? "");
      const [chips, place] = [chip.parentElement, [...(chip.parentElement?.children ?? [])].indexOf(chip)];
      void this.show(queryOf(this.controls), { history: "push" }).then(() => {
        if (document.activeElement === document.body) focusChip(this.node, chips, place);
      });
      return;
    }
    if (target === this.node) sheet(this.node, false); // beside the sheet
    const act = /** @type {HTMLElement | null} */ (target.closest("[data-act]"))?.dataset["act"];
    if (act === "share" || act === "quote") void openShare(this.node, () => this.changing.then(() => this.ask(this.query, { part: "share" })));
    if (act === "pin") void this.changing.then(() => this.#pin());
    if (act === "every") sheet(this.node, false);
    if (act === "every") void this.changing.then(() => this.#pin(target.closest("[data-every]")?.getAttribute("data-every")));
    if (act === "deck") void this.changing.then(() => this.#say(addToDeck(this.finding.link)));
    if (act === "undo") history.back();
    if (act === "adjust") sheet(this.node, true);
    if (act === "done") sheet(this.node, false);
  }

  /** Keep this answer beside the next ones, or let it go; or have every option of a setting side by side. @param {string | null} [every] */
  #pin(every) {
    const field = this.node.querySelector('.controls [name="vs"]');
    if (!(field instanceof HTMLInputElement)) return;
    field.value = every ? `every:${every}` : field.value ? "" : this.finding.pin;
    this.#changed("vs");
    if (field.value && !every) void this.changing.then(() => this.#say("Pinned. Change a setting to see both answers side by side."));
  }

  /** Choose the word of a pill; the pill, or the way on, that then stands in its place has the focus. @param {HTMLAnchorElement} pill */
  async #pick(pill) {
    const [name, word] = [pill.dataset["choose"] ?? "", pill.dataset["word"] ?? ""];
    const control = this.node.querySelector(`.controls [name="${safe(name)}"]`);
    if (control instanceof HTMLInputElement) control.value = word;
    this.#changed(name);
    const way = pill.rel;
    await this.changing;
    if (pill.closest(".ways, .steps") && this.wanted === null) this.#toTop();
    const now =
      (way && this.node.querySelector(`a[data-choose="${safe(name)}"][rel="${safe(way)}"]`)) ||
      this.node.querySelector(`a[data-choose="${safe(name)}"][data-word="${safe(word)}"]`);
    if (now instanceof HTMLElement && document.activeElement === document.body) now.focus({ preventScroll: true });
  }

  /** A new step begins with its headline: let it be in sight. */
  #toTop() {
    const headline = this.node.querySelector("h1");
    if (headline && headline.getBoundingClientRect().top < UNDER_TOP) this.node.scrollIntoView({ block: "start" });
  }

  /** The page is back in sight: what was given up when it was left is asked for again. */
  resume() {
    this.further.resume();
    fillOpenTables(this);
  }

  /** Whether a question was given up because the page was left. @param {unknown} problem */
  left(problem) {
    return problem instanceof DOMException && problem.name === "AbortError";
  }

  /** Put into the controls what is shown; what a reader is still typing stays, unless ``all``. @param {{all: boolean}} which */
  #hold({ all }) {
    hold(this.node, this.finding, { all, refused: this.refused });
  }

  /** The name and the text of the first figure. */
  #first() {
    const [label, text] = ["dt", "dd b"].map((part) => this.node.querySelector(`.figures ${part}`)?.textContent ?? "");
    return { label, text };
  }

  /**
   * Say for a moment what a choice did to the first figure, and offer to take it back.
   * @param {Record<"label" | "text", string | undefined>} before
   * @param {Record<"label" | "text", string | undefined>} after
   */
  #told(before, after) {
    const line = this.node.querySelector('[data-part="waiting"]');
    if (!line || !before.text || !after.text || before.label !== after.label || before.text === after.text) return;
    this.#say(`${after.label}: ${before.text} to ${after.text}`);
    const undo = document.createElement("button");
    Object.assign(undo, { type: "button", textContent: "Undo" });
    undo.dataset["act"] = "undo";
    line.append(" ", undo);
    setTimeout(() => line.contains(undo) && !line.contains(document.activeElement) && this.#say(""), TOLD_MS);
  }

  /** @param {string} words */
  #say(words) {
    const line = this.node.querySelector('[data-part="waiting"]');
    if (line) line.textContent = words;
  }
}
