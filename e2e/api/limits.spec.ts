import { randomUUID } from "node:crypto";
import { z } from "zod";
import { admin } from "../support/admin";
import { ApiClient, type ApiResponse } from "../support/api-client";
import { expectError } from "../support/expect-answers";
import { expect, test } from "../support/test";

function countOf(responses: ApiResponse[], status: number): number {
  return responses.filter((response) => response.status === status).length;
}

test("of 100 requests at once against the default budget exactly 30 are let through", async ({
  newAccount,
}) => {
  // The minute begins with the account's first request.
  const { api } = await newAccount({ defaultLimits: true });
  const answers = await Promise.all(
    Array.from({ length: 100 }, () => api.get("/v1/account/usage")),
  );
  expect([countOf(answers, 200), countOf(answers, 429)]).toEqual([30, 70]);
  for (const answer of answers.filter((each) => each.status === 429)) {
    expectError(answer, 429, "RATE_LIMITED");
    const wait = z.coerce.number().int().parse(answer.header("retry-after"));
    expect(wait).toBeGreaterThanOrEqual(1);
    expect(wait).toBeLessThanOrEqual(60);
    expect(answer.header("x-ratelimit-remaining")).toBe("0");
  }
  const left = answers
    .filter((each) => each.status === 200)
    .map((each) => Number(each.header("x-ratelimit-remaining")));
  expect(left.sort((a, b) => b - a)).toEqual(Array.from({ length: 30 }, (_, index) => 29 - index));
  expect(answers[0]?.header("x-ratelimit-limit")).toBe("30");
  expect(answers[0]?.header("ratelimit-policy")).toContain("q=30");
});

test("by default reading and starting runs share one budget, and a refused start no run", async ({
  newAccount,
}) => {
  const { api } = await newAccount({ defaultLimits: true });
  expect((await api.get("/v1/runs")).as("RunPage").data).toEqual([]);
  const starts = await Promise.all(
    Array.from({ length: 40 }, () => api.post("/v1/runs", { input: {} })),
  );
  expect([countOf(starts, 202), countOf(starts, 429)]).toEqual([29, 11]);
});

test("an override gives starts their own budget, exact in parallel, and no run", async ({
  newAccount,
}) => {
  const { api } = await newAccount({ runsPerMinute: 5, readPerMinute: 1000 });
  const paths = ["/v1/runs", "/v1/realtime/runs"];
  const starts = await Promise.all(
    Array.from({ length: 30 }, (_, index) => api.post(paths[index % 2] ?? "", { input: {} })),
  );
  const reads = await Promise.all(Array.from({ length: 20 }, () => api.get("/v1/runs")));
  expect(countOf(starts, 429)).toBe(25);
  expect(countOf(reads, 200)).toBe(20);
  const last = reads.at(-1);
  expect(last?.as("RunPage").data).toHaveLength(5);
  expect(starts[0]?.header("x-ratelimit-limit")).toBe("5");
  expect(last?.header("x-ratelimit-limit")).toBe("1000");
});

test("an override of the reading budget does not touch the budget of runs", async ({
  newAccount,
}) => {
  const { api } = await newAccount({ readPerMinute: 3, runsPerMinute: 50 });
  const reads = await Promise.all(Array.from({ length: 10 }, () => api.get("/v1/workspaces")));
  const starts = await Promise.all(
    Array.from({ length: 5 }, () => api.post("/v1/runs", { input: {} })),
  );
  expect(countOf(reads, 200)).toBe(3);
  expect(countOf(starts, 202)).toBe(5);
});

test("the hourly write cap is exact in parallel, says when it ends, creates no more", async ({
  newAccount,
}) => {
  const { api } = await newAccount({ writePerHour: 4 });
  expectError(await api.post("/v1/workspaces", { surprise: 1 }), 400, "INVALID_INPUT");
  const writes = await Promise.all(
    Array.from({ length: 20 }, (_, index) => api.post("/v1/workspaces", { name: `w${index}` })),
  );
  expect([countOf(writes, 201), countOf(writes, 429)]).toEqual([4, 16]);
  for (const answer of writes.filter((each) => each.status === 429)) {
    expectError(answer, 429, "RATE_LIMITED");
    const body = answer.fitting(z.looseObject({ retryAfterSeconds: z.int().min(1).max(3600) }));
    expect(answer.header("retry-after")).toBe(String(body.retryAfterSeconds));
  }
  expect((await api.get("/v1/workspaces")).as("WorkspacePage").data).toHaveLength(4);
  expectError(await api.post("/v1/agents", { input: "An agent." }), 429, "RATE_LIMITED");
  expect((await api.get("/v1/runs")).as("RunPage").data).toEqual([]);
  expect((await api.post("/v1/runs", { input: {} })).status).toBe(202);
});

test("the default hourly cap is 30 writes", async ({ newAccount }) => {
  const { api } = await newAccount({ defaultLimits: true, readPerMinute: 1000 });
  const writes = await Promise.all(
    Array.from({ length: 33 }, (_, index) => api.post("/v1/workspaces", { name: `w${index}` })),
  );
  expect([countOf(writes, 201), countOf(writes, 429)]).toEqual([30, 3]);
});

test("a start that a limit refused stores no idempotency key", async ({ newAccount }) => {
  const { api } = await newAccount({ writePerHour: 1 });
  const headers = { "idempotency-key": randomUUID() };
  expect((await api.post("/v1/workspaces", { name: "the hour's one write" })).status).toBe(201);
  for (const input of ["One agent.", "Another agent."])
    expectError(await api.post("/v1/agents", { input }, { headers }), 429, "RATE_LIMITED");
});

test("the keys of one account share its budget, and another account has its own", async ({
  newAccount,
  serviceUrl,
}) => {
  const budget = { readPerMinute: 10, runsPerMinute: 100 };
  const [account, stranger] = [await newAccount(budget), await newAccount(budget)];
  const { api_key } = await admin(["key", "create", "--email", account.email]);
  const clients = [account.api, new ApiClient(serviceUrl, String(api_key)), stranger.api];
  const [first, second, other] = await Promise.all(
    clients.map((client) =>
      Promise.all(Array.from({ length: 10 }, () => client.get("/v1/workspaces"))),
    ),
  );
  expect(countOf([...(first ?? []), ...(second ?? [])], 200)).toBe(10);
  expect(countOf(other ?? [], 200)).toBe(10);
});
