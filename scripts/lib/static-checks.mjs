import { existsSync } from "node:fs";
import { join } from "node:path";

/** The checks that need no database and no browser, for `runChecks`: style, types, the import table, dead code. */
export function staticChecks(root) {
  const tool = (path) => join(root, "node_modules", path);
  const folders = ["app", "components", "lib", "e2e"].filter((folder) => existsSync(join(root, folder)));
  return [
    { title: "Style (biome)", args: [tool("@biomejs/biome/bin/biome"), "check", "--error-on-warnings"] },
    { title: "Types of routes (next typegen)", args: [tool("next/dist/bin/next"), "typegen"], env: { NEXT_TELEMETRY_DISABLED: "1" } },
    {
      title: "Import table (dependency-cruiser)",
      args: [tool("dependency-cruiser/bin/dependency-cruise.mjs"), "--config", ".dependency-cruiser.cjs", ...folders],
    },
    { title: "Queries by id name their account", args: [join(root, "scripts/check-account-queries.mjs")] },
    { title: "Dead code (knip)", args: [tool("knip/bin/knip.js"), "--no-progress"] },
    {
      title: "Types (tsc)",
      needs: "Types of routes (next typegen)",
      args: [tool("typescript/bin/tsc"), "--noEmit", "-p", "tsconfig.json"],
    },
  ];
}
