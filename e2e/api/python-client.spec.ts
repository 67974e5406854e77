import { readFileSync } from "node:fs";
import { mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { findPython, pythonDriver } from "../support/client-driver";
import { ROOT, runProgram, runWell } from "../support/client-package";
import { testClient } from "../support/client-test";
import { expect, test } from "../support/test";

const FOLDER = path.join(ROOT, "clients/python");

for (const kind of ["sync", "async"] as const) {
  testClient(`the Python client (${kind})`, async () => {
    const python = await findPython();
    return python === null ? null : pythonDriver(python, kind);
  });
}

function skip(description: string): void {
  test.info().annotations.push({ type: "skipped", description });
}

test("the Python client's own tests pass", async () => {
  const python = await findPython();
  if (python === null) return skip("there is no python3 (3.10 or newer) with httpx");
  const env = { PYTHONPATH: "src", PYTHONDONTWRITEBYTECODE: "1" };
  const { code, stderr } = await runProgram(python, ["-m", "unittest", "discover", "-s", "tests"], {
    cwd: FOLDER,
    env,
  });
  expect(stderr).toMatch(/^Ran \d\d tests/m);
  expect(code, stderr).toBe(0);
});

/**
 * The guide's Python as functions, each snippet one of its own: what it was given by those before
 * stands at the head.
 */
function guideModule(): string {
  const blocks = [
    ...readFileSync(path.join(ROOT, "docs/python.md"), "utf8").matchAll(
      /^```python\n(.*?)^```$/gms,
    ),
  ].map(([, code = ""]) => code);
  expect(blocks.length).toBeGreaterThan(4);
  const functions = blocks.map(
    (code, place) => `async def snippet_${place}() -> Any:\n${code.replace(/^(?=.)/gm, "    ")}`,
  );
  return `from typing import Any, Dict
from lathe_client import AsyncLathe, Lathe
lathe = Lathe()
agent_id = workspace_id = secret = ""
body, headers = b"", Dict[str, str]()
${functions.join("\n")}`;
}

test("the Python client's types are whole, by mypy, and the guide's snippets right", async () => {
  const python = await findPython();
  if (
    python === null ||
    (await runProgram(python, ["-c", "import mypy"], { cwd: FOLDER })).code !== 0
  )
    return skip("there is no python3 with httpx and mypy");
  const cache = ["--cache-dir", path.join(ROOT, ".cache/mypy")];
  await runWell(python, ["-m", "mypy", ...cache], { cwd: FOLDER });
  const folder = await mkdtemp(path.join(tmpdir(), "lathe-guide-"));
  try {
    await writeFile(path.join(folder, "guide.py"), guideModule());
    const env = { MYPYPATH: path.join(FOLDER, "src") };
    await runWell(
      python,
      [
        "-m",
        "mypy",
        ...cache,
        "--config-file",
        "",
        "--check-untyped-defs",
        "--allow-redefinition",
        path.join(folder, "guide.py"),
      ],
      { cwd: FOLDER, env },
    );
    await writeFile(
      path.join(folder, "wrong.py"),
      'from lathe_client import Lathe\nLathe().agents.get("x")["nmae"]\nLathe().runs.creat({})\n',
    );
    const wrong = await runProgram(
      python,
      ["-m", "mypy", ...cache, "--config-file", "", path.join(folder, "wrong.py")],
      {
        cwd: FOLDER,
        env,
      },
    );
    expect([wrong.code, wrong.stdout]).toEqual([
      1,
      expect.stringMatching(/nmae.*creat.*Found 2 errors/s),
    ]);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});

test("the Python client's wheel holds all of it, with types, and works with httpx alone", async ({
  account,
  serviceUrl,
}) => {
  const python = await findPython();
  if (
    python === null ||
    (await runProgram(python, ["-c", "import hatchling"], { cwd: FOLDER })).code !== 0
  )
    return skip("there is no python3 with httpx and hatchling");
  const target = await mkdtemp(path.join(tmpdir(), "lathe-wheel-"));
  try {
    await runWell(
      python,
      [
        "-m",
        "pip",
        "wheel",
        ".",
        "--no-deps",
        "--no-build-isolation",
        "--no-index",
        "-q",
        "-w",
        target,
      ],
      {
        cwd: FOLDER,
      },
    );
    const [wheel = ""] = await readdir(target);
    expect(wheel).toMatch(/^lathe_client-.*-py3-none-any\.whl$/);
    const program = `
import json, zipfile, sys
sys.path.insert(0, sys.argv[1])
import lathe_client as lathe
names = zipfile.ZipFile(sys.argv[1]).namelist()
print(json.dumps({"file": lathe.__file__, "typed": "lathe_client/py.typed" in names, "account": \
lathe.Lathe().account.get()["account_id"]}))`;
    const env = { LATHE_API_KEY: account.apiKey, LATHE_BASE_URL: serviceUrl, PYTHONPATH: "" };
    const said: unknown = JSON.parse(
      await runWell(python, ["-c", program, path.join(target, wheel)], { cwd: target, env }),
    );
    expect(said).toEqual({
      file: expect.stringContaining(wheel),
      typed: true,
      account: account.accountId,
    });
  } finally {
    await rm(target, { recursive: true, force: true });
  }
});
