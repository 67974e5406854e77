import { execFile } from "node:child_process";
import { createServer } from "node:http";
import { promisify } from "node:util";
import { expect, test } from "vitest";

const run = promisify(execFile);

/** What the command says with a registry that answers these paths, and 404 to others. */
async function names(/** @type {Record<string, object>} */ answers) {
  const server = createServer((request, response) => {
    const answer = answers[decodeURIComponent(request.url ?? "")];
    response.writeHead(answer ? 200 : 404, { "content-type": "application/json" });
    response.end(JSON.stringify(answer ?? {}));
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", () => resolve(null)));
  const address = server.address();
  const base = `http://127.0.0.1:${typeof address === "object" ? address?.port : 0}`;
  try {
    const env = { ...process.env, NPM_REGISTRY: base, PYPI_ADDRESS: base };
    return await run(process.execPath, ["scripts/package-names.mjs"], { env });
  } finally {
    server.close();
  }
}

test("names that nobody has are free, and somebody else's are refused by name", async () => {
  const { stdout } = await names({});
  expect(stdout).toMatch(/npm @lathe\/client: free\nPyPI lathe-client, import lathe_client: free/);
  const ours = { info: { summary: PYTHON_SUMMARY } };
  expect((await names({ "/lathe-client/json": ours })).stdout).toContain(
    "import lathe_client: our",
  );
  await expect(names({ "/@lathe/client": { description: "Turns wood." } })).rejects.toMatchObject({
    stderr: expect.stringContaining("Taken by somebody else: npm @lathe/client."),
  });
});

const PYTHON_SUMMARY =
  "The client of the Lathe API for Python: typed, for threads and for asyncio.";
