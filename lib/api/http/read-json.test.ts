import { expect, test } from "vitest";
import { readJson } from "@/lib/api/http/read-body";

const read = (body: string | Uint8Array<ArrayBuffer>, type = "application/json") =>
  readJson(new Request("http://service/", { method: "POST", body, headers: { "content-type": type } }));

test("a body is read as the value that it is, and an empty one as none", async () => {
  expect(await read('{"a": [1, "ü🌍"]}')).toEqual({ a: [1, "ü🌍"] });
  expect(await read("")).toBeUndefined();
});

test.each([
  ['{"__proto__": 1}', "__proto__"],
  ['{"a": [{"\\u005f_proto__": {}}]}', "a.0.__proto__: is a name that no property may have"],
  ['{"a": "\\u0000"}', "NUL"],
  ['{"\\ud800": 1}', "lone surrogate"],
  ['{"a": 1,}', "The body is not valid JSON: line 1, column 9: expected a property's name in double quotes"],
  [new Uint8Array([0x22, 0xff, 0x22]), "not valid UTF-8"],
  [`${"[".repeat(65)}${"]".repeat(65)}`, "64 levels"],
])("what cannot be kept, or would be dropped without a word, is refused: %s", async (body, message) => {
  await expect(read(body)).rejects.toThrow(message);
});

test("64 levels are read", async () => {
  expect(await read(`${"[".repeat(64)}${"]".repeat(64)}`)).toBeInstanceOf(Array);
});

test.each([
  '{"value": sk-live-4711}',
  "sk-live-4711",
  '{"value": "sk-live-4711',
  '{"value": "x" "sk-live-4711"}',
  "{'value': 'sk-live-4711'}",
])("a body that is not JSON is refused by its place, and nothing of it is repeated: %s", async (body) => {
  const refused = read(body);
  await expect(refused).rejects.toThrow(/not valid JSON: line 1, column \d+: expected/);
  await expect(refused).rejects.not.toThrow("4711");
});
