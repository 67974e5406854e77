import "./setup/on-supported-node.mjs";

import { fileURLToPath, pathToFileURL } from "node:url";
import { print } from "./setup/progress.mjs";
import { TASKS } from "./setup/task-list.mjs";

/** `npm run task -- NAME [ARGUMENT …]`: runs what is run seldom; without a name it lists them. */
const ROOT = pathToFileURL(`${fileURLToPath(new URL("..", import.meta.url))}/`);
const [name = "", ...rest] = process.argv.slice(2);
const task = Object.hasOwn(TASKS, name) ? TASKS[name] : undefined;
if (task === undefined) {
  const width = Math.max(...Object.keys(TASKS).map((known) => known.length));
  const list = Object.entries(TASKS).map(
    ([known, { does }]) => `  ${known.padEnd(width)}  ${does}`,
  );
  const isAsked = name === "" || name === "--help";
  print(`${isAsked ? "npm run task -- NAME" : `There is no task ${name}.`}\n\n${list.join("\n")}`);
  process.exitCode = isAsked ? 0 : 1;
} else {
  // Each is a command of its own, which reads its arguments where a command finds them.
  const file = new URL(task.file, ROOT);
  process.argv = [process.execPath, fileURLToPath(file), ...rest];
  await import(file.href);
}
