import "server-only";
import { type ChildProcess, spawn } from "node:child_process";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { build } from "esbuild";

/**
 * Bundles a program of this folder, so that a plain `node` can run it as a process of its own;
 * returns the bundle's path.
 */
export async function bundleProgram(name: "crash-worker" | "crash-sender"): Promise<string> {
  const folder = join(process.cwd(), "node_modules/.cache/lathe");
  mkdirSync(folder, { recursive: true });
  const outfile = join(folder, `${name}-${process.pid}.mjs`);
  const stub = join(process.cwd(), "scripts/setup/server-only-stub.mjs");
  await build({
    entryPoints: [`lib/engine/test/${name}.ts`],
    outfile,
    bundle: true,
    platform: "node",
    format: "esm",
    packages: "external",
    plugins: [
      {
        name: "paths",
        setup({ onResolve }) {
          onResolve({ filter: /^server-only$/ }, () => ({ path: stub }));
          onResolve({ filter: /^@\// }, ({ path }) => ({
            path: join(
              process.cwd(),
              path.endsWith(".mjs") ? path.slice(2) : `${path.slice(2)}.ts`,
            ),
          }));
        },
      },
    ],
  });
  return outfile;
}

/** Resolves when the worker's executor takes jobs. */
export async function startCrashWorker(bundle: string, url: string): Promise<ChildProcess> {
  const child = spawn(process.execPath, [bundle, url], {
    stdio: ["ignore", "pipe", "inherit"],
    env: { ...process.env, LOG_LEVEL: process.env.LOG_LEVEL ?? "error" },
  });
  await new Promise<void>((resolve, reject) => {
    child.stdout?.once("data", () => resolve());
    child.once("exit", (code) => reject(new Error(`the worker ended with ${code}`)));
  });
  return child;
}

/** Ends a worker by a signal and waits until it is gone. */
export function endWorker(child: ChildProcess, signal: "SIGKILL" | "SIGTERM"): Promise<void> {
  return new Promise((resolve) => {
    if (child.exitCode !== null || child.signalCode !== null) return resolve();
    child.once("exit", () => resolve());
    child.kill(signal);
  });
}
