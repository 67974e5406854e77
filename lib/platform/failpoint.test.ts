import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { failpoint as Failpoint } from "@/lib/platform/failpoint";

const kill = vi.spyOn(process, "kill").mockReturnValue(true);

beforeEach(() => {
  vi.resetModules();
  kill.mockClear();
});
afterEach(() => {
  vi.unstubAllEnvs();
  delete (globalThis as unknown as Record<symbol, unknown>)[Symbol.for("lathe.failpoint")]; // what `once` keeps for the process
});

async function failpointWith(setting: string): Promise<typeof Failpoint> {
  vi.stubEnv("FAILPOINT", setting);
  return (await import("@/lib/platform/failpoint")).failpoint;
}

test("without FAILPOINT no place ends the process", async () => {
  const { FAILPOINTS } = await import("@/lib/platform/failpoint");
  const pass = await failpointWith("");
  for (const name of FAILPOINTS) pass(name);
  expect(kill).not.toHaveBeenCalled();
});

test("the named place ends the process by SIGKILL, at its first passing, and no other place does", async () => {
  const pass = await failpointWith("turn.stored");
  pass("turn.spoken");
  expect(kill).not.toHaveBeenCalled();
  pass("turn.stored");
  expect(kill).toHaveBeenCalledExactlyOnceWith(process.pid, "SIGKILL");
});

test("a number names the passing, counted over all parts of the bundle", async () => {
  const pass = await failpointWith("turn.stored:3");
  pass("turn.stored");
  vi.resetModules();
  const elsewhere = (await import("@/lib/platform/failpoint")).failpoint;
  elsewhere("turn.stored");
  expect(kill).not.toHaveBeenCalled();
  pass("turn.stored");
  expect(kill).toHaveBeenCalledOnce();
});

test("a setting of another form is refused with the variable's name", async () => {
  const pass = await failpointWith("turn.stored:often");
  expect(() => pass("turn.stored")).toThrow(/FAILPOINT/);
});
