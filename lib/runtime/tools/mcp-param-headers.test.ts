import { expect, it } from "vitest";
import { hasUsableHeaders } from "@/lib/runtime/tools/mcp-param-headers";

const named = (header: unknown, type: unknown = "string") =>
  // Also what no schema should have.
  ({ type, "x-mcp-header": header }) as { type: string; "x-mcp-header": string };
const object = (properties: object) => ({ type: "object", properties: { ...properties } });

it.each([
  ["none are wanted", object({ a: { type: "string" } })],
  ["primitive arguments are", object({ a: named("A"), b: named("B", "integer") })],
  ["one within another is", object({ a: object({ b: named("B", "boolean") }) })],
  ["an argument is only called so", object({ "x-mcp-header": { type: "string" } })],
  ["a default is only spelt so", object({ a: { default: { "x-mcp-header": 1 } } })],
])("a tool can be called where %s", (_, schema) => {
  expect(hasUsableHeaders(schema)).toBe(true);
});

it.each([
  ["a name that is empty", object({ a: named("") })],
  ["a name that is no text", object({ a: named(7) })],
  ["a name that ends the line", object({ a: named("A\r\nHost") })],
  ["one name twice, in other letters", object({ a: named("Key"), b: named("kEY") })],
  ["a number", object({ a: named("A", "number") })],
  ["an object", object({ a: { ...object({}), "x-mcp-header": "A" } })],
  ["no type", object({ a: { "x-mcp-header": "A" } })],
  ["an item of a list", object({ a: { type: "array", items: named("A") } })],
  ["a choice", object({ a: { anyOf: [named("A")] } })],
  ["a definition", { ...object({}), $defs: { a: named("A") } }],
  ["all arguments together", { ...object({}), "x-mcp-header": "A" }],
])("a tool is left out that wants in a header %s", (_, schema) => {
  expect(hasUsableHeaders(schema)).toBe(false);
});
