import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import {
  daysUntilRetired,
  MODEL_ALIASES,
  MODEL_CATALOGUE,
  MODEL_DEFAULTS,
} from "@/lib/model/models/catalogue";
import { modelFactsSchema } from "@/lib/model/models/model-facts";
import facts from "@/lib/model/models/model-facts.json";
import { VENDORS } from "@/lib/runtime/models/providers/providers";

const byId = new Map(MODEL_CATALOGUE.map((model) => [model.id, model]));
/** The newest day of a release in the changelog: what is shipped on it lives on for a while. */
const releases = readFileSync(join(import.meta.dirname, "../../../CHANGELOG.md"), "utf8").matchAll(
  /^## \[\d[^\]]*\] - (\d{4}-\d{2}-\d{2})$/gm,
);
const released =
  [...releases]
    .map(([, day]) => day ?? "")
    .toSorted()
    .at(-1) ?? "";
const LASTS_DAYS = 90;

test.each(
  Object.entries(MODEL_DEFAULTS).flatMap(([vendor, defaults]) =>
    Object.entries(defaults).map(([role, id]) => ({ vendor, role, id })),
  ),
)(
  "the default of $vendor for the role $role lasts ninety days beyond the newest release",
  ({ vendor, id }) => {
    const model = byId.get(MODEL_ALIASES[id] ?? id);
    expect(model?.provider).toBe(vendor);
    expect(released).not.toBe("");
    const days = model ? daysUntilRetired(model, new Date(released)) : 0;
    expect(days ?? Number.POSITIVE_INFINITY).toBeGreaterThan(LASTS_DAYS);
  },
);

test("every vendor of the facts has a model for every role, and its day counts", () => {
  const vendors = new Set(
    MODEL_CATALOGUE.map(({ provider }) => provider).filter((provider) => provider !== "builtin"),
  );
  expect([...vendors].toSorted()).toEqual(Object.keys(MODEL_DEFAULTS).toSorted());
  for (const vendor of vendors)
    expect(Object.keys(MODEL_DEFAULTS[vendor] ?? {}).toSorted()).toEqual([
      "builder",
      "judge",
      "run",
    ]);
  expect(daysUntilRetired({ retires: "2026-12-11" }, new Date("2026-12-10T12:00:00Z"))).toBe(1);
  expect(daysUntilRetired({ retires: "2026-12-11" }, new Date("2026-12-11T00:00:00Z"))).toBe(0);
  expect(daysUntilRetired({ retires: null }, new Date())).toBeNull();
});

test("the facts name models of the list, say where each row comes from, and stand once", () => {
  const { models, aliases, sources } = modelFactsSchema.parse(facts);
  expect(new Set(models.map(({ id }) => id)).size).toBe(models.length);
  for (const { id, successor, sources: named } of models) {
    expect(VENDORS.map((vendor) => vendor.id)).toContain(id.slice(0, id.indexOf("/")));
    expect(named.length, id).toBeGreaterThan(0);
    for (const source of named) expect(sources[source], `${id}: ${source}`).toBeDefined();
    if (successor !== undefined)
      expect(byId.get(successor)?.retires ?? null, `${id} is followed by what ends`).toBeNull();
  }
  for (const [alias, id] of Object.entries(aliases)) {
    expect(byId.has(alias), `${alias} is no model's own id`).toBe(false);
    expect(byId.get(id)?.family, `${alias} stands for a model of a family`).toBeTruthy();
  }
  // What ends is followed by something.
  for (const { id, retires, successor } of models)
    if (retires !== undefined) expect(successor, id).toBeDefined();
});
