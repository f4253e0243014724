// Copy the link, the picture or the numbers of a view. Where the browser offers no clipboard for it
// (plain http), a link is copied the old way and a picture or file opens instead.

const cells = (csv) => {
  const rows = [[]];
  let cell = "", quoted = false;
  for (let i = 0; i < csv.length; i += 1) {
    const c = csv[i];
    if (quoted) {
      if (c === '"' && csv[i + 1] === '"') { cell += c; i += 1; }
      else if (c === '"') quoted = false;
      else cell += c;
    } else if (c === '"') quoted = true;
    else if (c === "," || c === "\n") {
      rows[rows.length - 1].push(cell.replace(/[\t\r\n]+/g, " ").trim());
      cell = "";
      if (c === "\n") rows.push([]);
    } else cell += c;
  }
  if (cell || rows[rows.length - 1].length) rows[rows.length - 1].push(cell.trim());
  return rows.filter((row) => row.length).map((row) => row.join("\t")).join("\n");
};

const fetched = async (url) => {
  const answer = await fetch(url);
  if (!answer.ok) throw new Error(`${answer.status}`);
  return answer;
};

const copyText = async (text) => {
  if (navigator.clipboard && window.isSecureContext) return navigator.clipboard.writeText(text);
  const area = document.createElement("textarea");
  area.value = text;
  area.style.position = "fixed";
  area.style.opacity = "0";
  document.body.append(area);
  area.select();
  const done = document.execCommand("copy");
  area.remove();
  if (!done) throw new Error("no clipboard");
};

const act = {
  link: async (data) => {
    await copyText(new URL(data.link, document.baseURI).href);
    return "Link copied";
  },
  image: async (data) => {
    if (!(navigator.clipboard && window.ClipboardItem && window.isSecureContext)) {
      window.open(data.image, "_blank", "noopener");
      return "Opened: this connection does not allow copying pictures";
    }
    const picture = fetched(data.image).then((answer) => answer.blob());
    await navigator.clipboard.write([new ClipboardItem({ "image/png": picture })]);
    return "Picture copied";
  },
  table: async (data) => {
    await copyText(cells(await (await fetched(data.table)).text()));
    return "Numbers copied: paste them into a sheet";
  },
};

export default function ({ parentElement, data }) {
  // What opened stands at the end of the document: bring the keyboard there, once.
  if (!parentElement.shared) {
    parentElement.shared = true;
    parentElement.querySelector("button").focus({ preventScroll: true });
  }
  const said = parentElement.querySelector("[role=status]");
  for (const button of parentElement.querySelectorAll("button")) {
    button.onclick = async () => {
      said.textContent = "";
      try {
        said.textContent = await act[button.name](data);
      } catch {
        said.textContent = "Could not copy: take the file under Files";
      }
    };
  }
}
