import "./setup/on-supported-node.mjs";

import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { runScript } from "./setup/run-script.mjs";
import { SetupError } from "./setup/setup-error.mjs";

const PYTHON = process.env.E2E_PYTHON || "python3";

/**
 * `npm run test:python`: the tests of the Python client and of the examples in Python. `npm test`
 * has them too where there is a Python for them; this command says what is missing instead of
 * leaving them out.
 */
await runScript(async () => {
  requirePython();
  const args = ["scripts/test.mjs", "e2e/api/python-client.spec.ts", "e2e/api/examples.spec.ts"];
  const { status } = spawnSync(process.execPath, args, {
    cwd: fileURLToPath(new URL("..", import.meta.url)),
    stdio: "inherit",
  });
  process.exitCode = status ?? 1;
});

function requirePython() {
  const { status, error } = spawnSync(
    PYTHON,
    ["-c", "import sys, httpx; sys.exit(2 if sys.version_info < (3, 10) else 0)"],
    {
      stdio: "ignore",
    },
  );
  if (error)
    throw new SetupError(
      `There is no ${PYTHON}. The Python client needs Python 3.10 or newer; E2E_PYTHON names one ` +
        "that is elsewhere.",
    );
  if (status === 2)
    throw new SetupError(
      `${PYTHON} is too old: the Python client needs 3.10 or newer. E2E_PYTHON names another one.`,
    );
  if (status !== 0)
    throw new SetupError(
      `${PYTHON} has no httpx. In an environment of its own: python3 -m venv .cache/python && ` +
        ".cache/python/bin/pip install httpx hatchling, then E2E_PYTHON=.cache/python/bin/python " +
        "npm run test:python",
    );
}
