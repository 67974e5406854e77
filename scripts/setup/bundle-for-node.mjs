import { join } from "node:path";

/**
 * A module with all that it imports of the service, but the packages that the service itself finds
 * in node_modules.
 * @param {string} root
 * @param {string} source
 */
export async function bundleForNode(root, source) {
  const { build } = await import("esbuild");
  // By a name that the type checker does not follow: Next's declarations change the type of
  // `process.env` for every script.
  const configFile = /** @type {string} */ ("../../next.config.mjs");
  /** @type {{ default: { serverExternalPackages: string[] } }} */
  const { default: config } = await import(configFile);
  const { outputFiles } = await build({
    absWorkingDir: root,
    stdin: { contents: source, resolveDir: root, loader: "ts" },
    bundle: true,
    write: false,
    platform: "node",
    format: "esm",
    target: "node22",
    external: config.serverExternalPackages,
    // Packages of CommonJS inside ask for Node's own modules.
    banner: {
      js:
        'import { createRequire as bundleRequire } from "node:module"; const require = ' +
        "bundleRequire(import.meta.url);",
    },
    // The marker package throws outside of a React server bundle; this runs on the server too.
    alias: {
      "server-only": join(root, "scripts/setup/server-only-stub.mjs"),
      "@": root.replace(/\/$/, ""),
    },
    logLevel: "silent",
  });
  return outputFiles[0]?.text ?? "";
}
