import assert from "node:assert/strict";
import test, { beforeEach } from "node:test";

const target = new EventTarget();
for (const name of ["addEventListener", "removeEventListener", "dispatchEvent"])
  globalThis[name] = (...args) => target[name](...args);

/** What a browser keeps; `broken` as where a reader forbids it or it is full. */
const store = { kept: new Map(), broken: false };
const use = (does) => {
  if (store.broken) throw new DOMException("not allowed", "SecurityError");
  return does();
};
Object.defineProperty(globalThis, "localStorage", {
  configurable: true,
  value: {
    getItem: (key) => use(() => store.kept.get(key) ?? null),
    setItem: (key, value) => use(() => void store.kept.set(key, String(value))),
    removeItem: (key) => use(() => void store.kept.delete(key)),
  },
});

const { keep, kept, viewsOf, watchDeck, withView } = await import("../../../panel/browser/deck.js");

beforeEach(() => {
  store.broken = false;
  keep("");
});

test("a deck is kept in this browser, and an empty one leaves nothing behind", () => {
  assert.equal(kept(), "");
  keep("view=%2Fa");
  assert.equal(kept(), "view=%2Fa");
  keep("");
  assert.equal(store.kept.size, 0);
});

test("a view is put at the end, before what else the deck says", () => {
  const deck = withView("view=%2Fa%3Fsince%3D2018&title=Ours", "/b?x=1&y=2", 30);
  assert.deepEqual(viewsOf(deck), ["/a?since=2018", "/b?x=1&y=2"]);
  assert.equal(new URLSearchParams(deck).get("title"), "Ours");
});

test("a view that is in the deck, or one too many, leaves it the same", () => {
  const deck = withView(withView("", "/a", 2), "/b", 2);
  assert.equal(withView(deck, "/a", 2), deck);
  assert.equal(withView(deck, "/c", 2), deck);
});

test("who watches hears of a change here until they stop", () => {
  const heard = [];
  const stop = watchDeck((query) => heard.push(query));
  keep("view=%2Fa");
  stop();
  keep("view=%2Fb");
  assert.deepEqual(heard, ["view=%2Fa"]);
});

test("who watches hears of a change in another window, and of nothing else kept there", () => {
  const heard = [];
  const stop = watchDeck((query) => heard.push(query));
  const elsewhere = (key, newValue) => dispatchEvent(Object.assign(new Event("storage"), { key, newValue }));
  elsewhere("scaling-gap deck", "view=%2Fa");
  elsewhere("other", "x");
  elsewhere("scaling-gap deck", null);
  elsewhere(null, null); // everything was cleared
  stop();
  assert.deepEqual(heard, ["view=%2Fa", "", ""]);
});

test("a browser that keeps nothing has its deck for as long as the page is open", () => {
  store.broken = true;
  const heard = [];
  const stop = watchDeck((query) => heard.push(query));
  keep(withView(kept(), "/a", 30));
  keep(withView(kept(), "/b", 30));
  stop();
  assert.deepEqual(viewsOf(kept()), ["/a", "/b"]);
  assert.equal(heard.length, 2);
});
