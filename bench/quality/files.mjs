import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

/**
 * The files that questions are asked about, of eight kinds: published data sets as they are or in
 * another form, and texts that were written for this.
 * No test of the repository reads them, so nothing can be tuned to them unseen.
 */
const DATA = fileURLToPath(new URL("../../node_modules/vega-datasets/data/", import.meta.url));

/** @param {string} name */
const published = (name) => readFileSync(join(DATA, name), "utf8");

const POLICY = `# Travel policy

## Booking

Flights under six hours are booked in economy class. Longer flights may be booked in premium \
economy.
Trips are approved by the team lead at least ten days before departure.
Train travel is preferred for distances below 500 kilometres.

## Costs

The daily allowance for meals is 42 euros in Germany and 55 euros in Switzerland.
Hotel rooms may cost up to 160 euros a night. In London the limit is 210 euros.
Receipts are handed in within 30 days; later claims are not refunded.
Taxis are refunded only between 22:00 and 06:00 or with heavy luggage.

## Contact

Questions go to travel@northwind.example or to Priya Raman, extension 4417.
`;

const LETTER = `Dear members,

the garden's annual meeting took place on 14 March 2025 in the old dairy. Thirty-one members came.
Tomas Havel was elected treasurer; he follows Edith Okafor, who served for nine years.
The fee for a plot rises from 60 to 72 euros, beginning in January 2026.
The proposal to keep bees was rejected by a narrow majority.
The well will be repaired in April. The pump was paid for by the town.
Water is turned off from November to the end of March.
The next working day is Saturday, 26 April, at nine o'clock. Please bring gloves.

With kind regards
Lena Brandt
`;

const LOG = [
  "2025-05-06T08:00:01Z INFO gateway started version=4.2.0",
  "2025-05-06T08:14:22Z WARN db slow query took 2310 ms",
  "2025-05-06T08:14:40Z ERROR checkout payment provider timed out after 30 s",
  "2025-05-06T08:15:02Z ERROR checkout payment provider timed out after 30 s",
  "2025-05-06T08:15:30Z INFO gateway circuit breaker opened for payments",
  "2025-05-06T08:21:09Z ERROR mailer connection refused by smtp.internal",
  "2025-05-06T08:25:30Z INFO gateway circuit breaker closed for payments",
  "2025-05-06T09:02:11Z INFO deploy version=4.2.1 by marta",
].join("\n");

/** @param {string} text */
function separatedRows(text) {
  const rows = /** @type {Record<string, unknown>[]} */ (JSON.parse(text));
  const names = Object.keys(rows[0] ?? {});
  return [
    names.join(";"),
    ...rows.map((row) => names.map((name) => String(row[name] ?? "")).join(";")),
  ].join("\n");
}

/** @type {Record<string, string>} */
export const FILES = {
  "disasters.csv": published("disasters.csv"),
  "iowa-electricity.csv": published("iowa-electricity.csv"),
  "health-income.csv": published("gapminder-health-income.csv"),
  "people.csv": published("lookup_people.csv"),
  "unemployment.tsv": published("unemployment.tsv"),
  "penguins.json": published("penguins.json"),
  "football.json": JSON.stringify(JSON.parse(published("football.json")).slice(0, 400)),
  "monarchs.jsonl": JSON.parse(published("monarchs.json"))
    .map((/** @type {object} */ row) => JSON.stringify(row))
    .join("\n"),
  "bacteria.csv": separatedRows(published("burtin.json")),
  "travel-policy.md": POLICY,
  "letter.txt": LETTER,
  "gateway.log": LOG,
};

/**
 * The rows of a table, read by code of this bench and none of the service's.
 * @param {string} name
 * @returns {Record<string, any>[]}
 */
export function rowsOf(name) {
  const text = FILES[name] ?? "";
  if (name.endsWith(".json")) return JSON.parse(text);
  if (name.endsWith(".jsonl")) return text.split("\n").map((line) => JSON.parse(line));
  const separator = name.endsWith(".tsv") ? "\t" : name === "bacteria.csv" ? ";" : ",";
  const [head = "", ...lines] = text.trim().split(/\r?\n/);
  const names = head.split(separator);
  return lines.map((line) =>
    Object.fromEntries(cellsOf(line, separator).map((cell, at) => [names[at], toValue(cell)])),
  );
}

/** @param {string} line @param {string} separator */
function cellsOf(line, separator) {
  const cells = [""];
  let isQuoted = false;
  for (const sign of line) {
    if (sign === '"') isQuoted = !isQuoted;
    else if (sign === separator && !isQuoted) cells.push("");
    else cells[cells.length - 1] += sign;
  }
  return cells;
}

/** @param {string} cell */
function toValue(cell) {
  return cell === "" ? null : /^-?(?:\d+(?:\.\d+)?|\.\d+)$/.test(cell) ? Number(cell) : cell;
}
