import { setImmediate as nextTurn } from "node:timers/promises";
import { afterEach, expect, test, vi } from "vitest";
import { env } from "@/lib/env";
import {
  closeProcessService,
  createService,
  currentService,
  definePart,
  holdService,
  runInService,
  ServiceClosed,
} from "@/lib/service";

const closed: string[] = [];
const base = definePart(
  "test.base",
  () => ({ port: env().PORT }),
  ({ port }) => void closed.push(`base ${port}`),
);
const onBase = definePart(
  "test.on-base",
  () => ({ base: base() }),
  ({ base: { port } }) => void closed.push(`on-base ${port}`),
);
const circle = definePart("test.circle", (): object => ({ self: circle() }));
const plain = definePart("test.plain", () => new Map<string, number>());

afterEach(() => {
  closed.length = 0;
});

test("a service makes each of its parts once, when it is first asked for", () => {
  const service = createService({ PORT: "4001" });
  runInService(service, () => {
    expect(onBase().base).toBe(base());
    expect(onBase()).toBe(onBase());
  });
  expect(service.of(base)).toEqual({ port: 4001 });
});

test("two services in one process share nothing, and work stays where it began", async () => {
  const [one, other] = [createService({ PORT: "4001" }), createService({ PORT: "4002" })];
  const read = async () => {
    const before = base();
    await nextTurn();
    plain().set("port", base().port);
    return { isSame: base() === before, port: base().port, plain: plain() };
  };
  const [first, second] = await Promise.all([runInService(one, read), runInService(other, read)]);
  expect([first.port, first.isSame, second.port, second.isSame]).toEqual([4001, true, 4002, true]);
  expect([first.plain.get("port"), second.plain.get("port")]).toEqual([4001, 4002]);
  await one.close();
  expect(closed).toEqual(["base 4001"]);
  expect(runInService(other, base).port).toBe(4002);
});

test("parts are closed after those that were made of them, and once", async () => {
  const service = createService({ PORT: "4001" });
  service.of(onBase);
  await Promise.all([service.close(), service.close()]);
  expect(closed).toEqual(["on-base 4001", "base 4001"]);
});

test("what works is ended before any part is closed, later made ones too", async () => {
  const service = createService({ PORT: "4001" });
  service.beforeClose(async () => {
    await nextTurn();
    closed.push(`work on ${base().port}`);
  });
  service.beforeClose(() => closed.push("later work"));
  service.of(onBase);
  await service.close();
  expect(closed).toEqual(["later work", "work on 4001", "on-base 4001", "base 4001"]);
});

test("what fails to close keeps nothing else open, and is told", async () => {
  const service = createService({ PORT: "4001" });
  service.of(base);
  const broken = definePart(
    "test.broken",
    () => ({}),
    () => Promise.reject(new Error("stuck")),
  );
  service.of(broken);
  const told = await service.close().catch((error: unknown) => error);
  expect(told).toMatchObject({ errors: [new Error("stuck")] });
  expect(closed).toEqual(["base 4001"]);
});

test("a closed service makes nothing that would have to be closed again", async () => {
  const service = createService({});
  service.of(base);
  await service.close();
  expect(() => service.of(base)).toThrow(ServiceClosed);
  expect(() => service.of(onBase)).toThrow(ServiceClosed);
  expect(service.of(plain)).toBeInstanceOf(Map);
});

test("a part that needs itself is said to, instead of a full stack", () => {
  const service = createService({});
  expect(() => service.of(circle)).toThrow('"test.circle" cannot be made of itself');
});

test("nothing is kept of a making that fails", () => {
  const service = createService({ PORT: "none" });
  expect(() => service.of(base)).toThrow("PORT");
  expect(() => service.of(base)).toThrow("PORT");
});

test("a given part stands in for the service's own, and is left to its giver", async () => {
  const service = createService({ PORT: "4001" });
  service.give(base, { port: 1 });
  expect(service.of(onBase).base.port).toBe(1);
  await service.close();
  expect(closed).toEqual(["on-base 1"]);
});

test("every copy of the module that a bundler makes finds the same service", async () => {
  const service = createService({ PORT: "4001" });
  const release = holdService(service);
  vi.resetModules();
  const copy = await import("@/lib/service");
  expect(copy.definePart).not.toBe(definePart);
  expect(copy.currentService()).toBe(service);
  const sameName = copy.definePart("test.base", () => ({ port: 0 }));
  const made = base();
  expect(sameName()).toBe(made);
  expect(runInService(createService({ PORT: "4002" }), sameName)).toEqual({ port: 0 });
  release();
});

test("the process's service is put back, and is another after it was closed", async () => {
  const own = currentService();
  const release = holdService(createService({ PORT: "4001" }));
  expect(base().port).toBe(4001);
  await closeProcessService();
  expect(closed).toEqual(["base 4001"]);
  release();
  expect(currentService()).not.toBe(own);
});
