import { expect, test } from "vitest";
import { checkInWords } from "@/lib/console/check-in-words";

test("each check is said in words", () => {
  expect(
    [
      { type: "contains" as const, value: "sent" },
      { type: "not_contains" as const, value: "lost" },
      { type: "equals" as const, value: { a: 1 } },
      { type: "matches" as const, pattern: "^4\\d+$" },
      { type: "json_path" as const, path: "/items/0" },
      { type: "json_path" as const, path: "/total", value: 3 },
      { type: "schema" as const, schema: {} },
      { type: "tool_called" as const, tool: "get_order" },
      { type: "tool_not_called" as const, tool: "pay_refund" },
    ].map(checkInWords),
  ).toEqual([
    "contains “sent”",
    "does not contain “lost”",
    'is {"a":1}',
    "matches ^4\\d+$",
    "has /items/0",
    "has 3 at /total",
    "fits a schema",
    "calls get_order",
    "does not call pay_refund",
  ]);
});
