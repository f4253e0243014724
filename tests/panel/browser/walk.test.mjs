import assert from "node:assert/strict";
import test from "node:test";

import { onward, placesOf } from "../../../panel/browser/walk.js";

const TRACES = [
  { type: "scatter", x: [1, 2], y: [1, 2], hoverinfo: "skip" },
  { type: "scatter", x: [1, 2, null, 4], y: [5, null, 7, 8] },
  { type: "bar", x: [3], y: ["a"] },
  { type: "scatter", x: [1], y: [1], visible: "legendonly" },
  { type: "heatmap", z: [[1, null], [2, 3]] },
  { type: "scatter" },
];
const PLACES = placesOf(TRACES);

test("a point that is nowhere, or of which a pointer is told nothing, is passed over", () => {
  assert.deepEqual(PLACES, [
    [{ curve: 1, point: 0 }, { curve: 1, point: 3 }],
    [{ curve: 2, point: 0 }],
    [{ curve: 4, point: [0, 0] }, { curve: 4, point: [1, 0] }, { curve: 4, point: [1, 1] }],
  ]);
});

test("to the right every point comes once, and the last one stays; to the left the same way back", () => {
  const way = [];
  let at = null;
  for (let step = 0; step < 8; step++) way.push((at = onward(PLACES, at, "ArrowRight")));
  assert.deepEqual(way, [[0, 0], [0, 1], [1, 0], [2, 0], [2, 1], [2, 2], [2, 2], [2, 2]]);
  const back = [];
  for (let step = 0; step < 6; step++) back.push((at = onward(PLACES, at, "ArrowLeft")));
  assert.deepEqual(back, [[2, 1], [2, 0], [1, 0], [0, 1], [0, 0], [0, 0]]);
});

test("up and down go from one trace to the other and stop at either end", () => {
  assert.deepEqual(onward(PLACES, [0, 1], "ArrowDown"), [1, 0]);
  assert.deepEqual(onward(PLACES, [1, 0], "ArrowDown"), [2, 0]);
  assert.deepEqual(onward(PLACES, [2, 2], "ArrowDown"), [2, 2]);
  assert.deepEqual(onward(PLACES, [2, 2], "ArrowUp"), [1, 0]);
  assert.deepEqual(onward(PLACES, [0, 0], "ArrowUp"), [0, 0]);
});

test("Home and End lead to the first and the last, any other key nowhere", () => {
  assert.deepEqual(onward(PLACES, [1, 0], "Home"), [0, 0]);
  assert.deepEqual(onward(PLACES, null, "End"), [2, 2]);
  assert.equal(onward(PLACES, [1, 0], "a"), null);
  assert.equal(onward(PLACES, [1, 0], "Tab"), null);
});

test("a chart drawn anew with fewer points takes the reader to one there is", () => {
  assert.deepEqual(onward([[{ curve: 0, point: 0 }, { curve: 0, point: 1 }]], [4, 9], "ArrowLeft"), [0, 0]);
});

test("a chart without a point to speak of leads nowhere", () => {
  for (const key of ["ArrowRight", "Home", "End"]) assert.equal(onward([], null, key), null);
});
