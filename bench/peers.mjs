import "../scripts/setup/on-supported-node.mjs";

import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { print, progress } from "../scripts/setup/progress.mjs";
import { runScript } from "../scripts/setup/run-script.mjs";
import { npmCommand, runTool } from "../scripts/setup/run-tool.mjs";
import { SetupError } from "../scripts/setup/setup-error.mjs";
import { PEERS, peerFolder } from "./peer-packages.mjs";

/**
 * `npm run task -- bench:peers [NAME …]`: installs what `npm run bench` compares with, from the npm
 * registry; all of it without a name.
 */
await runScript(async () => {
  const names = process.argv.length > 2 ? process.argv.slice(2) : Object.keys(PEERS);
  for (const name of names) await install(name);
});

/** @param {string} name */
async function install(name) {
  const peer = PEERS[name];
  if (peer === undefined)
    throw new SetupError(`There is no peer ${name}: ${Object.keys(PEERS).join(", ")}.`);
  const folder = peerFolder(name);
  mkdirSync(folder, { recursive: true });
  writeFileSync(
    join(folder, "package.json"),
    JSON.stringify({ name: `bench-${name}`, private: true, dependencies: peer.packages }, null, 2),
  );
  // LangGraph's packages name versions of each other that do not go together. Their programs come
  // as packages; what would run at the installation counts downloads for somebody.
  const [command, args] = npmCommand([
    "install",
    "--legacy-peer-deps",
    "--ignore-scripts",
    "--no-audit",
    "--no-fund",
  ]);
  await progress(`Installing ${peer.title} from the npm registry`, () =>
    runTool(command, args, {
      cwd: folder,
      env: process.env,
      failure: `${peer.title} could not be installed`,
    }),
  );
  print(`Installed into ${folder}.`);
}
