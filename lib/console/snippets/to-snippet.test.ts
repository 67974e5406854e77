import { execFileSync } from "node:child_process";
import { describe, expect, it } from "vitest";
import type { SnippetCall } from "@/lib/console/snippets/snippet";
import { toSnippet } from "@/lib/console/snippets/to-snippet";

const HOSTILE = { request: `it's "quoted" $HOME \`id\` \\ back\nline 🙂 ${"$"}{x}`, deep: [true, null, { n: 1.5 }], empty: {}, none: [] };
const CALL: SnippetCall = { method: "POST", path: "/v1/runs", body: HOSTILE, baseUrl: "http://127.0.0.1:1", apiKey: null };

describe("code to copy", () => {
  it("says to a shell exactly the body, whatever is in it", () => {
    const script = `curl() { for last; do :; done; printf %s "$last"; }\n${toSnippet("curl", CALL)}`;
    expect(JSON.parse(execFileSync("sh", ["-c", script], { encoding: "utf8" }))).toEqual(HOSTILE);
  });

  it("is a program in TypeScript that sends exactly the body and the key of the environment", async () => {
    const run = new Function("fetch", "console", "process", `return (async () => {${toSnippet("typescript", CALL)}})()`);
    let sent: { url: string; init: RequestInit } | undefined;
    const fetchStub = async (url: string, init: RequestInit) => {
      sent = { url, init };
      return Response.json({});
    };
    await run(fetchStub, { log: () => undefined }, { env: { LATHE_API_KEY: "svc_sk_1" } });
    expect(sent?.url).toBe("http://127.0.0.1:1/v1/runs");
    expect(JSON.parse(String(sent?.init.body))).toEqual(HOSTILE);
    expect(sent?.init.headers).toMatchObject({ Authorization: "Bearer svc_sk_1" });
  });

  it("writes Python's own words for true, false and null", () => {
    const code = toSnippet("python", { ...CALL, body: { a: true, b: false, c: null, d: "true" } });
    expect(code).toContain('"a": True,');
    expect(code).toContain('"b": False,');
    expect(code).toContain('"c": None,');
    expect(code).toContain('"d": "true",');
  });

  it("carries the key that was just made, and reads lines where the answer is a stream", () => {
    const call = { ...CALL, apiKey: "svc_sk_abc", stream: true };
    for (const language of ["curl", "typescript", "python"] as const) expect(toSnippet(language, call)).toContain("Bearer svc_sk_abc");
    expect(toSnippet("curl", call)).toContain("curl -N ");
    expect(toSnippet("python", call)).toContain("iter_lines");
  });
});
