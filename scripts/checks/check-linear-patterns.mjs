import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { patternsOf, whyNotLinear } from "./linear-patterns.mjs";
import { REASONED } from "./reasoned-patterns.mjs";

/**
 * Fails on a pattern of the product that is not proven linear: what a stranger writes must not cost
 * more than it is long. Those in `linear-patterns.json` were proven before; `--all` proves each of
 * them again, and `--write` writes the list anew.
 */
const ROOT = fileURLToPath(new URL("../..", import.meta.url));
const LIST = join(ROOT, "scripts/checks/linear-patterns.json");
const LANES = 2;

const isWhole = process.argv.includes("--all");
const known = new Set(/** @type {string[]} */ (JSON.parse(readFileSync(LIST, "utf8"))));
const patterns = patternsOf(ROOT);
const queue = patterns.filter(
  ({ literal }) => !REASONED.has(literal) && (isWhole || !known.has(literal)),
);
/** @type {string[]} */
const problems = [];
const refused = new Set();
await Promise.all(
  Array.from({ length: LANES }, async () => {
    for (let pattern = queue.shift(); pattern !== undefined; pattern = queue.shift()) {
      const why = await whyNotLinear(pattern);
      if (why === null) continue;
      refused.add(pattern.literal);
      problems.push(`${pattern.literal}\n  at ${pattern.places.join(", ")}: ${why}`);
    }
  }),
);
const literals = new Set(patterns.map(({ literal }) => literal));
for (const literal of REASONED.keys())
  if (!literals.has(literal))
    problems.push(
      `${literal}\n  has a reason in reasoned-patterns.mjs, and stands nowhere any more`,
    );
if (process.argv.includes("--write")) {
  const proven = patterns
    .map(({ literal }) => literal)
    .filter((literal) => !refused.has(literal) && !REASONED.has(literal));
  writeFileSync(LIST, `${JSON.stringify(proven, null, 2)}\n`);
}
if (problems.length > 0) {
  console.error(
    "Patterns that are not proven linear. Read the text by code instead (lib/model/text), or " +
      "word the pattern so that no two parts of it can take the same characters:\n\n" +
      `${problems.join("\n")}`,
  );
  process.exitCode = 1;
}
// The prover's processes stay otherwise.
process.exit();
