// Answers are fetched once, ahead where it pays, and waited for when the server is busy or away.

/** @typedef {{status: number, detail: string, retryAfter?: number}} Refusal */

/** A server that will not answer this question, with what it says about it. */
export class Refused extends Error {
  /** @param {Refusal} refusal */
  constructor({ status, detail, retryAfter = 0 }) {
    super(detail);
    this.name = "Refused";
    this.status = status;
    /** How long the server would have us wait. [s] */
    this.retryAfter = retryAfter;
  }
}

const MOST_KEPT = 80;
const WAITS_S = [1, 2, 4, 8, 15];
const LONGEST_WAIT_S = 30;
/** What a proxy says while the server behind it starts anew. */
const AWAY = [502, 504];
const BUSY = [429, 503];

/**
 * What is promised, unless it is given up before.
 * @template T
 * @param {Promise<T>} promised
 * @param {AbortSignal} signal
 * @returns {Promise<T>}
 */
const unlessAborted = (promised, signal) =>
  new Promise((resolve, reject) => {
    const stop = () => reject(signal.reason);
    if (signal.aborted) stop();
    signal.addEventListener("abort", stop, { once: true });
    promised.then(resolve, reject).finally(() => signal.removeEventListener("abort", stop));
  });

/** @param {number} seconds @param {AbortSignal} signal */
const pause = (seconds, signal) => {
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let timer;
  const over = new Promise((resolve) => {
    timer = setTimeout(resolve, seconds * 1000);
  });
  return unlessAborted(over, signal).finally(() => clearTimeout(timer));
};

/**
 * Why an answer did not come, where asking again may help; null where it will not.
 * @param {unknown} problem
 * @returns {"busy" | "away" | null}
 */
const passing = (problem) => {
  if (!(problem instanceof Refused) || AWAY.includes(problem.status)) return "away";
  return BUSY.includes(problem.status) ? "busy" : null;
};

/** What a reader is told who waits for an answer. @param {"busy" | "away"} why @param {number} seconds */
export const waitingWords = (why, seconds) =>
  why === "busy"
    ? `The server is busy. Trying again in ${seconds} s.`
    : `The server does not answer. Trying again in ${seconds} s.`;

/**
 * @typedef {object} Asked   one request, and how many wait for it
 * @property {Promise<any>} answer
 * @property {AbortController} control
 * @property {number} waiting
 * @property {boolean} come
 */

export class Answers {
  /** @param {(address: string, how: RequestInit) => Promise<Response>} [fetcher] */
  constructor(fetcher = (address, how) => fetch(address, how)) {
    this.fetcher = fetcher;
    /** By address, the one used last at the end. @type {Map<string, Asked>} */
    this.known = new Map();
  }

  /**
   * The answer, fetched unless it is known; tries again while the server is busy or away.
   * @param {string} address
   * @param {{signal: AbortSignal, waiting?: (why: "busy" | "away", seconds: number) => void}} how
   * @returns {Promise<any>}
   */
  async get(address, { signal, waiting = () => {} }) {
    for (let attempt = 0; ; attempt += 1) {
      signal.throwIfAborted();
      try {
        return await this.#once(address, signal);
      } catch (problem) {
        if (signal.aborted) throw signal.reason;
        const why = passing(problem);
        if (!why) throw problem;
        const patience = WAITS_S[attempt] ?? WAITS_S.at(-1) ?? 0;
        const told = problem instanceof Refused ? problem.retryAfter : 0;
        const seconds = Math.min(Math.max(patience, told), LONGEST_WAIT_S);
        waiting(why, seconds);
        await pause(seconds, signal);
      }
    }
  }

  /**
   * Fetch an answer that may be asked for next; null if it does not come, which is no loss.
   * @param {string} address
   * @returns {Promise<any>}
   */
  ahead(address) {
    // It waits for itself, so whoever joins it and leaves again does not take it away.
    if (!this.known.has(address)) this.#fetched(address, "low").waiting += 1;
    return this.known.get(address)?.answer.catch(() => null) ?? Promise.resolve(null);
  }

  /** @param {string} address @param {AbortSignal} signal */
  async #once(address, signal) {
    const asked = this.known.get(address) ?? this.#fetched(address, "high");
    this.#keep(address, asked);
    asked.waiting += 1;
    try {
      return await unlessAborted(asked.answer, signal);
    } finally {
      asked.waiting -= 1;
      if (!asked.waiting && !asked.come) {
        this.#forget(address, asked);
        asked.control.abort();
      }
    }
  }

  /** @param {string} address @param {"high" | "low"} priority */
  #fetched(address, priority) {
    const control = new AbortController();
    const answer = this.#asked(address, { signal: control.signal, priority });
    /** @type {Asked} */
    const asked = { answer, control, waiting: 0, come: false };
    answer.then(
      () => (asked.come = true),
      () => this.#forget(address, asked),
    );
    this.#keep(address, asked);
    return asked;
  }

  /** Keep an answer as the one used last, and of all only so many. @param {string} address @param {Asked} asked */
  #keep(address, asked) {
    this.known.delete(address);
    this.known.set(address, asked);
    for (const oldest of this.known.keys()) {
      if (this.known.size <= MOST_KEPT) break;
      this.known.delete(oldest);
    }
  }

  /** Forget a request, unless another has taken its place. @param {string} address @param {Asked} asked */
  #forget(address, asked) {
    if (this.known.get(address) === asked) this.known.delete(address);
  }

  /** @param {string} address @param {RequestInit} how */
  async #asked(address, how) {
    const reply = await this.fetcher(address, how);
    if (reply.ok) return reply.json();
    const problem = await reply.json().catch(() => ({}));
    throw new Refused({
      status: reply.status,
      detail: problem?.detail ?? `The server answered ${reply.status}.`,
      retryAfter: Number(reply.headers.get("Retry-After")) || 0,
    });
  }
}
