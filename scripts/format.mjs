import "./setup/on-supported-node.mjs";

import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { prepare } from "./setup/prepare.mjs";
import { runScript } from "./setup/run-script.mjs";
import { runTool } from "./setup/run-tool.mjs";

/**
 * `npm run format [-- PATH …]`: brings files into the style that `npm run lint` asks for, imports
 * in order included; all of them without a path. What it cannot mend by itself it names.
 */
await runScript(async () => {
  const root = fileURLToPath(new URL("..", import.meta.url));
  await prepare({ root, build: false });
  const biome = join(root, "node_modules/@biomejs/biome/bin/biome");
  await runTool(process.execPath, [biome, "check", "--write", ...process.argv.slice(2)], {
    cwd: root,
    failure: "Not everything is in the style",
    echo: true,
  });
});
