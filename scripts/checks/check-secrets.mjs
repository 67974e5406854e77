import { fileURLToPath } from "node:url";
import { findSecrets } from "./find-secrets.mjs";

/** Part of `npm run lint`: refuses what looks like a key. */
const faults = await findSecrets(fileURLToPath(new URL("../..", import.meta.url)));
for (const fault of faults) console.error(fault);
if (faults.length > 0)
  console.error(
    "What only looks like a key says so on the line before it: secretlint-disable-next-line -- why",
  );
process.exitCode = faults.length > 0 ? 1 : 0;
