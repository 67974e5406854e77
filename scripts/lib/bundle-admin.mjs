import { existsSync, mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { hashFiles } from "./hash-files.mjs";
import { writeFileAtomically } from "./write-file-atomically.mjs";

/** Bundles lib/admin/main.ts of the clone at `root` for Node, when its sources changed, and returns the bundle's path. */
export async function bundleAdmin(root) {
  const target = join(root, ".cache/admin.mjs");
  const marker = `${target}.sources`;
  const sources = hashFiles(root, ["lib", "package-lock.json", "tsconfig.json", "scripts/lib/bundle-admin.mjs"], {
    skip: (path) => /\.test\.ts$/.test(path),
  });
  if (existsSync(target) && existsSync(marker) && readFileSync(marker, "utf8") === sources) return target;
  const { build } = await import("esbuild");
  const { outputFiles } = await build({
    absWorkingDir: root,
    entryPoints: ["lib/admin/main.ts"],
    bundle: true,
    write: false,
    platform: "node",
    format: "esm",
    target: "node20",
    packages: "external",
    // The marker package throws outside of a React server bundle; this runs on the server too.
    alias: { "server-only": join(root, "scripts/lib/server-only-stub.mjs"), "@": root.replace(/\/$/, "") },
    logLevel: "silent",
  });
  mkdirSync(join(root, ".cache"), { recursive: true });
  writeFileAtomically(target, outputFiles[0].text, 0o644);
  writeFileAtomically(marker, sources, 0o644);
  return target;
}
