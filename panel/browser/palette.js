// Search: pages, questions, settings, rows, claims and terms by their words; every result is a link.

import { sheet } from "./fields.js";
import { MOST, find } from "./find.js";
import { goTo } from "./menu.js";

/** @typedef {import("./find.js").Entry} Entry */

const INDEX = "/search.json";
const SETTING = "#set-";

/** Whether a reader is typing there. @param {EventTarget | null} target */
const isField = (target) =>
  target instanceof HTMLElement && (target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName));

/** @type {Promise<Entry[]> | null} */
let index = null;
const entries = () => {
  index ??= fetch(INDEX).then(async (got) => {
    if (!got.ok) throw new Error(`the server answered ${got.status}`);
    return (await got.json()).entries;
  });
  index.catch(() => { index = null; });
  return index;
};

/** @param {string} tag @param {Record<string, string>} [attributes] @param {string} [text] */
const element = (tag, attributes = {}, text = "") => {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  made.textContent = text;
  return made;
};

/** Bring the control that the address names in sight, its part of the page opened. */
const showSetting = () => {
  if (!location.hash.startsWith(SETTING)) return;
  const name = CSS.escape(location.hash.slice(SETTING.length));
  const control = document.querySelector(`.panel .controls [name="${name}"]`);
  const panel = control?.closest(".panel");
  if (!(control instanceof HTMLElement) || !(panel instanceof HTMLElement)) return;
  for (let more = control.closest("details"); more; more = more.parentElement?.closest("details") ?? null) more.open = true;
  if (matchMedia("(max-width: 640px)").matches) sheet(panel, true);
  control.focus();
};

/** The page may still move into Streamlit's, which loses the focus: it is given again, until the reader acts. */
const keepSetting = () => {
  if (!location.hash.startsWith(SETTING)) return;
  showSetting();
  const until = performance.now() + 10_000;
  let acted = false;
  for (const act of ["pointerdown", "keydown"]) addEventListener(act, () => { acted = true; }, { once: true, capture: true });
  const look = () => {
    if (acted || performance.now() > until) return;
    if (document.activeElement === document.body) showSetting();
    setTimeout(look, 100);
  };
  look();
};

/** Go where an entry leads; true where it was done without a new document. @param {string} href */
const goWithin = (href) => {
  const { pathname, search, hash } = new URL(href, location.href);
  if (pathname === location.pathname && hash.startsWith(SETTING)) {
    if (location.hash === hash) showSetting();
    else location.hash = hash;
    return true;
  }
  return !search && !hash && goTo(pathname);
};

export class Palette {
  /** @param {HTMLElement} place */
  constructor(place) {
    this.dialog = /** @type {HTMLDialogElement} */ (element("dialog", { class: "palette", "aria-label": "Search" }));
    this.field = /** @type {HTMLInputElement} */ (element("input", {
      type: "text", role: "combobox", "aria-label": "Search pages, questions, settings, rows, claims and terms", "aria-expanded": "true",
      "aria-controls": "palette-list", "aria-autocomplete": "list", autocomplete: "off", spellcheck: "false", enterkeyhint: "go",
      placeholder: "laptop, GPT-5, 28%, H100 vs B200",
    }));
    this.list = element("div", { id: "palette-list", role: "listbox", "aria-label": "Results" });
    this.said = element("p", { role: "status" });
    const close = /** @type {HTMLButtonElement} */ (element("button", { type: "button", class: "close", "aria-label": "Close" }, "×"));
    close.onclick = () => this.dialog.close();
    const top = element("div", { class: "palette-top" });
    top.append(this.field, close);
    this.dialog.append(top, this.said, this.list);
    this.active = 0;
    this.field.oninput = () => void this.fill();
    this.field.onkeydown = (event) => this.key(event);
    this.dialog.onclick = (event) => {
      if (event.target === this.dialog) this.dialog.close();
      const link = event.target instanceof Element ? event.target.closest("a") : null;
      if (!link || event.ctrlKey || event.metaKey || event.shiftKey) return;
      this.dialog.close();
      if (goWithin(link.href)) event.preventDefault();
    };
    place.append(this.dialog);
  }

  open() {
    if (this.dialog.open) return;
    this.field.value = "";
    this.dialog.showModal();
    this.field.focus();
    void this.fill();
  }

  async fill() {
    const asked = this.field.value;
    let found;
    try {
      found = find(await entries(), asked, MOST, location.pathname);
    } catch (problem) {
      this.said.textContent = `Search is not available: ${/** @type {Error} */ (problem).message}`;
      return;
    }
    if (asked !== this.field.value) return;
    this.list.replaceChildren(...found.map(([kind, title, more, href], number) => {
      const link = element("a", { role: "option", id: `palette-${number}`, href, tabindex: "-1" });
      const words = element("span");
      words.append(element("b", {}, title), element("small", {}, more));
      link.append(words, element("i", {}, kind));
      return link;
    }));
    this.said.textContent = found.length ? "" : "Nothing found. Try fewer or shorter words.";
    this.mark(0);
  }

  /** @param {number} number */
  mark(number) {
    const options = [...this.list.children];
    this.active = options.length ? (number + options.length) % options.length : 0;
    options.forEach((option, at) => option.setAttribute("aria-selected", String(at === this.active)));
    const option = options[this.active];
    if (option) {
      this.field.setAttribute("aria-activedescendant", option.id);
      option.scrollIntoView({ block: "nearest" });
    } else this.field.removeAttribute("aria-activedescendant");
  }

  /** @param {KeyboardEvent} event */
  key(event) {
    if (event.isComposing) return;
    const steps = { ArrowDown: 1, ArrowUp: -1 };
    const step = /** @type {Record<string, number>} */ (steps)[event.key];
    if (step) this.mark(this.active + step);
    else if (event.key === "Enter") /** @type {HTMLElement | undefined} */ (this.list.children[this.active])?.click();
    else return;
    event.preventDefault();
  }
}

/** The button in the bar, and the keys that open it; none in a frame. */
export const begin = () => {
  const place = /** @type {HTMLElement | null} */ (document.querySelector("header.bar"));
  const button = /** @type {HTMLButtonElement | null} */ (place?.querySelector("button.search") ?? null);
  if (!place || !button) return;
  /** @type {Palette | undefined} */
  let palette;
  const open = () => (palette ??= new Palette(place)).open();
  button.onclick = open;
  addEventListener("keydown", (event) => {
    const wanted = event.key === "/" ? !isField(event.target) && !event.ctrlKey && !event.metaKey && !event.altKey
      : event.key.toLowerCase() === "k" && (event.ctrlKey || event.metaKey) && !event.shiftKey && !event.altKey;
    if (!wanted || document.querySelector("dialog[open]")) return;
    event.preventDefault();
    event.stopPropagation();
    open();
  }, { capture: true });
  addEventListener("hashchange", showSetting);
  keepSetting();
};
