// Light or dark: what Streamlit's page shows; before it is there, what the reader chose last or the system says.

import { APP, ROOT, takeTheme, themeKey } from "./streamlit.js";

/** @typedef {"light" | "dark"} Scheme */

const system = () => matchMedia("(prefers-color-scheme: dark)").matches;

/** Streamlit keeps a reader's choice by the address it was started at; here it is kept for every page. */
const KEPT = "scaling-gap theme";
let streamlits = "";

/** @param {string} key  @returns {string} Dark, Light or System; empty for none */
const named = (key) => {
  const kept = JSON.parse(localStorage.getItem(key) ?? '""');
  return typeof kept === "string" ? kept : String(kept?.name ?? "");
};

/** What the reader chose in the bar, now or on an earlier visit. @returns {"Dark" | "Light" | "System"} */
export const chosenTheme = () => {
  try {
    const name = named(KEPT);
    return /dark/i.test(name) ? "Dark" : /light/i.test(name) ? "Light" : "System";
  } catch {
    return "System";
  }
};

/** Told when a theme was chosen before Streamlit was there. */
const CHOSEN = "scaling-gap-theme";

/** Take a theme, on this page and the next ones. @param {string} name  Dark, Light or System */
export const chooseTheme = async (name) => {
  try {
    for (const key of [KEPT, streamlits]) if (key) localStorage.setItem(key, JSON.stringify(name));
  } catch {
    // A browser that keeps nothing: it holds for this page.
  }
  if (document.querySelector(APP)) await takeTheme(name);
  dispatchEvent(new Event(CHOSEN));
};

/** Before Streamlit starts: let it find the reader's choice, and keep what they choose from now on. */
export const carryTheme = () => {
  streamlits = themeKey();
  try {
    const kept = named(KEPT);
    if (kept) localStorage.setItem(streamlits, JSON.stringify(kept));
  } catch {
    // A browser that keeps nothing: the system's scheme then holds.
  }
  for (const moment of ["pagehide", "visibilitychange"]) addEventListener(moment, keepTheme, { capture: true });
};

export const keepTheme = () => {
  try {
    const name = named(streamlits);
    if (name) localStorage.setItem(KEPT, JSON.stringify(name));
  } catch {
    // As above.
  }
};

/** @returns {Scheme} */
export const scheme = () => {
  const app = document.querySelector(APP);
  if (app) return getComputedStyle(app).colorScheme.includes("dark") ? "dark" : "light";
  const asked = new URLSearchParams(location.search).getAll("embed_options");
  if (asked.includes("dark_theme")) return "dark";
  if (asked.includes("light_theme")) return "light";
  const chosen = chosenTheme();
  return (chosen === "System" ? system() : chosen === "Dark") ? "dark" : "light";
};

/**
 * Call back whenever the scheme may have changed.
 * @param {() => void} changed
 */
export const watchScheme = (changed) => {
  addEventListener(CHOSEN, changed);
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => setTimeout(changed, 60));
  const watch = new MutationObserver(changed);
  const begin = () => {
    const app = document.querySelector(APP);
    if (app) watch.observe(app, { attributes: true, attributeFilter: ["class", "style"] });
    return Boolean(app);
  };
  if (begin()) return;
  const root = document.getElementById(ROOT);
  if (!root) return;
  const arrival = new MutationObserver(() => {
    if (!begin()) return;
    arrival.disconnect();
    changed();
  });
  arrival.observe(root, { childList: true, subtree: true });
};
