import assert from "node:assert/strict";
import test, { beforeEach, mock } from "node:test";

import { Answers, Refused } from "../../../panel/browser/answers.js";

const MOST_KEPT = 80;

/** A server whose answers come when the test says. */
class Server {
  asked = [];

  fetch = (address, { signal, priority }) =>
    new Promise((resolve, reject) => {
      const one = { address, priority, aborted: false, resolve, reject };
      this.asked.push(one);
      signal.addEventListener("abort", () => {
        one.aborted = true;
        reject(signal.reason);
      });
    });

  get last() {
    return this.asked.at(-1);
  }

  async answer(body, { status = 200, headers = {}, to = this.last } = {}) {
    to.resolve(new Response(typeof body === "string" ? body : JSON.stringify(body), { status, headers }));
    await settled();
  }

  async fail(to = this.last) {
    to.reject(new TypeError("Failed to fetch"));
    await settled();
  }
}

const settled = () => new Promise(setImmediate);
const calm = () => new AbortController().signal;

/** What became of a promise so far, which is thereby looked after. */
const watched = (promise) => {
  const seen = { state: "waiting" };
  promise.then(
    (value) => Object.assign(seen, { state: "come", value }),
    (problem) => Object.assign(seen, { state: "failed", problem }),
  );
  return seen;
};

let server;
let answers;
const unhandled = [];
process.on("unhandledRejection", (reason) => unhandled.push(reason));

beforeEach(() => {
  server = new Server();
  answers = new Answers(server.fetch);
  mock.timers.reset();
  mock.timers.enable({ apis: ["setTimeout"] });
  unhandled.length = 0;
});

test("an address is fetched once, for all who ask, at once or later", async () => {
  const both = [answers.get("/a", { signal: calm() }), answers.get("/a", { signal: calm() })].map(watched);
  await server.answer({ n: 1 });
  assert.deepEqual(both.map((one) => one.value), [{ n: 1 }, { n: 1 }]);
  assert.deepEqual(await answers.get("/a", { signal: calm() }), { n: 1 });
  assert.equal(server.asked.length, 1);
  assert.equal(server.last.priority, "high");
});

test("what was fetched ahead is there when it is asked for", async () => {
  answers.ahead("/a");
  answers.ahead("/a");
  assert.equal(answers.known.has("/a"), true);
  const seen = watched(answers.get("/a", { signal: calm() }));
  await server.answer({ n: 1 });
  assert.equal(server.asked.length, 1);
  assert.equal(server.last.priority, "low");
  assert.deepEqual(seen.value, { n: 1 });
});

test("a prefetch that fails is no loss: nothing is thrown, and the next who asks fetches anew", async () => {
  answers.ahead("/a");
  await server.fail();
  answers.ahead("/b");
  await server.answer({ detail: "no" }, { status: 422 });
  await settled();
  assert.deepEqual(unhandled, []);
  assert.equal(answers.known.has("/a"), false);
  const seen = watched(answers.get("/a", { signal: calm() }));
  await server.answer({ n: 2 });
  assert.deepEqual(seen.value, { n: 2 });
});

for (const status of [429, 503])
  test(`a busy server (${status}) is asked again, later each time, and the reader is told`, async () => {
    const told = [];
    const seen = watched(answers.get("/a", { signal: calm(), waiting: (...words) => told.push(words) }));
    await server.answer({ detail: "busy" }, { status });
    assert.deepEqual(told, [["busy", 1]]);
    mock.timers.tick(999);
    await settled();
    assert.equal(server.asked.length, 1);
    mock.timers.tick(1);
    await settled();
    assert.equal(server.asked.length, 2);
    await server.answer({ detail: "busy" }, { status });
    assert.deepEqual(told.at(-1), ["busy", 2]);
    mock.timers.tick(2000);
    await settled();
    await server.answer({ n: 1 });
    assert.deepEqual(seen.value, { n: 1 });
  });

test("a server that says how long to wait is given that time, within reason", async () => {
  const told = [];
  watched(answers.get("/a", { signal: calm(), waiting: (...words) => told.push(words) }));
  await server.answer({}, { status: 503, headers: { "Retry-After": "5" } });
  mock.timers.tick(5000);
  await settled();
  await server.answer({}, { status: 503, headers: { "Retry-After": "86400" } });
  assert.deepEqual(told, [["busy", 5], ["busy", 30]]);
});

test("a server that is away is asked again for as long as it takes", async () => {
  const told = [];
  const seen = watched(answers.get("/a", { signal: calm(), waiting: (...words) => told.push(words) }));
  const ways = [
    () => server.fail(),
    () => server.answer("<h1>Bad gateway</h1>", { status: 502 }),
    () => server.answer("", { status: 504 }),
    () => server.answer("<h1>Sign in to this network</h1>"),
  ];
  for (const [turn, seconds] of [1, 2, 4, 8, 15, 15].entries()) {
    await ways[turn % ways.length]();
    assert.deepEqual(told.at(-1), ["away", seconds]);
    mock.timers.tick(seconds * 1000);
    await settled();
  }
  await server.answer({ n: 1 });
  assert.deepEqual(seen.value, { n: 1 });
});

for (const status of [400, 404, 414, 422, 500])
  test(`a refusal (${status}) is passed on with what the server says, and not kept`, async () => {
    const seen = watched(answers.get("/a", { signal: calm() }));
    await server.answer({ detail: "since: got 'x'" }, { status });
    assert.ok(seen.problem instanceof Refused);
    assert.equal(seen.problem.message, "since: got 'x'");
    assert.equal(seen.problem.status, status);
    assert.equal(answers.known.has("/a"), false);
    assert.equal(server.asked.length, 1);
  });

for (const body of ["", "<h1>Oops</h1>", "null", "{}"])
  test(`a refusal without words (${JSON.stringify(body)}) is told by its number`, async () => {
    const seen = watched(answers.get("/a", { signal: calm() }));
    await server.answer(body, { status: 500 });
    assert.equal(seen.problem.message, "The server answered 500.");
  });

test("who gives up is told why at once, and the request ends with the last who waits", async () => {
  const control = new AbortController();
  const seen = watched(answers.get("/a", { signal: control.signal }));
  await settled();
  control.abort(new Error("A newer choice"));
  await settled();
  assert.equal(seen.problem.message, "A newer choice");
  assert.equal(server.last.aborted, true);
  assert.deepEqual(unhandled, []);
});

test("who gives up takes nothing from another who waits for the same", async () => {
  const control = new AbortController();
  const told = [];
  const left = watched(answers.get("/a", { signal: control.signal }));
  const stayed = watched(answers.get("/a", { signal: calm(), waiting: (...words) => told.push(words) }));
  control.abort(new Error("A newer choice"));
  await settled();
  assert.equal(left.state, "failed");
  assert.equal(server.last.aborted, false);
  await server.answer({ n: 1 });
  assert.deepEqual(stayed.value, { n: 1 });
  assert.deepEqual(told, []);
});

test("who joins a prefetch and gives up leaves it under way", async () => {
  answers.ahead("/a");
  const control = new AbortController();
  const left = watched(answers.get("/a", { signal: control.signal }));
  await settled();
  control.abort(new Error("A newer choice"));
  await settled();
  assert.equal(left.state, "failed");
  assert.equal(server.last.aborted, false);
  await server.answer({ n: 1 });
  assert.deepEqual(await answers.get("/a", { signal: calm() }), { n: 1 });
  assert.equal(server.asked.length, 1);
});

test("who asks again in the moment of giving up has a request of their own", async () => {
  const control = new AbortController();
  const told = [];
  watched(answers.get("/a", { signal: control.signal }));
  await settled();
  control.abort(new Error("A newer choice"));
  const again = watched(answers.get("/a", { signal: calm(), waiting: (...words) => told.push(words) }));
  await settled();
  await server.answer({ n: 2 });
  assert.deepEqual(told, []);
  assert.deepEqual(again.value, { n: 2 });
  assert.equal(answers.known.has("/a"), true);
});

test("who gives up while waiting to ask again asks no more", async () => {
  const control = new AbortController();
  const seen = watched(answers.get("/a", { signal: control.signal }));
  await server.fail();
  control.abort(new Error("A newer choice"));
  await settled();
  assert.equal(seen.problem.message, "A newer choice");
  mock.timers.tick(60_000);
  await settled();
  assert.equal(server.asked.length, 1);
});

test("who is told to wait may give up in that very moment", async () => {
  const control = new AbortController();
  const seen = watched(answers.get("/a", { signal: control.signal, waiting: () => control.abort(new Error("No more")) }));
  await server.fail();
  assert.equal(seen.problem?.message, "No more");
});

test("who has given up before asking asks nothing", async () => {
  const seen = watched(answers.get("/a", { signal: AbortSignal.abort(new Error("Gone")) }));
  await settled();
  assert.equal(seen.problem.message, "Gone");
  assert.equal(server.asked.length, 0);
});

test("so many answers are kept, and the one not used for longest goes first", async () => {
  const ask = async (address) => {
    const before = server.asked.length;
    const seen = watched(answers.get(address, { signal: calm() }));
    await settled();
    if (server.asked.length > before) await server.answer({ address });
    await settled();
    assert.deepEqual(seen.value, { address });
  };
  for (let n = 0; n < MOST_KEPT; n += 1) await ask(`/${n}`);
  await ask("/0");
  await ask("/new");
  assert.equal(answers.known.size, MOST_KEPT);
  assert.equal(answers.known.has("/0"), true);
  assert.equal(answers.known.has("/1"), false);
});

test("an answer that was pushed out while under way still comes to who waits, and leaves its successor alone", async () => {
  const seen = watched(answers.get("/slow", { signal: calm() }));
  const slow = server.last;
  for (let n = 0; n < MOST_KEPT; n += 1) answers.ahead(`/${n}`);
  assert.equal(answers.known.has("/slow"), false);
  const again = watched(answers.get("/slow", { signal: calm() }));
  const second = server.last;
  assert.notEqual(slow, second);
  await server.answer({ detail: "no" }, { status: 422, to: slow });
  assert.equal(seen.state, "failed");
  assert.equal(answers.known.has("/slow"), true);
  await server.answer({ n: 2 }, { to: second });
  assert.deepEqual(again.value, { n: 2 });
});
