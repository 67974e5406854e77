import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, beforeEach, expect, test, vi } from "vitest";
import { listModels, models } from "@/lib/domain/models/models";
import {
  isGone,
  recallVendorLists,
  refreshVendorLists,
  successorOf,
} from "@/lib/domain/models/vendor-lists";
import { type DomainDatabase, openDomainDatabase } from "@/lib/domain/test/domain-database";
import { insertTestAgent } from "@/lib/domain/test/insert-test-agent";
import { log } from "@/lib/platform/log";

const state = { names: [] as string[], status: 200, asked: 0 };
const server = createServer((_request, response) => {
  state.asked += 1;
  response.writeHead(state.status, { "content-type": "application/json" });
  response.end(JSON.stringify({ data: state.names.map((id) => ({ id })) }));
});
await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
const vendor = { state, close: () => server.close() };

let database: DomainDatabase;
let warned: { facts: Record<string, unknown>; message: string }[];

beforeAll(async () => {
  database = await openDomainDatabase({
    env: {
      ANTHROPIC_API_KEY: "k",
      // Listens on TCP.
      ANTHROPIC_BASE_URL: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
      LOG_LEVEL: "warn",
    },
  });
});
beforeEach(() => {
  vendor.state.status = 200;
  warned = [];
  vi.spyOn(log, "warn").mockImplementation((facts: unknown, message?: string) => {
    // What the code under test logs.
    warned.push({ facts: facts as Record<string, unknown>, message: message ?? "" });
  });
});
afterAll(async () => {
  vendor.close();
  await database.close();
});

test("what a vendor listed last stands while it does not answer, over a start too", async () => {
  vendor.state.names = ["claude-sonnet-5-5", "claude-nova-9"];
  await refreshVendorLists();
  expect(models().find("anthropic/claude-nova-9")?.switched_on).toBe(true);
  models().learn("anthropic", []);
  vendor.state.status = 500;
  await refreshVendorLists();
  expect(models().find("anthropic/claude-nova-9")).toBeNull();
  await recallVendorLists();
  expect(models().find("anthropic/claude-nova-9")?.switched_on).toBe(true);
});

test("a model is gone when its vendor's list, asked anew once, does not show it", async () => {
  vi.setSystemTime(Date.now() + 3_600_000);
  vendor.state.names = ["claude-opus-5-5", "claude-haiku-4-5-20251001"];
  const before = vendor.state.asked;
  const ids = ["claude-sonnet-4-5", "claude-haiku-4-5", "claude-opus-5-5", "claude-nova-9"].map(
    (name) => `anthropic/${name}`,
  );
  expect(await Promise.all(ids.map(isGone))).toEqual([true, false, false, true]);
  expect(vendor.state.asked - before).toBe(1);
  expect(await isGone("openai/gpt-5")).toBe(false); // not switched on, so nobody is asked
  vi.useRealTimers();
});

test("where the vendor does not say, the announced day decides", async () => {
  models().learn("anthropic", [{ ...NAMED, name: "claude-sonnet-4-5" }]);
  vendor.state.status = 503;
  vi.setSystemTime(new Date("2026-11-29T12:00:00Z"));
  expect(await isGone("anthropic/claude-sonnet-4-5")).toBe(false);
  vi.setSystemTime(new Date("2026-11-30T12:00:00Z"));
  expect(await isGone("anthropic/claude-sonnet-4-5")).toBe(true);
  vi.useRealTimers();
});

test("a model's successor is its vendor's, then its family's newest served, then any", async () => {
  models().learn("anthropic", [
    { ...NAMED, name: "claude-sonnet-5-5" },
    { ...NAMED, name: "claude-haiku-5-5" },
  ]);
  expect(successorOf("anthropic/claude-sonnet-4-5")).toBe("anthropic/claude-sonnet-5-5");
  models().learn("anthropic", [
    { ...NAMED, name: "claude-sonnet-5" },
    { ...NAMED, name: "claude-haiku-5-5" },
  ]);
  expect(successorOf("anthropic/claude-sonnet-4-5")).toBe("anthropic/claude-sonnet-5");
  models().learn("anthropic", [{ ...NAMED, name: "claude-haiku-5-5" }]);
  expect(successorOf("anthropic/claude-sonnet-4-5")).toBe("anthropic/claude-haiku-5-5");
});

test("the log says which used models end within sixty days, once, with their agents", async () => {
  const owner = await database.account();
  const config = { version: 1 as const, model: "anthropic/claude-sonnet-4-5" };
  for (let count = 0; count < 2; count += 1) await insertTestAgent(owner, { config });
  vendor.state.names = [
    "claude-sonnet-4-5",
    "claude-sonnet-5-5",
    "claude-opus-5-5",
    "claude-haiku-5-5",
  ];
  vi.setSystemTime(new Date("2026-11-01T00:00:00Z"));
  await refreshVendorLists();
  vi.useRealTimers();
  expect(warned).toEqual([
    {
      message: "this model ends soon",
      facts: {
        model: "anthropic/claude-sonnet-4-5",
        retires: "2026-11-30",
        successor: "anthropic/claude-sonnet-5-5",
        roles: [],
        agents: 2,
      },
    },
  ]);
  const shown = listModels(new Date("2026-11-01T00:00:00Z")).models;
  const lives = Object.fromEntries(shown.map(({ id, life }) => [id, life]));
  expect(lives).toMatchObject({
    "anthropic/claude-sonnet-4-5": "ending",
    "anthropic/claude-sonnet-5-5": "active",
    "anthropic/claude-opus-4-5": "gone",
  });
});

const NAMED = {
  label: null,
  context_tokens: null,
  output_max_tokens: null,
  retires: null,
  created: null,
  chats: true,
};
