import { expect, test, vi } from "vitest";
import { createMetrics } from "./create-metrics";

test("a loop that stands still is told, until the next scrape", async () => {
  const { registry } = createMetrics();
  const longest = async () => Number(/^lathe_event_loop_delay_seconds\{quantile="1"\} (\S+)$/m.exec(await registry.metrics())?.[1]);
  let told = 0;
  await vi.waitFor(async () => {
    for (const end = performance.now() + 300; performance.now() < end; );
    await new Promise((resolve) => setImmediate(resolve));
    told = await longest();
    expect(told).toBeGreaterThan(0);
  });
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
