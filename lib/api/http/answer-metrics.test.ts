import { Registry } from "prom-client";
import { afterEach, expect, test } from "vitest";
import { answerMetrics, serviceMetrics } from "@/lib/api/http/service-routes";
import { ServiceMetrics } from "@/lib/domain/metrics/service-metrics";
import { createMetrics } from "@/lib/platform/metrics/create-metrics";
import { setMetrics } from "@/lib/platform/metrics/metrics";
import { testService } from "@/lib/platform/test/test-service";

const service = testService({ METRICS_TOKEN: "scrape-me" });
// Instead of those of a database.
const gauges = new ServiceMetrics(new Registry(), async () => ({}) as never); // none is read
service.give(serviceMetrics, gauges);
afterEach(() => setMetrics(null));

const ask = (authorization?: string) =>
  answerMetrics(
    new Request("http://localhost/metrics", {
      headers: { "x-request-id": "r1", ...(authorization && { authorization }) },
    }),
  );

test("without the operator's token set there is no such path", async () => {
  const answer = await ask("Bearer scrape-me");
  expect([answer.status, (await answer.json()).error]).toEqual([404, "NOT_FOUND"]);
});

test.each([undefined, "Bearer", "Bearer other", "Bearer scrape-m", "Basic scrape-me", "scrape-me"])(
  "%s is not let in",
  async (authorization) => {
    setMetrics(createMetrics());
    const answer = await ask(authorization);
    expect([
      answer.status,
      answer.headers.get("www-authenticate"),
      answer.headers.get("x-request-id"),
    ]).toEqual([401, "Bearer", "r1"]);
    expect(await answer.text()).not.toContain("lathe_");
  },
);

test("whoever has the token reads Prometheus' text format, which no one keeps", async () => {
  setMetrics(createMetrics());
  const answer = await ask("Bearer scrape-me");
  expect([
    answer.status,
    answer.headers.get("content-type"),
    answer.headers.get("cache-control"),
  ]).toEqual([200, "text/plain; version=0.0.4; charset=utf-8", "no-store"]);
  expect(await answer.text()).toContain("# TYPE lathe_http_request_duration_seconds histogram");
});
