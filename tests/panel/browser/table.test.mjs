import assert from "node:assert/strict";
import test from "node:test";

import { LEADS, matching, sorted } from "../../../panel/browser/table.js";

const places = (keys) => keys.map((_, place) => place);

test("a cell leads to the web or to a page of ours and nowhere else", () => {
  for (const sound of ["https://a.example", "http://a.example", "/", "/?a=1", "/claims?value=1"]) assert.match(sound, LEADS);
  const unsound = ["javascript:alert(1)", "//evil.example", "/\\evil.example", "/\t/evil.example", "\t//evil.example", "a.example"];
  for (const one of unsound) assert.doesNotMatch(one, LEADS);
});

test("numbers are sorted as numbers, either way", () => {
  const keys = [[10], [9], [-2.5], [1e26]];
  assert.deepEqual(sorted(keys, places(keys), 0, 1), [2, 1, 0, 3]);
  assert.deepEqual(sorted(keys, places(keys), 0, -1), [3, 0, 1, 2]);
});

test("names with numbers in them are sorted as people count, whatever their case", () => {
  const keys = [["GPT-10"], ["gpt-9"], ["GPT-4"]];
  assert.deepEqual(sorted(keys, places(keys), 0, 1), [2, 1, 0]);
});

test("what is not known comes last, whichever way", () => {
  const keys = [[null], [2], [null], [1]];
  assert.deepEqual(sorted(keys, places(keys), 0, 1), [3, 1, 0, 2]);
  assert.deepEqual(sorted(keys, places(keys), 0, -1), [1, 3, 0, 2]);
});

test("equal rows keep their order, either way", () => {
  const keys = [[1], [1], [0], [1]];
  assert.deepEqual(sorted(keys, places(keys), 0, 1), [2, 0, 1, 3]);
  assert.deepEqual(sorted(keys, places(keys), 0, -1), [0, 1, 3, 2]);
});

test("only the rows asked for are sorted, and what was handed in stays as it was", () => {
  const keys = [[3], [2], [1]];
  const some = [0, 1];
  assert.deepEqual(sorted(keys, some, 0, 1), [1, 0]);
  assert.deepEqual(some, [0, 1]);
});

test("a column that a row does not have counts as not known", () => {
  assert.deepEqual(sorted([[], [1]], [0, 1], 0, 1), [1, 0]);
});

test("a row matches when it holds every word, in any cell, in any case", () => {
  const rows = [["Llama 3.1", "Meta"], ["Llama 2", "Meta"], ["Grok", "xAI"]];
  assert.deepEqual(matching(rows, "meta 3.1"), [0]);
  assert.deepEqual(matching(rows, "  LLAMA  "), [0, 1]);
  assert.deepEqual(matching(rows, ""), [0, 1, 2]);
  assert.deepEqual(matching(rows, "(.*"), []);
});
