import { afterAll, beforeAll, expect, test } from "vitest";
import { answerMetrics } from "@/lib/api/http/service-routes";
import { answerMcp } from "@/lib/api/mcp/answer-mcp";
import { answerResourceMetadata } from "@/lib/api/mcp/resource-metadata";
import { createApiKey } from "@/lib/platform/crypto/api-key";
import { createMetrics } from "@/lib/platform/metrics/create-metrics";
import { setMetrics } from "@/lib/platform/metrics/metrics";
import { testService } from "@/lib/platform/test/test-service";

testService({
  API_BASE_HOST: "api.example.test",
  APP_BASE_HOST: "apps.example.test",
  PUBLIC_URL: "https://lathe.example.test",
  METRICS_TOKEN: "t",
});
beforeAll(() => setMetrics(createMetrics()));
afterAll(() => setMetrics(null));

const ask = (
  answer: (request: Request) => Promise<Response>,
  host: string,
  init: RequestInit = {},
) =>
  answer(new Request(`http://${host}/`, { ...init, headers: { ...init.headers, host } })).then(
    ({ status }) => status,
  );

test("metrics are on no public host, however spelled, and else for the token", async () => {
  for (const host of [
    "api.example.test",
    "API.example.test:443",
    "apps.example.test.",
    "lathe.example.test",
    "lathe.example.test:8443",
  ])
    expect(await ask(answerMetrics, host, { headers: { authorization: "Bearer t" } }), host).toBe(
      404,
    );
  for (const host of ["10.0.0.11:3000", "localhost:3000", "lathe.monitoring.svc"])
    expect(await ask(answerMetrics, host), host).toBe(401);
});

test("agents as tools are on the host of the key's own surface, and on no other", async () => {
  const status = (host: string, key: string, method = "POST") => {
    const headers = { authorization: `Bearer ${key}`, "content-type": "application/json" };
    return ask(answerMcp, host, { method, headers, ...(method === "POST" && { body: "[]" }) });
  };
  for (const [host, account, app] of [
    // Where the kind of key is taken, the body is read, which is none of the protocol's.
    ["api.example.test", 400, 404],
    ["apps.example.test", 404, 400],
    ["lathe.example.test", 404, 404],
    ["localhost:3000", 404, 404],
  ] as const) {
    expect(await status(host, KEYS.account), host).toBe(account);
    expect(await status(host, KEYS.app), host).toBe(app);
  }
  expect(await status("lathe.example.test", "none", "GET")).toBe(404);
  expect(await status("api.example.test", "none", "GET")).toBe(405);
  expect(await status("api.example.test", "none")).toBe(401);
});

const KEYS = { account: createApiKey("account"), app: createApiKey("app") };

test("the metadata name each surface by its host, under the public scheme", async () => {
  const metadata = async (host: string) => {
    const url = `http://${host}/.well-known/oauth-protected-resource/mcp`;
    const response = await answerResourceMetadata(new Request(url, { headers: { host } }));
    return response.ok
      ? ((await response.json()) as { resource: string }).resource
      : response.status;
  };
  expect(await metadata("api.example.test")).toBe("https://api.example.test/mcp");
  expect(await metadata("apps.example.test")).toBe("https://apps.example.test/mcp");
  expect(await metadata("lathe.example.test")).toBe(404);
  const headers = { host: "api.example.test" };
  const refused = await answerMcp(
    new Request("http://api.example.test/mcp", { method: "POST", headers }),
  );
  expect(refused.headers.get("www-authenticate")).toBe(
    'Bearer resource_metadata="https://api.example.test/.well-known/oauth-protected-resource/mcp"',
  );
});
