// The panel's place in Streamlit's page: the page of the document moves in; others are fetched when they are opened.

import { addressOf, tidy, viewQuery } from "./address.js";
import { arrived } from "./carry.js";
import { mark } from "./menu.js";
import { adopt, fetchPage, panelOf } from "./pages.js";
import { APP, LEADS, MAIN, lostConnection } from "./streamlit.js";

/** @typedef {import("./panel.js").Ask} Ask */
/** @typedef {import("./panel.js").Panel} Panel */
/**
 * @typedef {object} Component   what Streamlit hands over
 * @property {HTMLElement} parentElement
 * @property {{view: string, path: string, own: null | {id: string, answer?: {id: string, busy_s?: number, body?: any, problem?: string}}}} data
 * @property {(name: string, value: any) => void} setStateValue
 */

/** @typedef {{begun: boolean, aborted: AbortController, panel?: Panel}} Place */
/** @typedef {{resolve: (body: any) => void, reject: (problem: Error) => void, again: (seconds: number) => void}} Waiting */

/** Tells this document's questions from those of an earlier one in the same session. */
const session = Math.random().toString(36).slice(2);
/** @type {Map<number, Waiting>} */
const asked = new Map();
let number = 0;
/** Another page that Streamlit was asked for and has not drawn: a question now would call it back. @type {string | null} */
let wanted = null;
/** @type {(() => void)[]} */
let staying = [];

let here = "";

/** Where the reader last went, by the menu or by Back. @type {string | null} */
let led = null;

/** Streamlit is asked for a page; the one that is here already is not drawn anew. @param {string} path */
const leadTo = (path) => {
  led = path;
  expect(path);
};

/** Questions wait until this page is here. @param {string} path */
const expect = (path) => {
  wanted = path === here ? null : path;
  if (wanted === null) for (const go of staying.splice(0)) go();
};

document.addEventListener("click", (event) => {
  const { target, button, ctrlKey, metaKey, shiftKey } = event;
  if (button || ctrlKey || metaKey || shiftKey || !(target instanceof Element)) return;
  const entry = target.closest(LEADS);
  if (entry instanceof HTMLAnchorElement) leadTo(entry.pathname);
}, true);
addEventListener("popstate", () => leadTo(location.pathname));

/** A page that Streamlit draws late, when the reader has gone on, would take the address and the way forward with it. */
const push = history.pushState.bind(history);
history.pushState = (state, unused, address) => {
  const { pathname } = new URL(address ?? "", location.href);
  if (led === null || pathname === led || pathname === location.pathname) push(state, unused, address);
  mark();
};

/** Lead Streamlit to a page as Back would, with a way back of its own. @param {string} path */
export const lead = (path) => {
  push(null, "", path);
  dispatchEvent(new PopStateEvent("popstate", { state: null }));
  document.querySelector(MAIN)?.scrollTo(0, 0);
};

/** Answers made in the reader's own session, over Streamlit's socket: their data has no address. @param {Component} component @param {Place} place @returns {Ask} */
const throughSession = ({ setStateValue }, place) => {
  /** One question at a time: Streamlit keeps the latest state only. @type {Promise<unknown>} */
  let before = Promise.resolve();
  return (_view, query, options, unwanted) => {
    const signal = AbortSignal.any([unwanted, place.aborted.signal]);
    const ask = async () => {
      if (wanted !== null) await new Promise((resolve) => staying.push(() => resolve(undefined)));
      signal.throwIfAborted();
      return new Promise((resolve, reject) => {
        const id = (number += 1);
        let attempt = 0;
        const put = () => setStateValue("asked", { id: `${session}-${id}`, attempt: (attempt += 1), query, ...options });
        asked.set(id, { resolve, reject, again: (seconds) => void setTimeout(() => asked.has(id) && put(), seconds * 1000) });
        signal.addEventListener("abort", () => {
          asked.delete(id);
          reject(signal.reason);
        }, { once: true });
        put();
      });
    };
    const answer = before.then(ask, ask);
    before = answer;
    return answer;
  };
};

/** @param {Component["data"]} data */
const hear = (data) => {
  if (!data.own) {
    for (const waiting of asked.values()) waiting.reject(new Error("Your export is no longer in this session."));
    asked.clear();
    return;
  }
  const { answer } = data.own;
  const [from, id] = String(answer?.id ?? "").split("-");
  const waiting = from === session ? asked.get(Number(id)) : undefined;
  if (!answer || !waiting) return;
  if (answer.busy_s) {
    waiting.again(answer.busy_s);
    return;
  }
  asked.delete(Number(id));
  if (answer.problem) waiting.reject(new Error(answer.problem));
  else waiting.resolve(answer.body);
};

/** Streamlit's word that its socket is gone would lock a page that asks for itself, and says so where it gets no answer. */
new MutationObserver(() => {
  const close = lostConnection();
  if (close && document.querySelector(`${APP} .panel`)) close.click();
}).observe(document.body, { childList: true, subtree: true });

/** Take away the first paint, whose page has moved in or is no longer the one to show. */
const leaveFirst = () => document.getElementById("first")?.remove();

const LATE_MS = 500;

/**
 * Bring the panel of the page into its place; called again whenever Streamlit draws the page anew.
 * @param {Component} component
 * @param {Place} place
 */
export const mount = (component, place) => {
  const { data, parentElement } = component;
  here = data.path;
  // A page that is being left may be drawn once more.
  expect(wanted ?? here);
  hear(data);
  const own = data.own ? { id: data.own.id, ask: throughSession(component, place) } : null;
  if (place.panel) {
    if (own?.id !== place.panel.own?.id) void place.panel.readFrom(own);
    return;
  }
  if (place.begun) return;
  place.begun = true;
  const gone = () => place.aborted.signal.aborted;
  const settle = async (/** @type {HTMLElement} */ node) => {
    if (document.getElementById("first")) await new Promise(requestAnimationFrame);
    if (gone()) return;
    const first = document.getElementById("first");
    const top = first?.contains(node) ? (first.querySelector(".first-page")?.scrollTop ?? 0) : 0;
    parentElement.replaceChildren(node);
    leaveFirst();
    const page = parentElement.closest(MAIN);
    if (page) page.scrollTop = top;
    arrived(node);
  };
  // Where a reader is quick, this page comes when the address is another one's already: it is left alone then.
  const addressed = location.pathname === data.path;
  const linked = addressed ? viewQuery(location.search) : "";
  const known = panelOf(data.path);
  if (known) {
    // Back on a page by the menu, its own choices come back; a link's choices win. On the document's own page a reader may
    // have chosen before Streamlit came: that choice goes on.
    const chosen = document.getElementById("first")?.contains(known.node) ? known.wanted : null;
    place.panel = known;
    void settle(known.node).then(() => (gone() ? undefined : known.pictures.arrived()));
    if (addressed && !linked && known.query) history.replaceState(history.state, "", addressOf(known.path, known.query, location.search));
    void known.readFrom(own, chosen ?? (linked || known.query));
    return;
  }
  const say = (/** @type {string} */ words) => {
    if (!gone()) parentElement.textContent = words;
  };
  // One that is soon there is not announced.
  const late = setTimeout(() => parentElement.firstChild || say("One moment …"), LATE_MS);
  fetchPage(data.view, linked, place.aborted.signal, own, say)
    .finally(() => clearTimeout(late))
    .then(async ({ node, finding }) => {
      await settle(node);
      if (gone()) return;
      if (linked && location.pathname === data.path) tidy(finding);
      place.panel = adopt(node, finding, linked, own);
    })
    .catch((problem) => {
      if (gone()) return;
      leaveFirst();
      parentElement.textContent = `This page could not be fetched: ${problem.message}`;
    });
};

/** A place for a panel in Streamlit's page, empty yet. @returns {Place} */
export const place = () => ({ begun: false, aborted: new AbortController() });
