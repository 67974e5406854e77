import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { print } from "./setup/progress.mjs";
import { runScript } from "./setup/run-script.mjs";
import { SetupError } from "./setup/setup-error.mjs";

/**
 * `node scripts/package-names.mjs`: asks the registries whether the names under which the clients
 * would be published are free, or ours already. Before a first publication; it fails when one
 * belongs to somebody else. NPM_REGISTRY and PYPI_ADDRESS name other registries.
 */

const ROOT = fileURLToPath(new URL("..", import.meta.url));
const NPM = process.env.NPM_REGISTRY || "https://registry.npmjs.org";
const PYPI = process.env.PYPI_ADDRESS || "https://pypi.org/pypi";

await runScript(async () => {
  const npm = JSON.parse(readFileSync(join(ROOT, "clients/typescript/package.json"), "utf8"));
  const python = readFileSync(join(ROOT, "clients/python/pyproject.toml"), "utf8");
  const name = field(python, /^name = "(.+)"$/m);
  const module = field(python, /^packages = \["src\/(.+)"\]$/m);
  // Two distributions that install one module overwrite each other, so the module is named like
  // ours.
  if (module !== name.replaceAll("-", "_"))
    throw new SetupError(`The Python package ${name} imports as ${module}: name both alike.`);
  const taken = [
    await look(
      `npm ${npm.name}`,
      `${NPM}/${npm.name.replace("/", "%2F")}`,
      npm.description,
      ({ description }) => description,
    ),
    await look(
      `PyPI ${name}, import ${module}`,
      `${PYPI}/${name}/json`,
      field(python, /^description = "(.+)"$/m),
      ({ info }) => info?.summary,
    ),
  ].filter((label) => label !== null);
  if (taken.length > 0)
    throw new SetupError(`Taken by somebody else: ${taken.join("; ")}. Choose another name.`);
});

/**
 * @param {string} label
 * @param {string} address
 * @param {string} ours what our package says of itself
 * @param {(answer: any) => unknown} summaryOf what the registry's one does
 * @returns {Promise<string | null>} the label of a name that is somebody else's
 */
async function look(label, address, ours, summaryOf) {
  const response = await fetch(address, { signal: AbortSignal.timeout(30_000) });
  if (response.status === 404) {
    print(`${label}: free`);
    return null;
  }
  if (!response.ok) throw new SetupError(`${address} was answered with ${response.status}.`);
  const isOurs = summaryOf(await response.json()) === ours;
  print(`${label}: ${isOurs ? "ours" : "taken"}`);
  return isOurs ? null : label;
}

/**
 * @param {string} text
 * @param {RegExp} pattern
 */
function field(text, pattern) {
  const [, value] = pattern.exec(text) ?? [];
  if (value === undefined) throw new SetupError(`pyproject.toml has nothing like ${pattern}.`);
  return value;
}
