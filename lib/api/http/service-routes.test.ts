import type pg from "pg";
import { beforeEach, expect, test } from "vitest";
import { answerHealth, answerReady } from "@/lib/api/http/service-routes";
import { ReadinessCheck, readinessCheck } from "@/lib/domain/readiness";
import { engineState } from "@/lib/engine/engine-state";
import { testService } from "@/lib/platform/test/test-service";

/** Whether the database of this process answers, and how often it was asked. */
let isUp = true;
let asked = 0;
let now = 0;
const database = {
  query: () => {
    asked += 1;
    return isUp ? Promise.resolve({ rows: [] }) : Promise.reject(new Error("connect ECONNREFUSED"));
  },
} as unknown as pg.Pool; // of a pool only `query` is asked
testService().give(readinessCheck, new ReadinessCheck({ database, now: () => now }));
beforeEach(() => {
  isUp = true;
  Object.assign(engineState(), { isAlive: () => true });
});

const request = () => new Request("http://localhost/");

function expectHeaders(response: Response): void {
  expect(response.headers.get("cache-control")).toBe("no-store");
  expect(response.headers.get("x-request-id")).toMatch(/^[\w-]{8,}$/);
}

test("readiness is 200 while the database answers, else 503, never stored", async () => {
  for (const [up, status, word] of [
    [true, 200, "ready"],
    [false, 503, "not_ready"],
    [true, 200, "ready"],
  ] as const) {
    isUp = up;
    now += 2_000;
    const response = await answerReady(request());
    expectHeaders(response);
    expect([response.status, await response.json()]).toEqual([
      status,
      expect.objectContaining({ status: word }),
    ]);
  }
});

test("health is 200 whatever the neighbours do, and says how they were seen", async () => {
  isUp = false;
  Object.assign(engineState(), { isAlive: () => false });
  now += 2_000;
  await answerReady(request());
  asked = 0;
  const response = answerHealth(request());
  expectHeaders(response);
  expect([response.status, await response.json(), asked]).toEqual([
    200,
    { status: "ok", database: "down", engine: "down" },
    0,
  ]);
});
