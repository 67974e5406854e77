import { beforeEach, expect, test } from "vitest";
import { answerHealth, answerReady } from "@/lib/api/http/service-routes";
import { engineState } from "@/lib/engine/engine-state";
import { processSingleton } from "@/lib/platform/process-singleton";

/** Whether the database of this process answers. */
let isUp = true;
processSingleton("postgres", () => ({
  query: () =>
    isUp ? Promise.resolve({ rows: [] }) : Promise.reject(new Error("connect ECONNREFUSED")),
}));
beforeEach(() => {
  isUp = true;
  Object.assign(engineState(), { isAlive: () => true });
});

const ask = (answer: typeof answerHealth) => answer(new Request("http://localhost/"));

test.each([
  ["health", answerHealth, "ok", "down"],
  ["readiness", answerReady, "ready", "not_ready"],
] as const)(
  "%s is 200 while the database answers and 503 while it does not, never stored, with a request id",
  async (_, answer, good, bad) => {
    for (const [up, status, word] of [
      [true, 200, good],
      [false, 503, bad],
      [true, 200, good],
    ] as const) {
      isUp = up;
      const response = await ask(answer);
      expect([response.status, response.headers.get("cache-control")]).toEqual([
        status,
        "no-store",
      ]);
      expect(response.headers.get("x-request-id")).toMatch(/^[\w-]{8,}$/);
      expect(await response.json()).toMatchObject({ status: word });
    }
  },
);
