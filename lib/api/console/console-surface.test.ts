import { randomUUID } from "node:crypto";
import { expect, test, vi } from "vitest";
import { CONSOLE_OPERATIONS, consoleSurface } from "@/lib/api/console/console-surface";
import { type ApiSurface, dispatch } from "@/lib/api/http/dispatch";
import { V1_OPERATIONS } from "@/lib/api/v1/operations";
import type { Principal } from "@/lib/domain/principal";

const HOST = "localhost:3000";
const OWN = `http://${HOST}`;
// Everybody who gets this far is signed in, and may do everything: what is refused below is refused
// for its origin.
const ADMIN: Principal = {
  accountId: randomUUID(),
  agentId: null,
  via: "session",
  userId: randomUUID(),
  isAdmin: true,
  blocked: false,
  superAgentAccess: true,
  writePerHour: null,
};
const SURFACE: ApiSurface = {
  ...consoleSurface,
  authenticate: () => Promise.resolve({ principal: ADMIN, budget: null }),
};
const CHANGING = [...V1_OPERATIONS, ...CONSOLE_OPERATIONS].filter(({ method }) => method !== "GET");

/** What the operation answers to a request with this Origin, and how often its handler ran. */
async function sendTo(operation: (typeof CHANGING)[number], origin: string | null) {
  const handle = vi.spyOn(operation, "handle").mockResolvedValue({ status: 204 });
  const path = operation.path
    .replace(/^\/v1/, "/api/console/v1")
    .replace(/\{\w+\}/g, () => randomUUID());
  const headers = new Headers({
    host: HOST,
    "content-type": "application/json",
    ...(origin === null ? {} : { origin }),
  });
  const response = await dispatch(
    SURFACE,
    new Request(`${OWN}${path}`, { method: operation.method, headers, body: "{}" }),
  );
  const calls = handle.mock.calls.length;
  handle.mockRestore();
  return {
    status: response.status,
    calls,
    message: ((await response.json().catch(() => ({}))) as { message?: string }).message ?? "",
  };
}

test("the list of what changes something holds the console's operations and those of /v1", () => {
  const names = CHANGING.map(({ operationId }) => operationId);
  expect(names).toEqual(
    expect.arrayContaining(["signUp", "createKey", "updateAgent", "createRun", "deleteSecret"]),
  );
});

test.each(
  CHANGING.map((operation) => [`${operation.method} ${operation.path}`, operation] as const),
)("%s runs for the console's own pages alone", async (_name, operation) => {
  for (const origin of [
    null,
    "null",
    "https://localhost:3000",
    "http://localhost:3001",
    "http://evil.example",
    "http://evil.example:3000",
  ]) {
    const { status, calls, message } = await sendTo(operation, origin);
    expect({ origin, status, calls }).toEqual({ origin, status: 401, calls: 0 });
    expect(message).toMatch(/did not come from the console's own pages/);
  }
  expect((await sendTo(operation, OWN)).status).not.toBe(401);
});
