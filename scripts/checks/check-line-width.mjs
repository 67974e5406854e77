import { fileURLToPath } from "node:url";
import { wideLines } from "./line-width.mjs";

/**
 * Part of `npm run lint`: refuses lines over 100 wide where a formatter does not look, in comments,
 * texts, SQL and documents.
 */
const faults = wideLines(fileURLToPath(new URL("../..", import.meta.url)));
for (const fault of faults) console.error(fault);
if (faults.length > 0) console.error("Lines are at most 100 wide: break these.");
process.exitCode = faults.length > 0 ? 1 : 0;
