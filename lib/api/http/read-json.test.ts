import { expect, test } from "vitest";
import { readBounded, readJson, readYaml } from "@/lib/api/http/read-body";
import type { ApiRequest } from "@/lib/api/http/request";

const read = (body: string | Uint8Array<ArrayBuffer>, type = "application/json") =>
  readJson(
    new Request("http://service/", { method: "POST", body, headers: { "content-type": type } }),
  );

test("a body is read as the value that it is, and an empty one as none", async () => {
  expect(await read('{"a": [1, "ü🌍"]}')).toEqual({ a: [1, "ü🌍"] });
  expect(await read("")).toBeUndefined();
});

test.each([
  ['{"__proto__": 1}', "__proto__"],
  ['{"a": [{"\\u005f_proto__": {}}]}', "a.0.__proto__: is a name that no property may have"],
  ['{"a": "\\u0000"}', "NUL"],
  ['{"\\ud800": 1}', "lone surrogate"],
  [
    '{"a": 1,}',
    "The body is not valid JSON: line 1, column 9: expected a property's name in double quotes",
  ],
  [new Uint8Array([0x22, 0xff, 0x22]), "not valid UTF-8"],
  [`${"[".repeat(65)}${"]".repeat(65)}`, "64 levels"],
])(
  "what cannot be kept, or would be dropped without a word, is refused: %s",
  async (body, message) => {
    await expect(read(body)).rejects.toThrow(message);
  },
);

test("64 levels are read", async () => {
  expect(await read(`${"[".repeat(64)}${"]".repeat(64)}`)).toBeInstanceOf(Array);
});

test.each([
  '{"value": sk-live-4711}',
  "sk-live-4711",
  '{"value": "sk-live-4711',
  '{"value": "x" "sk-live-4711"}',
  "{'value': 'sk-live-4711'}",
])(
  "a body that is not JSON is refused by its place, and nothing of it is repeated: %s",
  async (body) => {
    const refused = read(body);
    await expect(refused).rejects.toThrow(/not valid JSON: line 1, column \d+: expected/);
    await expect(refused).rejects.not.toThrow("4711");
  },
);

const MIB = 1024 * 1024;
/** A body whose length nobody has said. */
const streamed = (...chunks: string[]) =>
  ({
    method: "POST",
    headers: new Headers(),
    body: new Blob(chunks).stream(),
  }) as Partial<ApiRequest> as ApiRequest; // nothing else is read

test("a body may be as long as its limit, whether or not its length was said", async () => {
  expect(await read(`"${"a".repeat(MIB - 2)}"`)).toHaveLength(MIB - 2);
  await expect(read(`"${"a".repeat(MIB - 1)}"`)).rejects.toMatchObject({
    code: "PAYLOAD_TOO_LARGE",
    message: "A JSON body may have at most 1048576 bytes.",
  });
  expect((await readBounded(streamed("abc", "de"), 5, "no")).toString()).toBe("abcde");
  await expect(readBounded(streamed("abc", "def"), 5, "too long")).rejects.toMatchObject({
    code: "PAYLOAD_TOO_LARGE",
    message: "too long",
  });
  const said = (length: string) =>
    ({
      headers: new Headers({ "content-length": length }),
      body: null,
    }) as Partial<ApiRequest> as ApiRequest; // as above
  expect((await readBounded(said("5"), 5, "no")).length).toBe(0);
  await expect(readBounded(said("6"), 5, "no")).rejects.toMatchObject({
    code: "PAYLOAD_TOO_LARGE",
  });
});

test("the listener's own way to read a body is taken where there is one", async () => {
  const whole = (bytes: Buffer | null) =>
    ({
      headers: new Headers(),
      body: null,
      readAll: async () => bytes,
    }) as Partial<ApiRequest> as ApiRequest; // as above
  expect((await readBounded(whole(Buffer.from("abc")), 5, "no")).toString()).toBe("abc");
  await expect(readBounded(whole(null), 5, "too long")).rejects.toMatchObject({
    code: "PAYLOAD_TOO_LARGE",
    message: "too long",
  });
});

test.each([
  ["application/json; charset=utf-8", true],
  ["APPLICATION/JSON", true],
  ["application/jsonp", false],
  ["text/plain", false],
  ["", false],
])("a JSON body sent as %j is read: %j", async (type, isRead) => {
  if (isRead) expect(await read("1", type)).toBe(1);
  else
    await expect(read("1", type)).rejects.toThrow(
      "The body must be JSON: send Content-Type: application/json.",
    );
});

test("what stands in the way of keeping a body is named by its place", async () => {
  const refused = async (body: string) =>
    read(body).catch((error: { extras: unknown }) => error.extras);
  const place = (path: string, message: string) => ({ details: [{ path, message }] });
  expect(await refused('{"a":{"b":[1,"\\u0000"]}}')).toEqual(
    place("a.b.1", "must not contain the NUL character"),
  );
  expect(await refused('{"a":{"\\ud800":1}}')).toEqual(
    place("a", "must not contain a lone surrogate"),
  );
  expect(await refused('{"__proto__":1}')).toEqual(
    place("__proto__", "is a name that no property may have"),
  );
  expect(await read('{"a":null,"b":"\\u00e9"}')).toEqual({ a: null, b: "é" });
  await expect(read("[".repeat(200_000))).rejects.toThrow(
    "The body is not valid JSON: line 1, column 200001: expected more: [ is never closed.",
  );
});

test("YAML is read as its text, up to its limit, and as nothing else", async () => {
  const yaml = (body: string, type: string) =>
    new Request("http://service/", { method: "POST", body, headers: { "content-type": type } });
  expect(await readYaml(yaml("a: 1", "application/yaml; charset=utf-8"), 4)).toBe("a: 1");
  await expect(readYaml(yaml("a: 12", "application/yaml"), 4)).rejects.toThrow(
    "A YAML body may have at most 4 bytes.",
  );
  await expect(readYaml(yaml("a: 1", "application/json"), 4)).rejects.toThrow(
    "The body must be YAML: send Content-Type: application/yaml.",
  );
});
