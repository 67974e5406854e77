import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { createServer, type IncomingHttpHeaders } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, test } from "vitest";
import {
  NO_PAGE_POLICY,
  NONCE_HEADER,
  securityStamp,
  stampSecurityHeaders,
} from "@/lib/api/http/security-headers";
import { withService } from "@/lib/platform/test/test-service";

/** What is stamped on the answer to a request of `url`, and what the page's renderer reads. */
function stamped(
  url: string,
  {
    https = false,
    development = false,
    headers = {},
  }: { https?: boolean; development?: boolean; headers?: IncomingHttpHeaders } = {},
) {
  const answer = new Map<string, string>();
  const request = { url, headers };
  securityStamp({ https, development })(request, {
    setHeader: (name: string, value: unknown) =>
      answer.set(name.toLowerCase(), String(value)) as never, // the real one returns the response
  });
  const policy = answer.get("content-security-policy") ?? "";
  return {
    answer,
    policy,
    request,
    directives: new Map(
      policy.split("; ").map((part) => [part.split(" ")[0], part.split(" ").slice(1)]),
    ),
  };
}

const nonceOf = (policy: string) => /'nonce-([^']+)'/.exec(policy)?.[1];

test.each([
  "/",
  "/sign-in?callbackUrl=%2F",
  "/agents/x?tab=api",
  "/v10",
  "/api",
  "/apis",
  "/nowhere",
  "//v1/agents",
  "*",
])(
  "the page %s may run and load only what has its nonce or is its own, and cannot be framed",
  (path) => {
    const { policy, directives } = stamped(path);
    const nonce = `'nonce-${nonceOf(policy)}'`;
    expect(directives.get("default-src")).toEqual(["'none'"]);
    expect(directives.get("script-src")).toEqual(["'self'", nonce, "'strict-dynamic'"]);
    expect(directives.get("style-src")).toEqual([
      "'self'",
      nonce,
      expect.stringMatching(/^'sha256-/),
      expect.stringMatching(/^'sha256-/),
    ]);
    expect(directives.get("base-uri")).toEqual(["'none'"]);
    expect(directives.get("form-action")).toEqual(["'self'"]);
    expect(directives.get("frame-ancestors")).toEqual(["'none'"]);
    expect(policy).not.toMatch(/unsafe-eval|https?:|\*/);
  },
);

test.each([
  "/v1",
  "/v1/agents",
  "/v1?x",
  "/api/v1/apps/x/runs",
  "/api/console/v1/agents",
  "/api/auth/csrf",
  "/api/artifacts/x",
  "/_next/static/x.js",
])("%s is no page: nothing runs or loads in it", (path) => {
  expect(stamped(path).policy).toBe("sandbox; default-src 'none'; frame-ancestors 'none'");
});

test("each request of a page has a nonce of 128 random bits, told its renderer", () => {
  const nonces = Array.from({ length: 100 }, () => {
    const { policy, request } = stamped("/agents");
    expect(request.headers[NONCE_HEADER]).toBe(nonceOf(policy));
    expect(request.headers["content-security-policy"]).toBe(policy);
    return nonceOf(policy);
  });
  expect(new Set(nonces).size).toBe(100);
  expect(Buffer.from(nonces[0] ?? "", "base64")).toHaveLength(16);
});

test.each(["/agents", "/api/console/profile"])(
  "a nonce or a policy that a client sends with %s is not believed",
  (path) => {
    const mine = "script-src 'nonce-bWluZQ=='";
    const { request, policy } = stamped(path, {
      headers: {
        [NONCE_HEADER]: "bWluZQ==",
        "content-security-policy": mine,
        "content-security-policy-report-only": mine,
      },
    });
    expect(request.headers[NONCE_HEADER]).not.toBe("bWluZQ==");
    expect(request.headers["content-security-policy"]).toBe(policy);
    expect(JSON.stringify(request.headers)).not.toContain("bWluZQ==");
  },
);

test.each([
  "/",
  "/v1/agents",
  "/api/console/profile",
  "/api/auth/csrf",
  "/api/artifacts/x",
  "/_next/static/x.js",
  "/nowhere",
])("every answer says how browsers are to treat it: %s", (path) => {
  expect(Object.fromEntries(stamped(path).answer)).toMatchObject({
    "x-content-type-options": "nosniff",
    "referrer-policy": "strict-origin-when-cross-origin",
    "x-frame-options": "DENY",
    "permissions-policy": expect.stringContaining("camera=()"),
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": path.startsWith("/api/artifacts/")
      ? "cross-origin"
      : "same-origin",
  });
});

test("https is demanded for two years where the service is reached by it only", () => {
  expect(stamped("/v1/agents", { https: true }).answer.get("strict-transport-security")).toBe(
    "max-age=63072000",
  );
  expect(stamped("/v1/agents").answer.has("strict-transport-security")).toBe(false);
});

test("only the development server may evaluate code", () => {
  expect(stamped("/", { development: true }).policy).toContain("'unsafe-eval'");
});

test("the one style sheet let in by hash is the toasts' package's, empty at first", () => {
  const source = readFileSync("node_modules/sonner/dist/index.mjs", "utf8");
  const sheets = [...source.matchAll(/^__insertCSS\(("(?:[^"\\]|\\.)*")\);/gm)].map(
    ([, text]) => JSON.parse(text ?? '""') as string,
  ); // a literal of the package's own code
  const hashes = ["", ...sheets].map(
    (sheet) => `'sha256-${createHash("sha256").update(sheet).digest("base64")}'`,
  );
  expect(
    stamped("/")
      .directives.get("style-src")
      ?.filter((source) => source.startsWith("'sha256-")),
  ).toEqual(hashes);
});

test("every server's answers carry them, and https where that is public", () =>
  withService({ PUBLIC_URL: "https://lathe.example" }, async () => {
    stampSecurityHeaders();
    const server = createServer((request, response) => response.end(request.headers[NONCE_HEADER]));
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const { port } = server.address() as AddressInfo; // it listens on a port
    const page = await fetch(`http://127.0.0.1:${port}/agents`, {
      headers: { [NONCE_HEADER]: "mine" },
    });
    const nonce = await page.text();
    expect(nonce).not.toBe("mine");
    expect(page.headers.get("content-security-policy")).toContain(`'nonce-${nonce}'`);
    expect(page.headers.get("strict-transport-security")).toMatch(/^max-age=\d+$/);
    const other = await fetch(`http://127.0.0.1:${port}/v1/agents`);
    expect(other.headers.get("content-security-policy")).toBe(NO_PAGE_POLICY);
    await other.text();
    await new Promise((resolve) => server.close(resolve));
  }));
