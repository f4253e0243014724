import assert from "node:assert/strict";
import test from "node:test";

import { find } from "../../../panel/browser/find.js";

/** @type {import("../../../panel/browser/find.js").Entry[]} */
const ENTRIES = [
  ["Page", "Edge or cloud", "Where does it run cheapest?", "/placement", "laptop on-premises"],
  ["Page", "Chip growth", "How fast do chips grow?", "/accelerators"],
  ["Setting", "People", "Edge or cloud", "/placement#set-people"],
  ["Chip", "H100 SXM", "Training run", "/training-run?accelerator=h100-sxm"],
  ["Chip", "GH100", "Training run", "/training-run?accelerator=gh100"],
  ["Claim", "An H100 has 3.35 TB/s", "", "/claims?find=x"],
  ["Term", "Prefill", "Éclair of the edge", "/methods#glossary"],
];
const titles = (/** @type {string} */ text, /** @type {number} */ most = 12) => find(ENTRIES, text, most).map(([, title]) => title);

test("nothing typed shows the pages", () => assert.deepEqual(titles("  "), ["Edge or cloud", "Chip growth"]));
test("a title that begins with it comes before a word in it, and that before a part of a word", () =>
  assert.deepEqual(titles("h100"), ["H100 SXM", "An H100 has 3.35 TB/s", "GH100"]));
test("every word must be there, in any order", () => {
  assert.deepEqual(titles("sxm h100"), ["H100 SXM"]);
  assert.deepEqual(titles("h100 nothing"), []);
});
test("what is said of an entry counts less than its title", () =>
  assert.deepEqual(titles("edge"), ["Edge or cloud", "Prefill", "People"]));
test("the whole title comes first", () => assert.equal(titles("chip growth")[0], "Chip growth"));
test("case and accents do not matter", () => assert.deepEqual(titles("ECLAIR"), ["Prefill"]));
test("a kind is a word too", () => assert.deepEqual(titles("setting people"), ["People"]));
test("no more than wanted are given", () => assert.equal(titles("e", 2).length, 2));
test("words that are not shown are found, and words that say nothing are not asked for", () => {
  assert.deepEqual(titles("laptops"), ["Edge or cloud"]);
  assert.deepEqual(titles("what is the price of a laptop?"), ["Edge or cloud"]);
});
test("of three words one may be missing", () => assert.deepEqual(titles("chip growth tomorrow"), ["Chip growth"]));
test("a word finds others that mean the same, after those that have it", () =>
  assert.deepEqual(titles("gpu growth"), ["Chip growth"]));
test("a name is found with and without hyphens and spaces", () => {
  assert.equal(titles("h100-sxm")[0], "H100 SXM");
  assert.equal(titles("h100sxm")[0], "H100 SXM");
});
test("two chips are set against each other", () =>
  assert.deepEqual(titles("H100 vs GH100"), ["H100 SXM vs GH100", "H100 SXM", "GH100"]));
test("the settings of the page come first, and no more than three of one name", () => {
  /** @type {import("../../../panel/browser/find.js").Entry[]} */
  const entries = ["a", "b", "c", "d"].map((page) => ["Setting", "Since", page, `/${page}#set-since`]);
  assert.deepEqual(find(entries, "since", 12, "/d").map(([, , page]) => page), ["d", "a", "b"]);
});
