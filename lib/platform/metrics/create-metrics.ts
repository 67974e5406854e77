import "server-only";
import { monitorEventLoopDelay } from "node:perf_hooks";
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from "prom-client";
import type { Metrics } from "@/lib/platform/metrics/metrics";

const REQUEST_SECONDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];
const WORK_SECONDS = [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120, 300];
const SQL_SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1, 5];
/**
 * Often enough to see a loop that stands still for a tenth of a second, seldom enough to cost an
 * idle process nothing.
 */
const EVENT_LOOP_LOOK_MS = 50;

/**
 * The process's own: memory, CPU, garbage collection, handles. What the library tells of the event
 * loop counts its own rest between two looks as delay.
 */
function collectProcessMetrics(registry: Registry): void {
  collectDefaultMetrics({ register: registry, eventLoopMonitoringPrecision: 1_000 });
  for (const { name } of registry.getMetricsAsArray())
    if (name.startsWith("nodejs_eventloop_lag")) registry.removeSingleMetric(name);
  const delay = monitorEventLoopDelay({ resolution: EVENT_LOOP_LOOK_MS });
  delay.enable();
  new Gauge({
    name: "lathe_event_loop_delay_seconds",
    help:
      "How long the event loop stood still between two looks, since the last scrape; quantile " +
      "1: the longest",
    labelNames: ["quantile"],
    registers: [registry],
    collect() {
      for (const quantile of [0.5, 0.99, 1]) {
        const seconds =
          delay.count === 0
            ? 0
            : delay.percentile(quantile * 100) / 1e9 - EVENT_LOOP_LOOK_MS / 1_000;
        this.set({ quantile: String(quantile) }, Math.max(0, seconds));
      }
      delay.reset();
    },
  });
}

export function createMetrics(): Metrics {
  const registry = new Registry();
  const registers = [registry];
  collectProcessMetrics(registry);
  return {
    registry,
    httpRequests: new Histogram({
      name: "lathe_http_request_duration_seconds",
      help:
        "From a request's arrival to the end of its answer, by what answers it and the class " +
        "of its status",
      labelNames: ["kind", "method", "status"],
      buckets: REQUEST_SECONDS,
      registers,
    }),
    steps: new Histogram({
      name: "lathe_step_duration_seconds",
      help: "Steps of runs (turn, tool) as the engine calls them",
      labelNames: ["step", "outcome"],
      buckets: WORK_SECONDS,
      registers,
    }),
    modelCalls: new Histogram({
      name: "lathe_model_call_duration_seconds",
      help:
        "Calls of models, each try counted, by outcome (ok, aborted or the code of the " +
        "failure)",
      labelNames: ["model", "outcome"],
      buckets: WORK_SECONDS,
      registers,
    }),
    lostRuns: new Counter({
      name: "lathe_lost_runs_total",
      help: "Runs that were ended with ENGINE_LOST: their process died or froze twice in one step.",
      registers,
    }),
    firstTokens: new Histogram({
      name: "lathe_model_first_token_seconds",
      help: "From the call of a model to the first text or thought that it streams",
      labelNames: ["model"],
      buckets: WORK_SECONDS,
      registers,
    }),
    tokens: new Counter({
      name: "lathe_model_tokens_total",
      help:
        "Tokens of finished and aborted model calls: input, cached_input (a part of input), " +
        "output",
      labelNames: ["model", "direction"],
      registers,
    }),
    sql: new Histogram({
      name: "lathe_sql_duration_seconds",
      help:
        "Statements, from sending to the last row, without the wait for a connection; unnamed " +
        "ones are other",
      labelNames: ["statement"],
      buckets: SQL_SECONDS,
      registers,
    }),
    pool: new Gauge({
      name: "lathe_pool_connections",
      help: "Connections to the database: in_use, idle, and callers that wait for one",
      labelNames: ["pool", "state"],
      registers,
    }),
  };
}
