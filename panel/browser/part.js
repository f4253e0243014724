// The part of a page that the address names: opened, brought in sight, and kept there until the reader does anything.

import { safe } from "./fields.js";

const ACTS = ["wheel", "touchstart", "pointerdown", "keydown"];

export class Part {
  /** @param {HTMLElement} page */
  constructor(page) {
    this.page = page;
    /** The part that was opened last. */
    this.opened = "";
    this.letGo = () => {};
  }

  /** Open and show the part that the address names. */
  open() {
    const part = location.hash.slice(1);
    if (!part || this.opened === part) return;
    const section = this.page.querySelector(`#${safe(part)}`);
    if (!section) return;
    this.opened = part;
    for (let at = section; at instanceof Element && at !== this.page; at = /** @type {Element} */ (at.parentElement))
      if (at instanceof HTMLDetailsElement) at.open = true;
    section.scrollIntoView();
    this.#keepInSight(section);
  }

  /** What comes above a part moves it; it is brought back until the reader does anything. @param {Element} section */
  #keepInSight(section) {
    this.letGo();
    const watch = new ResizeObserver(() => section.scrollIntoView());
    this.letGo = () => {
      watch.disconnect();
      for (const act of ACTS) removeEventListener(act, this.letGo);
    };
    for (const act of ACTS) addEventListener(act, this.letGo, { passive: true });
    watch.observe(this.page);
  }
}
