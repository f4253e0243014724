// Copy a link, a picture or numbers. Where the browser offers no clipboard for it (plain http), text is copied the
// old way and a picture opens instead.

/** The cells of a CSV file as a sheet takes them from the clipboard. @param {string} csv RFC 4180 */
export const cells = (csv) => {
  /** @type {string[][]} */
  const rows = [[]];
  for (const [, quoted, bare = "", end] of csv.matchAll(/(?:"([^"]*(?:""[^"]*)*)"|([^,\r\n]*))(,|\r?\n|$)/g)) {
    const row = rows[rows.length - 1] ?? [];
    const cell = quoted?.replaceAll('""', '"') ?? bare;
    if (cell || end || row.length) row.push(cell.replace(/[\t\r\n]+/g, " ").trim());
    if (end?.endsWith("\n")) rows.push([]);
    if (!end) break;
  }
  return rows.filter((row) => row.length).map((row) => row.join("\t")).join("\n");
};

/** @param {string} address */
const fetched = async (address) => {
  const answer = await fetch(address);
  if (!answer.ok) throw new Error(String(answer.status));
  return answer;
};

/** @param {string} text */
const copyText = async (text) => {
  if (navigator.clipboard && window.isSecureContext) return navigator.clipboard.writeText(text);
  const area = document.createElement("textarea");
  area.value = text;
  area.style.position = "fixed";
  area.style.opacity = "0";
  (document.querySelector("dialog[open]") ?? document.body).append(area);
  area.select();
  const done = document.execCommand("copy");
  area.remove();
  if (!done) throw new Error("no clipboard");
};

/** @param {string} address */
const copyImage = async (address) => {
  if (!(navigator.clipboard && window.ClipboardItem && window.isSecureContext)) {
    window.open(address, "_blank", "noopener");
    return "Picture opened: this connection does not allow copying it";
  }
  const picture = fetched(address).then((answer) => answer.blob());
  picture.catch(() => {}); // a clipboard that refuses first does not look at it any more
  await navigator.clipboard.write([new ClipboardItem({ "image/png": picture })]);
  return "Picture copied";
};

/**
 * Copy what a button names, and say what came of it.
 * @param {HTMLElement} button  with data-copy (text), data-copy-image or data-copy-table (addresses)
 * @returns {Promise<string>}
 */
export const copy = async (button) => {
  const { copy: text, copyImage: image, copyTable: table } = button.dataset;
  try {
    if (image !== undefined) return await copyImage(image);
    if (table !== undefined) {
      await copyText(cells(await (await fetched(table)).text()));
      return "Numbers copied: paste them into a spreadsheet";
    }
    await copyText(text ?? "");
    return `${(button.textContent ?? "").replace(/^Copy /, "").replace(/^./, (letter) => letter.toUpperCase())} copied`;
  } catch {
    return "Could not copy: use the file under Files";
  }
};
