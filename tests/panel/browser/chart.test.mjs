import assert from "node:assert/strict";
import test from "node:test";

import { CONFIG, inScheme, shaped } from "../../../panel/browser/chart.js";

const FIGURE = {
  data: [{ x: [1, null, 3], marker: { color: { $: ["#111", "#eee"] } }, names: ["a", ""], on: true }],
  layout: { height: 420, font: { $: [{ size: 12 }, { size: 13 }] }, none: null },
};

test("where light and dark differ, a figure takes the one of its scheme", () => {
  const [light, dark] = ["light", "dark"].map((scheme) => inScheme(FIGURE, scheme));
  assert.equal(light.data[0].marker.color, "#111");
  assert.equal(dark.data[0].marker.color, "#eee");
  assert.deepEqual([light.layout.font, dark.layout.font], [{ size: 12 }, { size: 13 }]);
});

test("everything else is the same in both, and the figure itself is left alone", () => {
  const before = structuredClone(FIGURE);
  const dark = inScheme(FIGURE, "dark");
  assert.deepEqual(dark.data[0].x, [1, null, 3]);
  assert.deepEqual([dark.data[0].names, dark.data[0].on, dark.layout.none], [["a", ""], true, null]);
  dark.data[0].x.push(4);
  assert.deepEqual(FIGURE, before);
});

test("a finger scrolls past a chart, which is as wide as its place and has no bar of buttons", () => {
  assert.equal(CONFIG.scrollZoom, false);
  assert.equal(CONFIG.responsive, true);
  assert.equal(CONFIG.displayModeBar, false);
});

test("a narrow chart has the first traces of the wide one, its own after them, and its own layout", () => {
  const figure = { data: ["points", "words"], layout: { height: 460 }, narrow: { most: 600, shared: 1, data: ["key"], layout: { height: 500 } } };
  for (const width of [322, 600]) assert.deepEqual(shaped(figure, width), { data: ["points", "key"], layout: { height: 500 } });
  for (const width of [601, 1200, 0]) assert.deepEqual(shaped(figure, width), { data: ["points", "words"], layout: { height: 460 } });
  const { narrow: _, ...one } = figure;
  assert.deepEqual(shaped(one, 322), one);
});
