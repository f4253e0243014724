import assert from "node:assert/strict";
import test from "node:test";

import { find } from "../../../panel/browser/palette.js";

/** @type {[string, string, string, string][]} */
const ENTRIES = [
  ["Page", "Edge or cloud", "Where does it run cheapest?", "/placement"],
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
  assert.deepEqual(titles("edge"), ["Edge or cloud", "People", "Prefill"]));
test("the whole title comes first", () => assert.equal(titles("chip growth")[0], "Chip growth"));
test("case and accents do not matter", () => assert.deepEqual(titles("ECLAIR"), ["Prefill"]));
test("a kind is a word too", () => assert.deepEqual(titles("setting people"), ["People"]));
test("no more than wanted are given", () => assert.equal(titles("e", 2).length, 2));
