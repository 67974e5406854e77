import { expect, test } from "vitest";
import { ruleOf } from "@/lib/server/path-rules";

test("the API's two surfaces, and nothing that only looks like them, go past Next", () => {
  for (const url of ["/v1", "/v1/", "/v1/runs?limit=1", "/v1?x", "/api/v1/apps/1/runs"])
    expect([url, ruleOf("GET", url).kind]).toEqual([url, "api"]);
  for (const url of ["/", "/v10", "/v1x/runs", "/api/v1/application", "/api/console/v1", "//v1/runs", "/V1/runs"])
    expect(ruleOf("GET", url).kind, url).not.toBe("api");
});

test("the metrics are no page, and no other path is taken for them", () => {
  for (const [url, kind] of [
    ["/metrics", "route"],
    ["/metrics?x=1", "route"],
    ["/metrics/", "route"],
    ["/metricsx", "page"],
    ["/api/ready", "route"],
  ])
    expect([url, ruleOf("GET", String(url)).kind]).toEqual([url, kind]);
});
