import { execFileSync } from "node:child_process";
import { transformSync } from "esbuild";
import { describe, expect, it } from "vitest";
import type { ExampleCall } from "@/lib/console/reference/api-document";
import { codeSamples } from "@/lib/console/reference/code-samples";

const HOSTILE = {
  request: `it's "quoted" $HOME \`id\` \\ back\nline 🙂 ${"$"}{x}`,
  deep: [true, null, { n: 1.5 }],
  empty: {},
  none: [],
};
const CALL: ExampleCall = {
  operationId: "createRun",
  method: "POST",
  path: "/v1/runs",
  places: {},
  headers: {},
  body: { kind: "json", value: HOSTILE },
  answer: "json",
  isList: false,
  key: "account",
  baseUrl: "http://127.0.0.1:1",
};

/** Runs the TypeScript with a client of which only the creation of runs is there. */
async function runTypescript(code: string) {
  const seen: { options?: object; body?: unknown } = {};
  const createClient = (options: object) => {
    seen.options = options;
    return { runs: { create: async (body: unknown) => Object.assign(seen, { body }) } };
  };
  const { code: script } = transformSync(
    `export {};\n(async () => {${code.replace(/^import .*$/m, "")}})();`,
    {
      loader: "ts",
      format: "cjs",
    },
  );
  await new Function(
    "createClient",
    "console",
    "process",
    "module",
    `return ${script.slice(script.indexOf("(async"))}`,
  )(createClient, { log: () => undefined }, { env: { LATHE_API_KEY: "svc_sk_1" } }, {});
  return seen;
}

describe("code to copy", () => {
  it("says to a shell exactly the body, whatever is in it", () => {
    const script = `curl() { for last; do :; done; printf %s "$last"; }\n${codeSamples(CALL).curl}`;
    expect(JSON.parse(execFileSync("sh", ["-c", script], { encoding: "utf8" }))).toEqual(HOSTILE);
  });

  it("is a program in TypeScript that sends the body and the environment's key", async () => {
    expect(await runTypescript(codeSamples(CALL).typescript)).toEqual({
      options: { apiKey: "svc_sk_1", baseUrl: "http://127.0.0.1:1" },
      body: HOSTILE,
    });
  });

  it("writes Python's own words for true, false and null", () => {
    const code = codeSamples({
      ...CALL,
      body: { kind: "json", value: { a: true, b: false, c: null, d: "true" } },
    }).python;
    expect(code).toContain('"a": True,');
    expect(code).toContain('"b": False,');
    expect(code).toContain('"c": None,');
    expect(code).toContain('"d": "true",');
  });

  it("carries the key that was just made in place of the environment's", async () => {
    const samples = codeSamples({ ...CALL, apiKey: "svc_sk_abc" });
    expect(samples.curl).toContain("Bearer svc_sk_abc");
    expect(samples.python).toContain("Bearer svc_sk_abc");
    expect(await runTypescript(samples.typescript)).toMatchObject({
      options: { apiKey: "svc_sk_abc" },
    });
    for (const code of Object.values(samples)) expect(code).not.toContain("LATHE_API_KEY");
  });

  it("reads lines where the answer is a stream", () => {
    const samples = codeSamples({
      ...CALL,
      operationId: "createRealtimeRun",
      path: "/v1/realtime/runs",
      answer: "lines",
    });
    expect(samples.curl).toContain(" -N ");
    expect(samples.python).toContain("for line in response:");
    expect(samples.typescript).toContain("for await (const event of events)");
  });
});
