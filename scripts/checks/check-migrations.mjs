import { fileURLToPath } from "node:url";
import { migrationFaults } from "./migration-rule.mjs";

/** Part of `npm run lint`: refuses a migration that a service at work would not survive. */
const faults = migrationFaults(fileURLToPath(new URL("../..", import.meta.url)));
for (const fault of faults) console.error(fault);
if (faults.length > 0)
  console.error('What to do instead: docs/operations.md, "Rolling updates"; .squawk.toml.');
process.exitCode = faults.length > 0 ? 1 : 0;
