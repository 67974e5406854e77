import "./setup/on-supported-node.mjs";

import { spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { existsSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { startConformanceTarget } from "./mcp/conformance-target.mjs";
import { startDisposablePostgres } from "./postgres/embedded-postgres.mjs";
import { migrate } from "./postgres/migrate.mjs";
import { prepare } from "./setup/prepare.mjs";
import { print } from "./setup/progress.mjs";
import { runScript } from "./setup/run-script.mjs";
import { SetupError } from "./setup/setup-error.mjs";

const ROOT = fileURLToPath(new URL("..", import.meta.url));
const FOLDER = process.env.MCP_CONFORMANCE || join(ROOT, ".cache/mcp-conformance");
const SUITE = "@modelcontextprotocol/conformance@0.2.0-alpha.12";
const REVISIONS = ["2025-11-25", "2026-07-28"];

/**
 * `npm run test:mcp [-- client|server [SCENARIO]]`: the official conformance suite of MCP, in both
 * revisions, against `/mcp` and against the service's own client. What does not apply stands in
 * scripts/mcp/*.yml, with the reason in docs/mcp-conformance.md; anything else that fails, and
 * anything listed that passes, fails the command. No part of `npm test`.
 */
await runScript(async (shutdown) => {
  const suite = join(FOLDER, "node_modules/@modelcontextprotocol/conformance/dist/index.js");
  if (!existsSync(suite))
    throw new SetupError(
      "The suite is installed by itself, since it brings much else: npm install --prefix " +
        `${FOLDER} ${SUITE} (MCP_CONFORMANCE names another folder). Then run this again.`,
    );
  const [wanted, scenario] = process.argv.slice(2);
  /** @type {(side: string, revision: string) => string[]} */
  const which = (side, revision) =>
    scenario
      ? ["--scenario", scenario, "--spec-version", revision, "--verbose"]
      : [
          ...["--requirements", revision],
          ...["--expected-failures", join(ROOT, `scripts/mcp/${side}-${revision}.yml`)],
        ];
  await prepare({ root: ROOT, build: wanted !== "client" });
  /** @type {(args: string[], env?: Record<string, string>) => Promise<boolean>} */
  const run = async (args, env = {}) => {
    const results = join(ROOT, "test-results/mcp");
    mkdirSync(results, { recursive: true });
    const child = spawn(process.execPath, [suite, ...args], {
      cwd: results,
      env: { ...process.env, ...env },
      stdio: "inherit",
    });
    const [code] = await once(child, "exit");
    return code === 0;
  };
  let isGreen = true;
  if (wanted !== "server") {
    const postgres = await startDisposablePostgres();
    shutdown.add(() => postgres.stop());
    await migrate(postgres.url, { root: ROOT });
    const client = await bundleClient();
    for (const revision of REVISIONS) {
      print(`The client, ${revision}:`);
      const passed = await run(
        ["client", ...["--command", `${process.execPath} ${client}`], ...which("client", revision)],
        clientEnvironment(postgres.url),
      );
      isGreen &&= passed;
    }
  }
  if (wanted !== "client") {
    const target = await startConformanceTarget(ROOT);
    shutdown.add(() => target.stop());
    for (const revision of REVISIONS) {
      print(`The server, ${revision}:`);
      const passed = await run(["server", ...["--url", target.url], ...which("server", revision)]);
      isGreen &&= passed;
    }
  }
  await shutdown.run();
  process.exit(isGreen ? 0 : 1);
});

/** @param {string} databaseUrl */
function clientEnvironment(databaseUrl) {
  const key = randomBytes(32).toString("base64");
  return {
    DATABASE_URL: databaseUrl,
    ENCRYPTION_KEYS: JSON.stringify([{ id: "k1", key }]),
    PUBLIC_URL: "https://conformance-test.local",
    LOG_LEVEL: "silent",
    AUDIT_LOG: "off",
  };
}

/** The client is TypeScript, and the suite starts it as a program. */
async function bundleClient() {
  const outfile = join(ROOT, ".cache/mcp-conformance-client.mjs");
  await build({
    entryPoints: [join(ROOT, "lib/jobs/test/mcp-conformance-client.ts")],
    outfile,
    bundle: true,
    format: "esm",
    platform: "node",
    target: "node22",
    packages: "external",
    absWorkingDir: ROOT,
    alias: {
      "@": ROOT.replace(/\/$/, ""),
      "server-only": join(ROOT, "scripts/setup/server-only-stub.mjs"),
    },
    logLevel: "error",
  });
  return outfile;
}
