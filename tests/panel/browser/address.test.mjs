import assert from "node:assert/strict";
import test from "node:test";

import { addressOf, answerAddress, queryOf, queryWith, viewQuery } from "../../../panel/browser/address.js";

const CONTROLS = [
  { name: "since", value: "2018", initial: "2012" },
  { name: "rule", value: "frontier", initial: "frontier" },
  { name: "word", value: "a&b=c +", initial: "" },
];

test("a query says what is off its default, in the order of the controls", () => {
  assert.equal(queryOf(CONTROLS), "since=2018&word=a%26b%3Dc+%2B");
  assert.equal(queryOf([]), "");
});

test("a query read back gives the values it was made of", () => {
  assert.deepEqual(Object.fromEntries(new URLSearchParams(queryOf(CONTROLS))), { since: "2018", word: "a&b=c +" });
});

test("an emptied control is off its default, too", () => {
  assert.equal(queryOf([{ name: "model", value: "", initial: "llama" }]), "model=");
});

test("one other choice changes that one alone, and leaves the controls as they are", () => {
  assert.equal(queryWith(CONTROLS, "rule", "records"), "since=2018&rule=records&word=a%26b%3Dc+%2B");
  assert.equal(queryWith(CONTROLS, "since", "2012"), "word=a%26b%3Dc+%2B");
  assert.equal(CONTROLS[0].value, "2018");
});

test("what belongs to the frame or to a campaign is no choice of the view", () => {
  const search = "?embed=true&since=2018&embed_options=dark_theme&utm_source=mail&rule=records&embed_options=hide";
  assert.equal(viewQuery(search), "since=2018&rule=records");
  assert.equal(viewQuery(""), "");
});

test("an address keeps the frame's parameters and takes no choice from the address before it", () => {
  assert.equal(addressOf("/a", "since=2018", "?since=2012&embed=true"), "/a?since=2018&embed=true");
  assert.equal(addressOf("/a", "", "?utm_source=mail"), "/a");
  assert.equal(addressOf("/a", ""), "/a");
});

test("an answer's address has the choices as they are and what is asked for, escaped", () => {
  assert.equal(answerAddress("gap", "since=2018", { part: "table", exhibit: 2 }), "/gap.panel.json?since=2018&part=table&exhibit=2");
  assert.equal(answerAddress("gap", "", { part: "a&b" }), "/gap.panel.json?part=a%26b");
  assert.equal(answerAddress("gap", ""), "/gap.panel.json?");
});
