import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import facts from "../../lib/model/models/model-facts.json" with { type: "json" };

/** What the command says of our facts beside a price list of these rows. */
function refresh(/** @type {Record<string, object>} */ list) {
  const folder = mkdtempSync(join(tmpdir(), "lathe-prices-"));
  try {
    const file = join(folder, "prices.json");
    writeFileSync(file, JSON.stringify(list));
    return execFileSync(process.execPath, ["scripts/models-refresh.mjs", file], {
      encoding: "utf8",
    });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

test("a tier is read from wherever the list sets its limit, and a missing one is told", () => {
  const model = facts.models.find(({ price }) => !("tiers" in price));
  const { id = "", price } = model ?? {};
  const name = id.startsWith("google/") ? id.replace("google/", "gemini/") : id.split("/")[1];
  const row = (/** @type {object} */ more) => ({
    [name ?? ""]: {
      input_cost_per_token: (price?.input ?? 0) / 1e9,
      output_cost_per_token: (price?.output ?? 0) / 1e9,
      cache_read_input_token_cost: (price?.cached_input ?? 0) / 1e9,
      ...(price && "cache_write" in price
        ? { cache_creation_input_token_cost: Number(price.cache_write) / 1e9 }
        : {}),
      ...more,
    },
  });
  expect(refresh(row({}))).not.toContain(`${id}: price`);
  const tier = {
    input_cost_per_token_above_100k_tokens: 5e-7,
    output_cost_per_token_above_100k_tokens: 2.5e-6,
    cache_read_input_token_cost_above_100k_tokens: 5e-8,
  };
  expect(refresh(row(tier))).toMatch(
    new RegExp(`${id}: price .*"above_input_tokens":100000,"input":500,"cached_input":50`),
  );
});
