// The controls of a page: what they hold, what an answer puts into them, and the sheet they come up in on a phone.

/** @typedef {import("./panel.js").Finding} Finding */
/** @typedef {{name: string, words: string} | null} Refused   what was put into a control and cannot be used */

/** What stands for an empty field takes a wider one when it is longer. */
const LONG = 14;

/** @param {string} text */
export const safe = (text) => CSS.escape(text);

/**
 * What the controls of a page hold, and the default of each.
 * @param {HTMLElement} page
 * @returns {import("./address.js").Held[]}
 */
export const held = (page) =>
  [...page.querySelectorAll(".controls [name]")].map((one) => {
    const control = /** @type {HTMLInputElement} */ (one);
    return { name: control.name, value: control.value.trim(), initial: control.dataset["default"] ?? "" };
  });

/**
 * Put into the controls what the answer was made from; what a reader is still typing stays, unless ``all``.
 * @param {HTMLElement} page
 * @param {Finding} finding
 * @param {{all: boolean, refused: Refused}} which
 */
export const hold = (page, finding, { all, refused }) => {
  for (const [name, [value, applies, empty, labels]] of Object.entries(finding.controls)) {
    const field = page.querySelector(`[data-field="${safe(name)}"]`);
    const control = /** @type {HTMLInputElement | HTMLSelectElement | null} */ (field?.querySelector("[name]"));
    if (!(field instanceof HTMLElement) || !control) continue;
    const problem = refused?.name === name ? refused.words : (finding.ignored?.[name] ?? "");
    const typing = !all && document.activeElement === control && control.tagName !== "SELECT";
    if (!typing && control.value !== value) control.value = value;
    field.hidden = !applies;
    if (control instanceof HTMLSelectElement)
      for (const option of control.options) {
        const label = labels[option.value];
        if (label !== undefined && option.textContent !== label) option.textContent = label;
      }
    if (control instanceof HTMLInputElement && control.type !== "hidden") control.placeholder = empty;
    if (control.type === "number") field.classList.toggle("long", empty.length > LONG);
    const line = field.querySelector(".problem");
    if (line instanceof HTMLElement) {
      line.textContent = problem;
      line.hidden = !problem;
    }
  }
  for (const group of page.querySelectorAll("[data-group]"))
    if (group instanceof HTMLElement) group.hidden = !group.querySelector("[data-field]:not([hidden])");
  page.classList.toggle("railed", Boolean(page.querySelector("form > .first .field:not([hidden])")));
  page.classList.toggle("carded", Boolean(page.querySelector(".cards > *")) && !page.querySelector(".lead"));
  unfold(page);
};

/**
 * What is off its default is in sight: a folded group that holds it opens. None closes by itself.
 * @param {HTMLElement} page
 */
const unfold = (page) => {
  for (const control of page.querySelectorAll("details.fold [data-field]:not([hidden]) [name]")) {
    const { value, dataset } = /** @type {HTMLInputElement} */ (control);
    const fold = control.closest("details.fold");
    if (fold instanceof HTMLDetailsElement && value !== (dataset["default"] ?? "")) fold.open = true;
  }
};

/** Of a list no longer than this every word may be chosen next. */
const SHORT_LIST = 4;

/**
 * What a reader may choose next in a control: its neighbours, or all of a short list.
 * @param {HTMLInputElement | HTMLSelectElement} control
 * @returns {string[]}
 */
export const neighbours = (control) => {
  if (control instanceof HTMLSelectElement) {
    const at = control.selectedIndex;
    const words = [...control.options].map((option) => option.value);
    if (words.length <= SHORT_LIST) return words.filter((_, place) => place !== at);
    return [at + 1, at - 1].map((place) => control.options[place]?.value ?? "").filter(Boolean);
  }
  if (control.type !== "number" || !control.value) return [];
  const step = Number(control.dataset["step"]) || 1;
  const [low, high] = [Number(control.min), Number(control.max)];
  return [1, -1]
    .map((way) => Number((Number(control.value) + way * step).toPrecision(12)))
    .filter((value) => value >= low && value <= high)
    .map(String);
};

/**
 * Whether what is typed so far may be all of it: a number within its bounds, or a word of the control's list.
 * @param {HTMLInputElement} control
 */
export const complete = (control) => {
  if (control.type === "number") return control.value !== "" && control.validity.valid;
  return [...(control.list?.options ?? [])].some((option) => option.value === control.value.trim());
};

/**
 * Give a control its default back, or every one.
 * @param {HTMLElement} page
 * @param {string} name  "*" for every one
 */
export const reset = (page, name) => {
  for (const one of page.querySelectorAll(".controls [name]")) {
    const control = /** @type {HTMLInputElement} */ (one);
    if (name === "*" || name === control.name) control.value = control.dataset["default"] ?? "";
  }
};

/**
 * A chip is gone, and the focus with it: the next one takes it, or what opens the controls.
 * @param {HTMLElement} page
 * @param {Element | null} chips
 * @param {number} place
 */
export const focusChip = (page, chips, place) => {
  const left = [...(chips?.children ?? [])].filter((one) => one.checkVisibility());
  const next = left[Math.min(place, left.length - 1)];
  const openers = [...page.querySelectorAll(".open-controls, details.adjust > summary")];
  const to = next ?? openers.find((one) => one.checkVisibility());
  if (to instanceof HTMLElement) to.focus({ preventScroll: true });
};

/**
 * On a phone the controls come up as a sheet; no field takes the focus, as a keyboard would cover them. The sheet has an
 * entry of its own in the history, so that Back closes it; the first choice made in it takes that entry. A sheet that
 * closes after a choice shows the finding made from it.
 * @param {HTMLElement} page
 * @param {boolean} open
 * @param {{chosen: boolean}} [how]
 */
export const sheet = (page, open, { chosen } = { chosen: !history.state?.sheet }) => {
  if (open === page.classList.contains("adjusting")) return;
  page.classList.toggle("adjusting", open);
  const button = /** @type {HTMLElement | null} */ (page.querySelector('[data-act="adjust"]'));
  button?.setAttribute("aria-expanded", String(open));
  const more = page.querySelector("details.adjust");
  if (open && more instanceof HTMLDetailsElement) more.open = true;
  const form = /** @type {HTMLElement | null} */ (page.querySelector("form.controls"));
  (open ? form : button)?.focus({ preventScroll: true });
  if (!open && chosen) page.querySelector("h1")?.scrollIntoView({ block: "start" });
  if (open) history.pushState({ ...history.state, sheet: true }, "");
  else if (history.state?.sheet) history.back();
};

/**
 * Back was pressed: an open sheet closes, and what was chosen in it stays.
 * @param {HTMLElement} page
 * @param {boolean} shown  whether the address says what the page shows
 * @returns {boolean} whether that was all
 */
export const closeByBack = (page, shown) => {
  if (!page.classList.contains("adjusting")) return false;
  sheet(page, false, { chosen: !shown });
  if (!shown) history.forward();
  return true;
};
