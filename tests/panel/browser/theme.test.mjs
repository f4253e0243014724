import assert from "node:assert/strict";
import test, { beforeEach } from "node:test";

import { carryTheme, keepTheme, scheme } from "../../../panel/browser/theme.js";

/** What the browser is: Streamlit's page and its scheme, the system's, what is kept, the address. */
let browser;
beforeEach(() => {
  browser = { app: null, system: "light", kept: {}, search: "" };
  globalThis.document = { querySelector: (one) => (one === ".stApp" && browser.app ? { scheme: browser.app } : null) };
  globalThis.getComputedStyle = (app) => ({ colorScheme: app.scheme });
  globalThis.matchMedia = (query) => ({ matches: query.includes(browser.system) });
  globalThis.location = { search: browser.search };
  keeping({});
});
const keeping = (kept) => {
  const own = Object.create({ getItem: (key) => kept[key] ?? null, setItem: (key, value) => (kept[key] = value) });
  Object.defineProperty(globalThis, "localStorage", { configurable: true, value: Object.assign(own, kept) });
};
const KEPT = "scaling-gap theme";
const chose = (name) => keeping({ other: "1", [KEPT]: JSON.stringify(name) });

test("before Streamlit is there it is what the system says", () => {
  assert.equal(scheme(), "light");
  browser.system = "dark";
  assert.equal(scheme(), "dark");
});

test("what the reader chose on an earlier visit goes before the system", () => {
  chose("Dark");
  assert.equal(scheme(), "dark");
  browser.system = "dark";
  chose("Custom Theme Light");
  assert.equal(scheme(), "light");
});

test("a choice that cannot be read, or names neither, leaves it to the system", () => {
  browser.system = "dark";
  for (const kept of ["{", "null", '{"name": 3}', "{}"]) {
    keeping({ [KEPT]: kept });
    assert.equal(scheme(), "dark", kept);
  }
  Object.defineProperty(globalThis, "localStorage", {
    configurable: true,
    get: () => {
      throw new DOMException("not allowed", "SecurityError");
    },
  });
  assert.equal(scheme(), "dark");
});

test("a frame's address goes before both", () => {
  chose("Light");
  globalThis.location = { search: "?embed=true&embed_options=hide_footer&embed_options=dark_theme" };
  assert.equal(scheme(), "dark");
  globalThis.location = { search: "?embed_options=light_theme" };
  browser.system = "dark";
  assert.equal(scheme(), "light");
});

test("Streamlit's page, once there, is what counts", () => {
  browser.app = "dark";
  globalThis.location = { search: "?embed_options=light_theme" };
  assert.equal(scheme(), "dark");
  browser.app = "light";
  assert.equal(scheme(), "light");
});

test("a choice made on one page is there for Streamlit on every other", () => {
  const heard = [];
  globalThis.addEventListener = (moment) => heard.push(moment);
  const kept = {};
  keeping(kept);
  globalThis.location = { search: "", pathname: "/data" };
  carryTheme();
  assert.deepEqual(kept, {});
  assert.deepEqual(heard, ["pagehide", "visibilitychange"]);
  kept["stActiveTheme-/data-v2"] = '"Dark"';
  keepTheme();
  assert.equal(scheme(), "dark");
  globalThis.location = { search: "", pathname: "/claims" };
  carryTheme();
  assert.equal(kept["stActiveTheme-/claims-v2"], '"Dark"');
  kept["stActiveTheme-/claims-v2"] = '"System"';
  keepTheme();
  assert.equal(scheme(), "light");
});
