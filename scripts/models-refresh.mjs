import "./setup/on-supported-node.mjs";

import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { print } from "./setup/progress.mjs";
import { runScript } from "./setup/run-script.mjs";
import { SetupError } from "./setup/setup-error.mjs";

/**
 * `npm run task -- models:refresh FILE_OR_ADDRESS [--write]`: compares
 * `lib/model/models/model-facts.json` with a public price list in LiteLLM's form
 * (`model_prices_and_context_window.json`: https://github.com/BerriAI/litellm, also inside its
 * wheel on PyPI), says what differs and which models of our vendors it has that we have not,
 * and with `--write` takes prices and days of retirement over. Windows, words of effort, successors
 * and new rows are written by hand, from the vendors' own pages, with their source.
 */

const FACTS = join(
  fileURLToPath(new URL("..", import.meta.url)),
  "lib/model/models/model-facts.json",
);
/** Names of providers in the list that are others here. @type {Record<string, string>} */
const RENAMED = { gemini: "google" };

/**
 * @typedef {Record<string, unknown>} Row of the list
 * @typedef {{ above_input_tokens?: number, input: number, cached_input: number, cache_write?:
 * number, cache_write_1h?: number, output: number, tiers?: Price[] }} Price
 * @typedef {{ id: string, price: Price, retires?: string }} Model
 */

await runScript(async () => {
  const [source, ...flags] = process.argv.slice(2);
  if (!source)
    throw new SetupError(
      "Name the price list: npm run task -- models:refresh FILE_OR_ADDRESS [--write]",
    );
  const list = /** @type {Record<string, Row>} */ (JSON.parse(await read(source)));
  const facts = JSON.parse(readFileSync(FACTS, "utf8"));
  /** @type {Model[]} */
  const models = facts.models;
  const changes = models.flatMap((model) => refresh(model, rowOf(model.id, list)));
  const known = new Set(models.map(({ id }) => id));
  const others = Object.entries(list).flatMap(([name, row]) => newModel(name, row, known));
  print(changes.length === 0 ? "Prices and days are those of the list." : changes.join("\n"));
  if (others.length > 0) print(`\nIn the list, and not here:\n${others.join("\n")}`);
  if (!flags.includes("--write") || changes.length === 0) return;
  facts.checked = new Date().toISOString().slice(0, 10);
  facts.sources.prices = `${source}, read ${facts.checked}`;
  writeFileSync(FACTS, `${JSON.stringify(facts, null, 2)}\n`);
  print(`\nWritten: ${FACTS}. Format it (npx biome check --write), and look at the change.`);
});

/** @param {string} source */
async function read(source) {
  if (!source.startsWith("https://")) return readFileSync(source, "utf8");
  const response = await fetch(source, { signal: AbortSignal.timeout(30_000) });
  if (!response.ok) throw new SetupError(`${source} was answered with status ${response.status}.`);
  return response.text();
}

/**
 * @param {string} id
 * @param {Record<string, Row>} list
 */
function rowOf(id, list) {
  const [provider = "", name = ""] = id.split("/");
  return provider === "google" ? list[`gemini/${name}`] : list[name];
}

/**
 * Changes the model in place.
 * @param {Model} model
 * @param {Row | undefined} row
 * @returns {string[]} what has changed
 */
function refresh(model, row) {
  if (!row) return [`${model.id}: not in the list any more`];
  const said = [];
  const price = toPrice(row);
  if (price && JSON.stringify(price) !== JSON.stringify(model.price)) {
    said.push(`${model.id}: price ${JSON.stringify(model.price)} → ${JSON.stringify(price)}`);
    model.price = price;
  }
  const retires = typeof row.deprecation_date === "string" ? row.deprecation_date : undefined;
  if (retires !== undefined && retires !== model.retires) {
    said.push(`${model.id}: retires ${model.retires ?? "not"} → ${retires}`);
    model.retires = retires;
  }
  return said;
}

/**
 * @param {Row} row
 * @returns {Price | null} credits a million tokens
 */
function toPrice(row) {
  const at = (/** @type {string} */ field, /** @type {string} */ above) => {
    const dollars = row[`${field}${above}`];
    // A credit is a thousandth of a dollar; the list has dollars a token.
    return typeof dollars === "number" ? Math.round(dollars * 1e9 * 1e6) / 1e6 : null;
  };
  const side = (/** @type {string} */ above) => {
    const input = at("input_cost_per_token", above);
    const output = at("output_cost_per_token", above);
    if (input === null || output === null) return null;
    const write = at("cache_creation_input_token_cost", above);
    const forHour = at("cache_creation_input_token_cost_above_1hr", above);
    const cached = at("cache_read_input_token_cost", above) ?? input;
    return {
      input,
      cached_input: cached,
      ...(write !== null && { cache_write: write }),
      ...(forHour !== null && { cache_write_1h: forHour }),
      output,
    };
  };
  const base = side("");
  if (base === null) return null;
  const tiers = Object.keys(row)
    .flatMap((field) => {
      // The list names a tier in its fields: `input_cost_per_token_above_272k_tokens`.
      const [, thousands] = /^input_cost_per_token_above_(\d+)k_tokens$/.exec(field) ?? [];
      const tier = thousands === undefined ? null : side(`_above_${thousands}k_tokens`);
      return tier === null ? [] : [{ above_input_tokens: Number(thousands) * 1000, ...tier }];
    })
    .toSorted((left, right) => left.above_input_tokens - right.above_input_tokens);
  return { ...base, ...(tiers.length > 0 && { tiers }) };
}

/**
 * @param {string} name
 * @param {Row} row
 * @param {Set<string>} known
 */
function newModel(name, row, known) {
  const named = String(row.litellm_provider);
  const provider = RENAMED[named] ?? named;
  const isOurs = [...known].some((id) => id.startsWith(`${provider}/`));
  if (!isOurs || (row.mode !== "chat" && row.mode !== "responses")) return [];
  const id = `${provider}/${name.slice(name.indexOf("/") + 1)}`;
  const isOld =
    typeof row.deprecation_date === "string" &&
    row.deprecation_date < new Date().toISOString().slice(0, 10);
  return known.has(id) || isOld || /\d{4}-?\d{2}-?\d{2}$/.test(id) ? [] : [`  ${id}`];
}
