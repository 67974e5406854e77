import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { TASKS } from "../setup/task-list.mjs";
import { staticChecks } from "./checks.mjs";
import { repositoryFiles } from "./repository-files.mjs";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
/** @type {{ scripts: Record<string, string> }} */
const { scripts } = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8"));

/** The text files of the repository; decisions and the changelog tell of what was. */
const files = repositoryFiles(ROOT).filter(
  (file) =>
    /\.(?:md|mdx|mjs|cjs|ts|tsx|yml|yaml|toml)$|^\.ci\/|^\.env|Dockerfile/.test(file) &&
    !/^docs\/decisions\/|^CHANGELOG\.md$/.test(file),
);

/**
 * The names that `npm run` would find from a file's folder: an example has a package of its own.
 * @param {string} file
 */
function scriptsAt(file) {
  for (let folder = dirname(file); folder !== "."; folder = dirname(folder)) {
    const path = join(ROOT, folder, "package.json");
    if (existsSync(path))
      return {
        ...scripts,
        .../** @type {{ scripts?: Record<string, string> }} */ (
          JSON.parse(readFileSync(path, "utf8"))
        ).scripts,
      };
  }
  return scripts;
}

/**
 * Commands that a text names and that are none.
 * @param {string} text
 * @param {Record<string, string>} known
 */
function unknownCommands(text, known) {
  return [
    ...text.matchAll(/\bnpm run (?:-s |--silent )?([a-z][\w:-]*)(?: -- ([a-z][\w:-]*))?/g),
  ].flatMap(([, name = "", argument]) => {
    if (!Object.hasOwn(known, name)) return [`npm run ${name}`];
    if (name !== "task" || argument === undefined || Object.hasOwn(TASKS, argument)) return [];
    return [`npm run task -- ${argument}`];
  });
}

test("every command that a document, a workflow or a message names is a script or a task", () => {
  const unknown = files.flatMap((file) =>
    unknownCommands(readFileSync(join(ROOT, file), "utf8"), scriptsAt(file)).map(
      (command) => `${file}: ${command}`,
    ),
  );
  expect(unknown).toEqual([]);
});

test("a command that is gone, or a task that is none, would be told", () => {
  // Put together here, so that this file names none.
  const run = ["npm", "run"].join(" ");
  const text = `${run} gone, ${run} -s task -- docs:gone; ${run} task -- licences, ${run} task`;
  expect(unknownCommands(text, scripts)).toEqual([`${run} gone`, `${run} task -- docs:gone`]);
});

test("every script and every task is a file that is there", () => {
  const ofScripts = Object.values(scripts).map((command) => /^node (\S+\.mjs)/.exec(command)?.[1]);
  const named = [...ofScripts, ...Object.values(TASKS).map(({ file }) => file)];
  expect(named.filter((file) => file === undefined || !existsSync(join(ROOT, file)))).toEqual([]);
});

test("lint and typecheck are together what check does before the unit tests", () => {
  expect(scripts.lint).toBe(`${scripts.check} lint`);
  expect(scripts.typecheck).toBe(`${scripts.check} typecheck`);
  const checks = staticChecks(ROOT);
  expect(new Set(checks.map(({ part }) => part))).toEqual(new Set(["lint", "typecheck"]));
});
