import { beforeEach, expect, test, vi } from "vitest";
import { FAILPOINTS, failpoint } from "@/lib/platform/failpoint";
import { withService } from "@/lib/platform/test/test-service";

const kill = vi.spyOn(process, "kill").mockReturnValue(true);

beforeEach(() => {
  kill.mockClear();
});

test("without FAILPOINT no place ends the process", async () => {
  await withService({}, () => FAILPOINTS.forEach(failpoint));
  expect(kill).not.toHaveBeenCalled();
});

test("the named place ends the process by SIGKILL, at its first passing, no other does", () =>
  withService({ FAILPOINT: "turn.stored" }, () => {
    failpoint("turn.spoken");
    expect(kill).not.toHaveBeenCalled();
    failpoint("turn.stored");
    expect(kill).toHaveBeenCalledExactlyOnceWith(process.pid, "SIGKILL");
  }));

test("a number names the passing, counted over all parts of the bundle", () =>
  withService({ FAILPOINT: "turn.stored:3" }, async () => {
    failpoint("turn.stored");
    vi.resetModules();
    const elsewhere = (await import("@/lib/platform/failpoint")).failpoint;
    expect(elsewhere).not.toBe(failpoint);
    elsewhere("turn.stored");
    expect(kill).not.toHaveBeenCalled();
    failpoint("turn.stored");
    expect(kill).toHaveBeenCalledOnce();
  }));

test("a setting of another form is refused with the variable's name", () =>
  withService({ FAILPOINT: "turn.stored:often" }, () => {
    expect(() => failpoint("turn.stored")).toThrow(/FAILPOINT/);
  }));
