// Share: one dialog with the links, the files, the frame and the citation of the view in sight.

import { copy } from "./copy.js";

const WAITING = '<h2 id="share-title">Share this view</h2><p role="status">One moment …</p>';

/**
 * Open the dialog; its content comes from the server, so a citation names today and a link the release.
 * What the page shows may change behind it: then it is asked for anew.
 * @param {HTMLElement} panel
 * @param {() => Promise<{html: string}>} content
 */
export const openShare = async (panel, content) => {
  const dialog = document.createElement("dialog");
  dialog.className = "share";
  dialog.setAttribute("aria-labelledby", "share-title");
  const box = document.createElement("div");
  const close = document.createElement("button");
  close.type = "button";
  close.className = "close";
  close.setAttribute("aria-label", "Close");
  close.textContent = "×";
  close.onclick = () => dialog.close();
  dialog.append(close, box);
  let asked = 0;
  const fill = async () => {
    const mine = (asked += 1);
    box.innerHTML = WAITING;
    const html = await content().then(
      (answer) => answer.html,
      (problem) => {
        const line = document.createElement("p");
        line.setAttribute("role", "alert");
        line.textContent = `The links could not be created: ${/** @type {Error} */ (problem).message}`;
        return `<h2 id="share-title">Share this view</h2>${line.outerHTML}`;
      },
    );
    if (mine === asked) box.innerHTML = html;
  };
  panel.addEventListener("shown", fill);
  dialog.addEventListener("close", () => {
    panel.removeEventListener("shown", fill);
    dialog.remove();
  });
  dialog.addEventListener("change", ({ target: colours }) => {
    const asked = colours instanceof HTMLSelectElement && colours.value ? `embed=true&amp;embed_options=${colours.value}` : "embed=true";
    for (const box of dialog.querySelectorAll("textarea[data-code]")) {
      box.textContent = (box.getAttribute("data-code") ?? "").replace("embed=true", asked);
      box.nextElementSibling?.setAttribute("data-copy", box.textContent);
    }
  });
  dialog.addEventListener("click", async (event) => {
    const target = /** @type {HTMLElement} */ (event.target);
    if (target === dialog) dialog.close();
    const button = target.closest("button");
    if (!button || button === close) return;
    const said = dialog.querySelector(".said");
    if (said) said.textContent = "";
    const words = await copy(button);
    if (said) said.textContent = words;
  });
  panel.append(dialog);
  dialog.showModal();
  await fill();
};
