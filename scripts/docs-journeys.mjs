import "./setup/on-supported-node.mjs";

import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { journeysPage } from "./checks/journeys.mjs";
import { prepare } from "./setup/prepare.mjs";
import { print } from "./setup/progress.mjs";
import { runScript } from "./setup/run-script.mjs";

/** `npm run task -- docs:journeys`: writes docs/journeys.md anew and says what has changed. */
await runScript(async () => {
  const root = fileURLToPath(new URL("..", import.meta.url));
  await prepare({ root, build: false });
  const path = join(root, "docs/journeys.md");
  const before = new Set(readFileSync(path, "utf8").split("\n"));
  const page = await journeysPage(root);
  writeFileSync(path, page);
  const after = new Set(page.split("\n"));
  const changes = [
    ...[...before].filter((line) => !after.has(line)).map((line) => `- ${line.trim()}`),
    ...[...after].filter((line) => !before.has(line)).map((line) => `+ ${line.trim()}`),
  ];
  print(changes.length > 0 ? changes.join("\n") : "Nothing has changed.");
});
