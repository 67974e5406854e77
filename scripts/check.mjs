import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { runChecks, staticChecks } from "./checks/checks.mjs";
import { prepare } from "./setup/prepare.mjs";
import { print } from "./setup/progress.mjs";
import { runScript } from "./setup/run-script.mjs";
import { SetupError } from "./setup/setup-error.mjs";

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
  print("All checks passed.");
});
