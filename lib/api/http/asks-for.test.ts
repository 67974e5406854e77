import { expect, test } from "vitest";
import { asksFor } from "@/lib/api/http/request";

test.each([
  ["application/x-ndjson", true],
  ["Application/X-NDJSON", true],
  ["text/plain, application/x-ndjson; q=0.9", true],
  ["*/*", false],
  ["application/json", false],
  ["application/x-ndjson-more", false],
  ["", false],
])("Accept: %s asks for lines of JSON: %s", (accept, asks) => {
  expect(asksFor({ headers: new Headers({ accept }) }, "application/x-ndjson")).toBe(asks);
});

test("without the header nothing is asked for", () => {
  expect(asksFor({ headers: new Headers() }, "application/x-ndjson")).toBe(false);
});
