import { expect, test, vi } from "vitest";
import { knownKeys } from "@/lib/domain/limits/request-budgets";
import type { Principal } from "@/lib/domain/principal";

vi.mock("@/lib/engine/events/event-hub", () => ({
  eventHub: () => ({ isListening: true, onPrincipalChanged: () => {} }),
}));

// Nothing else is read.
const principal = { accountId: "a1", agentId: null } as unknown as Principal;
const lease = () => ({ limit: 100, next: 2, last: 20, endsAt: performance.now() + 30_000 });
const find = (hash: string) => knownKeys().find(hash, "account", "read");

test("a key revoked between look-up and keeping is not kept: it is looked up again", () => {
  const seen = knownKeys().generation;
  knownKeys().forget("a1");
  knownKeys().keep("revoked", principal, "all", lease(), seen);
  expect(find("revoked")).toBeNull();
});

test("a key is kept where nothing was changed meanwhile, until something is", () => {
  knownKeys().keep("good", principal, "all", lease(), knownKeys().generation);
  expect(find("good")?.principal).toBe(principal);
  knownKeys().forget("another account");
  expect(find("good")).not.toBeNull();
  knownKeys().forget(null);
  expect(find("good")).toBeNull();
});
