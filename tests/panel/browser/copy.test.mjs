import assert from "node:assert/strict";
import test, { beforeEach } from "node:test";

import { cells, copy } from "../../../panel/browser/copy.js";

const CASES = [
  ["plain", "a,b\r\n1,2\r\n", "a\tb\n1\t2"],
  ["without a last line end", "a,b\n1,2", "a\tb\n1\t2"],
  ["line feeds alone", "a,b\n1,2\n", "a\tb\n1\t2"],
  ["a comma in quotes", '"a,b",c\r\n', "a,b\tc"],
  ["doubled quotes", '"say ""hi""",c\r\n', 'say "hi"\tc'],
  ["nothing but doubled quotes", '"""",""\r\n', '"\t'],
  ["a line end in quotes", '"a\r\nb",c\r\n', "a b\tc"],
  ["a tab in a cell, which would be a cell of its own", '"a\tb",c\r\n', "a b\tc"],
  ["empty cells", ",,\r\n", "\t\t"],
  ["an empty last cell", "a,", "a\t"],
  ["a quoted empty last cell", 'a,""', "a\t"],
  ["blanks around", " a , b \r\n", "a\tb"],
  ["beyond ASCII", "3.8 × 10²⁶,–\r\n", "3.8 × 10²⁶\t–"],
  ["a byte order mark, as our files begin with for Excel", "\ufeffa,b\r\n", "a\tb"],
  ["nothing", "", ""],
];
for (const [name, csv, sheet] of CASES) test(`cells: ${name}`, () => assert.equal(cells(csv), sheet));

const unhandled = [];
process.on("unhandledRejection", (reason) => unhandled.push(reason));

/** What the browser was asked to do. */
let done;
const clipboard = (does) => {
  globalThis.window = globalThis;
  globalThis.isSecureContext = true;
  Object.defineProperty(globalThis, "navigator", { configurable: true, value: { clipboard: does } });
};
const button = (dataset, textContent) => ({ dataset, textContent });

beforeEach(() => {
  done = [];
  unhandled.length = 0;
  globalThis.ClipboardItem = class {
    constructor(parts) {
      this.parts = parts;
    }
  };
  globalThis.open = (...args) => done.push(args);
  globalThis.fetch = async () => new Response("a,b\r\n");
  clipboard({ writeText: async (text) => done.push(text), write: async ([item]) => done.push(await item.parts["image/png"]) });
});

test("a link is copied, and the words say which", async () => {
  assert.equal(await copy(button({ copy: "https://x/?a=1" }, "Copy short link")), "Short link copied");
  assert.deepEqual(done, ["https://x/?a=1"]);
});

test("numbers are copied as a sheet takes them", async () => {
  assert.match(await copy(button({ copyTable: "/a.csv" }, "Copy data")), /^Numbers copied/);
  assert.deepEqual(done, ["a\tb"]);
});

test("a picture is copied, or opened where the browser copies none", async () => {
  assert.equal(await copy(button({ copyImage: "/a.png" }, "Copy image")), "Picture copied");
  assert.ok(done.pop() instanceof Blob);
  delete globalThis.ClipboardItem;
  assert.match(await copy(button({ copyImage: "/a.png" }, "Copy image")), /^Picture opened: /);
  assert.deepEqual(done, [["/a.png", "_blank", "noopener"]]);
});

test("what cannot be copied is said, and nothing is left unhandled", async () => {
  clipboard({
    writeText: () => Promise.reject(new DOMException("no", "NotAllowedError")),
    write: () => Promise.reject(new DOMException("no", "NotAllowedError")),
  });
  globalThis.fetch = async () => new Response("", { status: 503 });
  for (const dataset of [{ copy: "x" }, { copyTable: "/a.csv" }, { copyImage: "/a.png" }])
    assert.equal(await copy(button(dataset, "Copy")), "Could not copy: use the file under Files");
  await new Promise(setImmediate);
  assert.deepEqual(unhandled, []);
});
