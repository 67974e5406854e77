import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { createAccount, type TestAccount } from "../support/accounts";
import { ApiClient } from "../support/api-client";
import { expectError } from "../support/expect-answers";
import { freePort } from "../support/servers";
import { type Service, startService } from "../support/start-service";
import { test as base, expect } from "../support/test";
import { until } from "../support/until";

// A service that tells what it does, as the suite's own does not.
const test = base.extend<object, { told: { service: Service; account: TestAccount } }>({
  told: [
    async ({ modelUrl }, use) => {
      const folder = await mkdtemp(path.join(tmpdir(), "lathe-told-"));
      const dataDir = path.join(folder, "data");
      const environment = { METRICS_TOKEN: "scrape-me", LOG_LEVEL: "info" };
      const service = await startService({
        port: await freePort(),
        dataDir,
        modelUrl,
        logFile: `${folder}.log`,
        environment,
      });
      await use({
        service,
        account: await createAccount(service.baseUrl, {}, { DATA_DIR: dataDir }),
      });
      await service.stop();
      await rm(folder, { recursive: true, force: true });
    },
    { scope: "worker", timeout: 600_000 },
  ],
});

// One service for all of them.
test.describe.configure({ mode: "default" });

/** The line of the log of the request that has this id. */
async function lineOf(service: Service, id: string): Promise<Record<string, unknown>> {
  let found: Record<string, unknown> | undefined;
  await until(`the log's line of ${id}`, async () => {
    const lines = (await readFile(service.logFile, "utf8"))
      .split("\n")
      .filter((line) => line.includes(`"request_id":"${id}"`));
    found = lines.map((line) => JSON.parse(line)).find(({ msg }) => msg === "request");
    return found !== undefined;
  });
  return found ?? {};
}

test("a request is a log's line, with id, account, status and time, without a secret", async ({
  told,
}) => {
  const { service, account } = told;
  const answer = await account.api.get("/v1/runs?limit=1&metadata[order]=secret-of-a-customer", {
    headers: { "x-request-id": "order-4711" },
  });
  expect([answer.status, answer.header("x-request-id")]).toEqual([200, "order-4711"]);
  const line = await lineOf(service, "order-4711");
  expect(line).toMatchObject({
    level: 30,
    method: "GET",
    path: "/v1/runs",
    kind: "api",
    status: 200,
    account_id: expect.any(String),
  });
  expect([typeof line.duration_ms, typeof line.bytes]).toEqual(["number", "number"]);
  expect(JSON.stringify(line)).not.toMatch(/secret-of-a-customer|Bearer|api_/);
  const anonymous = new ApiClient(service.baseUrl, null);
  expectError(
    await anonymous.get("/v1/runs", { headers: { "x-request-id": "nobody" } }),
    401,
    "AUTHENTICATION_REQUIRED",
  );
  expect(await lineOf(service, "nobody")).toMatchObject({ status: 401, account_id: null });
});

test("every answer carries the id of its request: the client's plain one, else a new one", async ({
  api,
  anonymous,
}) => {
  const paths = [
    "/v1/runs",
    "/v1/nothing",
    "/api/health",
    "/api/ready",
    "/api/console/v1/runs",
    "/api/auth/csrf",
    "/sign-in",
    "/metrics",
  ];
  for (const path of paths) {
    expect([
      path,
      (await anonymous.get(path, { headers: { "x-request-id": "a.b_C-1" } })).header(
        "x-request-id",
      ),
    ]).toEqual([path, "a.b_C-1"]);
    for (const bad of ["a b", "x".repeat(129), "a;b"])
      expect(
        (await api.get(path, { headers: { "x-request-id": bad } })).header("x-request-id"),
      ).toMatch(/^[0-9a-f-]{36}$/);
  }
});

test("the service is ready while its database takes writes, its engine is registered", async ({
  anonymous,
}) => {
  const answer = await anonymous.get("/api/ready");
  expect(answer.status).toBe(200);
  expect(JSON.parse(answer.text)).toEqual({
    status: "ready",
    checks: { database: "ok", engine: "ok", registration: "ok", lanes: "ok" },
  });
  expect(answer.header("cache-control")).toBe("no-store");
});

test("metrics are for the operator's token; where there is none nobody learns of them", async ({
  told,
  api,
}) => {
  expectError(await api.get("/metrics"), 404, "NOT_FOUND");
  const { service, account } = told;
  for (const key of [null, "made-up", account.api.key])
    expectError(
      await new ApiClient(service.baseUrl, key).get("/metrics"),
      401,
      "AUTHENTICATION_REQUIRED",
    );
  const answer = await new ApiClient(service.baseUrl, "scrape-me").get("/metrics");
  expect([answer.status, answer.header("content-type")]).toEqual([
    200,
    "text/plain; version=0.0.4; charset=utf-8",
  ]);
  for (const name of [
    "lathe_runs",
    "lathe_run_oldest_pending_seconds",
    "lathe_queue_depth",
    "lathe_deliveries_pending",
  ])
    expect(answer.text).toMatch(new RegExp(`^${name}(\\{.*\\})? \\d`, "m"));
  expect(answer.text).toContain(
    'lathe_http_request_duration_seconds_count{kind="route",method="GET",status="4xx"}',
  );
  expect(answer.text).toMatch(/^lathe_event_loop_delay_seconds\{quantile="0\.99"\} \d/m);
  expect(answer.text).not.toMatch(/[0-9a-f]{8}-[0-9a-f]{4}-7/);
});
