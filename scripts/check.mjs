import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { prepare } from "./lib/prepare.mjs";
import { runChecks } from "./lib/run-checks.mjs";
import { runScript } from "./lib/run-script.mjs";
import { say } from "./lib/say.mjs";
import { SetupError } from "./lib/setup-error.mjs";
import { staticChecks } from "./lib/static-checks.mjs";

/** `npm run check`: everything that can be told without a database or a browser. */
await runScript(async () => {
  const root = fileURLToPath(new URL("..", import.meta.url));
  await prepare({ root, build: false });
  const unit = {
    title: "Unit tests (vitest)",
    args: [join(root, "node_modules/vitest/vitest.mjs"), "run", "--project", "unit", "--reporter=dot"],
  };
  const failed = await runChecks([...staticChecks(root), unit], { root });
  if (failed.length > 0) throw new SetupError(`Failed: ${failed.join(", ")}.`);
  say("All checks passed.");
});
