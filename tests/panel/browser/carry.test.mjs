import assert from "node:assert/strict";
import test from "node:test";

class Select {
  constructor(value, words) {
    this.value = value;
    this.dataset = { default: words[0] };
    this.options = words.map((word) => ({ value: word, text: word.toUpperCase() }));
  }
}
globalThis.HTMLSelectElement = Select;
globalThis.document = { addEventListener() {} };
const { offers } = await import("../../../panel/browser/carry.js");

/** A page with these selects by name. */
const page = (selects) => ({
  querySelector: (selector) => selects[/name="(\w+)"/.exec(selector)[1]] ?? null,
});

test("a model chosen on the page before is offered where there is the same", () => {
  const from = page({ model: new Select("b", ["a", "b", "c"]) });
  const to = page({ model: new Select("a", ["a", "b"]) });
  assert.deepEqual(offers(from, to), [{ name: "model", value: "b", label: "B" }]);
});

test("nothing is offered that is no choice, that is chosen already, that is not there, or over a choice", () => {
  const offered = (from, to) => offers(page({ model: from }), page({ model: to }));
  assert.deepEqual(offered(new Select("a", ["a", "b"]), new Select("a", ["a", "b"])), []);
  assert.deepEqual(offered(new Select("b", ["a", "b"]), new Select("b", ["a", "b"])), []);
  assert.deepEqual(offered(new Select("c", ["a", "c"]), new Select("a", ["a", "b"])), []);
  assert.deepEqual(offered(new Select("b", ["a", "b"]), new Select("c", ["a", "b", "c"])), []);
  assert.deepEqual(offered(undefined, new Select("a", ["a"])), []);
});

test("other settings of the same name are not offered, for they mean another thing", () => {
  const selects = () => ({ chip: new Select("b", ["a", "b"]) });
  assert.deepEqual(offers(page(selects()), page({ chip: new Select("a", ["a", "b"]) })), []);
});
