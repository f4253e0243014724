// Answers each line of a list with what the search finds: node asked.js index.json questions.txt

import { readFileSync } from "node:fs";

import { find } from "../../../panel/browser/find.js";

const [index, questions] = process.argv.slice(2).map((file) => readFileSync(file, "utf8"));
const { entries } = JSON.parse(index);
process.stdout.write(JSON.stringify(questions.split("\n").map((text) => find(entries, text, 5).map(([kind, title, , href]) => [kind, title, href]))));
