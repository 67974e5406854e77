import "../scripts/setup/on-supported-node.mjs";

import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { print, progress } from "../scripts/setup/progress.mjs";
import { runScript } from "../scripts/setup/run-script.mjs";
import { npmCommand, runTool } from "../scripts/setup/run-tool.mjs";
import { peersFolder } from "./start-langgraph.mjs";

/** `npm run task -- bench:peers`: installs what `npm run bench` compares with, from the npm registry. */
const LANGGRAPH = {
  "@langchain/core": "^1.2.13",
  "@langchain/langgraph": "^1.2.9",
  "@langchain/langgraph-api": "^2.0.0",
  "@langchain/langgraph-checkpoint": "^1.0.4",
  "@langchain/langgraph-cli": "^2.0.0",
  "@langchain/langgraph-sdk": "^2.0.0",
  "@langchain/openai": "^1.2.0",
  typescript: "^5.9.3",
  zod: "^4.6.7",
};

await runScript(async () => {
  const folder = join(peersFolder(), "langgraph");
  mkdirSync(folder, { recursive: true });
  writeFileSync(
    join(folder, "package.json"),
    JSON.stringify(
      { name: "bench-langgraph", private: true, type: "module", dependencies: LANGGRAPH },
      null,
      2,
    ),
  );
  // Its packages name versions of each other that do not go together.
  const [command, args] = npmCommand(["install", "--legacy-peer-deps", "--no-audit", "--no-fund"]);
  await progress("Installing LangGraph's development server from the npm registry", () =>
    runTool(command, args, {
      cwd: folder,
      env: process.env,
      failure: "LangGraph could not be installed",
    }),
  );
  print(`Installed into ${folder}.`);
});
