import { expect, it } from "vitest";
import { toReturnPath } from "@/lib/console/to-return-path";

it.each([
  ["/runs?status=failed#top", "/runs?status=failed#top"],
  ["/", "/"],
])("goes back to a path of this site: %s", (target, path) =>
  expect(toReturnPath(target)).toBe(path),
);

it.each([
  "https://example.com/",
  "//example.com/runs",
  "/\\example.com",
  "/\t/example.com",
  "/.//example.com",
  "javascript:alert(1)",
  "runs",
  "/sign-in",
  "",
  undefined,
  ["/runs"],
  `/${"a".repeat(3000)}`,
])("goes to the overview instead of %s", (target) => expect(toReturnPath(target)).toBe("/"));
