import assert from "node:assert/strict";
import test from "node:test";

globalThis.document = { querySelector: () => null, getElementById: () => null };
const { fitted, meaning, placeOf } = await import("../../../panel/browser/present.js");

test("a chart fills its place at the proportions it was laid out for", () => {
  const screen = fitted(1800, 800, 460);
  assert.ok(Math.abs(screen.height - 460) < 1 && screen.scale > 1.7, JSON.stringify(screen));
  for (const [width, height] of [[360, 520], [800, 200], [3000, 900], [1280, 560]]) {
    const { scale, width: wide, height: high } = fitted(width, height, 460);
    assert.ok(Math.abs(wide * scale - width) < 1e-6 && Math.abs(high * scale - height) < 1e-6);
    assert.ok(wide <= 1291 && scale >= 0.6, JSON.stringify({ wide, scale }));
  }
  assert.ok(fitted(360, 1200, 460).width >= 339, "no narrower than a phone");
});

test("keys go through the slides, and none that belongs to the browser is taken", () => {
  for (const key of ["ArrowRight", "ArrowDown", "PageDown", " "]) assert.equal(meaning({ key }), "on");
  for (const key of ["ArrowLeft", "ArrowUp", "PageUp", "Backspace"]) assert.equal(meaning({ key }), "back");
  assert.equal(meaning({ key: " ", shiftKey: true }), "back");
  assert.equal(meaning({ key: "Escape" }), "leave");
  assert.equal(meaning({ key: "N" }), "notes");
  assert.equal(meaning({ key: "f" }), "full");
  assert.equal(meaning({ key: "f", ctrlKey: true }), "");
  assert.equal(meaning({ key: "ArrowLeft", altKey: true }), "");
  for (const key of ["Tab", "q", "toString", "__proto__"]) assert.equal(meaning({ key }), "");
});

test("an address asks for a slide there is", () => {
  assert.equal(placeOf("", 6), 0);
  assert.equal(placeOf("#3", 6), 2);
  assert.equal(placeOf("#99", 6), 5);
  assert.equal(placeOf("#-4", 6), 0);
  assert.equal(placeOf("#sure", 6), 0);
});
