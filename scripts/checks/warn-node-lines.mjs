import { daysOfFixes, NODE_LINES } from "../setup/node-lines.mjs";

// For CI: warns ninety days before the line of Node.js that is shipped, or brought along, has no
// more security fixes. After that day a unit test fails. `node scripts/checks/warn-node-lines.mjs
// [DAY]`.
const WARN_DAYS = 90;
const now = new Date(process.argv[2] ?? Date.now());
const versions = [
  NODE_LINES.shipped,
  ...Object.values(NODE_LINES.brought).map((one) => one.version),
];
for (const line of new Set(versions.map((version) => version.split(".")[0] ?? ""))) {
  const days = daysOfFixes(`${line}.0.0`, now);
  if (days < WARN_DAYS)
    console.log(
      `::warning file=scripts/setup/node-lines.json::Node ${line}, which is shipped, has ` +
        `security fixes for ${days} more days.`,
    );
}
