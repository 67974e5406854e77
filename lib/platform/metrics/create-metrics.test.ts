import { expect, test, vi } from "vitest";
import { createMetrics } from "@/lib/platform/metrics/create-metrics";

test("a loop that stands still is told, until the next scrape", async () => {
  const { registry } = createMetrics();
  const longest = async () =>
    Number(
      /^lathe_event_loop_delay_seconds\{quantile="1"\} (\S+)$/m.exec(await registry.metrics())?.[1],
    );
  let told = 0;
  const standStill = async () => {
    for (const end = performance.now() + 200; performance.now() < end; );
    // Past the turn in which the clock of the loop is looked at.
    for (const _ of [1, 2]) await new Promise((resolve) => setTimeout(resolve));
    told = await longest();
    expect(told).toBeGreaterThan(0);
  };
  await vi.waitFor(standStill, { timeout: 60_000 });
  expect(await longest()).toBeLessThan(told);
});

test("what a process tells of itself has the usual names", async () => {
  const text = await createMetrics().registry.metrics();
  for (const name of [
    "process_resident_memory_bytes",
    "process_cpu_seconds_total",
    "nodejs_heap_size_used_bytes",
    "nodejs_gc_duration_seconds",
  ])
    expect(text).toContain(`# TYPE ${name} `);
  expect(text).not.toContain("nodejs_eventloop_lag");
});
