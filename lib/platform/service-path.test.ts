import { expect, test } from "vitest";
import { servicePath } from "@/lib/server/path-rules";

test.each([
  ["/v1", "account"],
  ["/v1/runs", "account"],
  ["/v1x", "page"],
  ["/api/v1/apps", "app"],
  ["/api/v1/apps/a/runs", "app"],
  ["/api/v1/appsx", "route"],
  ["/api/v1", "route"],
  ["/api/inngest", "engine"],
  ["/api/inngestx", "route"],
  ["/api", "route"],
  ["/api/console/v1/runs", "route"],
  ["/apix", "page"],
  ["/metrics", "route"],
  ["/", "page"],
  ["/agents/v1/", "page"],
  ["//v1/runs", "page"],
])("%s is answered by: %s", (path, expected) => {
  expect(servicePath(path)).toBe(expected);
});
