import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { APP_OPERATIONS } from "@/lib/api/apps/operations";
import { openapiDocument } from "@/lib/api/openapi/document-text";
import { V1_OPERATIONS } from "@/lib/api/v1/operations";
import { breakingChanges } from "./api-changes.mjs";

type Document = Parameters<typeof breakingChanges>[0];

const FOLDER = fileURLToPath(new URL("../../docs/api/", import.meta.url));

function released(): Document {
  const [name, ...more] = readdirSync(FOLDER).filter((file) =>
    /^openapi-\d+\.\d+\.\d+\.json$/.test(file),
  );
  expect(more, "one release is compared with").toEqual([]);
  return JSON.parse(readFileSync(`${FOLDER}${name}`, "utf8"));
}

/**
 * What an answer only has where somebody has set it, or asked for what is new: a delivery is of no
 * run only at an endpoint, whose deliveries are listed by its id; a run waits for credits only
 * where `on_budget` says so, and for an answer only where its config lists `ask_user`.
 */
const ECHOED = [
  "/v1/webhook-deliveries 200.data[].run_id may be something else than it was",
  "/v1/webhook-deliveries/{delivery_id} 200.run_id may be something else than it was",
  "/v1/webhook-deliveries/{delivery_id}/redeliver 202.run_id may be something else than it was",
  'config.model_settings.reasoning may be "max" now',
  ...["requires_action", "requiresAction"].flatMap((name) =>
    ["200", "202", "200.data[]"].map((of) => ` ${of}.${name} may be something else than it was`),
  ),
];

/** A built-in tool stands in a config where somebody has put it there, whichever it is. */
const ECHOED_TOOL = /\.config\.tools\.builtin\[\] may be "[^"]*" now$/;

function isEchoed(change: string): boolean {
  return ECHOED_TOOL.test(change) || ECHOED.some((end) => change.endsWith(end));
}

test("a built-in tool that is new breaks nobody, and a value of any other list does", () => {
  const of = "GET /v1/agents/{agent_id} 200.config.";
  expect(isEchoed(`${of}tools.builtin[] may be "count_words" now`)).toBe(true);
  expect(isEchoed(`${of}tools.builtin[] is gone`)).toBe(false);
  expect(isEchoed(`${of}tools.connectors[] may be "count_words" now`)).toBe(false);
  expect(isEchoed('GET /v1/runs 200.data[].kind may be "digest" now')).toBe(false);
});

test("today's API breaks no client of the last release", () => {
  const today = JSON.parse(JSON.stringify(openapiDocument([...V1_OPERATIONS, ...APP_OPERATIONS])));
  const changes = breakingChanges(released(), today).filter((change) => !isEchoed(change));
  expect(changes).toEqual([]);
});

const THINGS = {
  paths: {
    "/v1/things": {
      get: {
        security: [],
        parameters: [{ in: "query", name: "limit", schema: { type: "integer", maximum: 100 } }],
        responses: {
          200: {
            headers: { ETag: {} },
            content: {
              "application/json": { schema: { $ref: "#/components/schemas/Thing" } },
              "application/yaml": {},
            },
          },
          404: {},
        },
      },
      post: {
        requestBody: {
          content: {
            "application/json": {
              schema: {
                type: "object",
                properties: {
                  name: { type: "string", maxLength: 80 },
                  kind: { enum: ["a", "b"] },
                  size: { type: ["integer", "null"] },
                },
                required: ["name"],
                additionalProperties: false,
              },
            },
          },
        },
        responses: {
          201: {
            content: { "application/json": { schema: { $ref: "#/components/schemas/Thing" } } },
          },
        },
      },
    },
  },
  webhooks: {
    done: {
      post: {
        requestBody: {
          content: { "application/json": { schema: { $ref: "#/components/schemas/Thing" } } },
        },
      },
    },
  },
  components: {
    schemas: {
      ErrorCode: { type: "string", enum: ["GONE"] },
      Thing: {
        type: "object",
        properties: {
          id: { type: "string" },
          state: { type: "string", enum: ["on", "off"] },
          code: { $ref: "#/components/schemas/ErrorCode" },
          parts: { type: "array", items: { $ref: "#/components/schemas/Thing" } },
          value: {
            oneOf: [
              { type: "string" },
              { type: "object", properties: { n: { type: "number" } }, required: ["n"] },
            ],
          },
        },
        required: ["id", "state"],
      },
    },
  },
};

/** The document with what `change` makes of it. */
function changed(change: (things: typeof THINGS) => void): Document {
  const copy = structuredClone(THINGS);
  change(copy);
  return copy;
}

/** Sets, or takes away where `value` is undefined, what stands at the path. */
function put(...path: [...string[], unknown]): Document {
  return changed((things) => {
    const value = path.at(-1);
    const names = path.slice(0, -1) as string[]; // all but the last are names, by the signature
    let node: object = things;
    for (const name of names.slice(0, -1)) node = Reflect.get(node, name);
    const last = names.at(-1) ?? "";
    if (value === undefined) Reflect.deleteProperty(node, last);
    else Reflect.set(node, last, value);
  });
}

const GET = ["paths", "/v1/things", "get"] as const;
const BODY = ["paths", "/v1/things", "post", "requestBody"] as const;
const SENT = [...BODY, "content", "application/json", "schema"] as const;
const THING = ["components", "schemas", "Thing"] as const;

const BREAKAGES: [what: string, after: Document, sentence: RegExp][] = [
  ["an operation is gone", put(...GET, undefined), /^GET \/v1\/things is gone$/],
  ["a path is gone", put("paths", "/v1/things", undefined), /GET \/v1\/things is gone/],
  ["a webhook is gone", put("webhooks", "done", undefined), /webhook done is gone/],
  ["a key is asked for", put(...GET, "security", [{ accountKey: [] }]), /needs a key/],
  ["a parameter is gone", put(...GET, "parameters", []), /query limit is gone/],
  [
    "a parameter is asked for",
    put(...GET, "parameters", [
      ...THINGS.paths["/v1/things"].get.parameters,
      { in: "query", name: "of", required: true },
    ]),
    /query of is required/,
  ],
  [
    "a bound is tighter",
    put(...GET, "parameters", [
      { in: "query", name: "limit", schema: { type: "integer", maximum: 50 } },
    ]),
    /another maximum: 50 instead of 100/,
  ],
  [
    "a success is another status",
    put(...GET, "responses", { 204: {} }),
    /GET \/v1\/things 200 is gone/,
  ],
  [
    "a media type is gone",
    put(...GET, "responses", "200", "content", "application/yaml", undefined),
    /as application\/yaml is gone/,
  ],
  ["a header is gone", put(...GET, "responses", "200", "headers", {}), /header ETag is gone/],
  ["a body is asked for", put(...BODY, "required", true), /request is required now/],
  [
    "a field of a request is gone",
    put(...SENT, "properties", "kind", undefined),
    /request\.kind is gone/,
  ],
  [
    "a field of a request is asked for",
    put(...SENT, "required", ["name", "size"]),
    /request\.size is required now/,
  ],
  [
    "a new field of a request is asked for",
    put(...SENT, "required", ["name", "colour"]),
    /request\.colour is required now/,
  ],
  [
    "a field of a request is another type",
    put(...SENT, "properties", "name", "type", "integer"),
    /request\.name was string and is integer/,
  ],
  [
    "a field of a request takes no null",
    put(...SENT, "properties", "size", "type", "integer"),
    /request\.size was null and is integer/,
  ],
  [
    "a value is taken no more",
    put(...SENT, "properties", "kind", "enum", ["a"]),
    /request\.kind has lost the value "b"/,
  ],
  ["a field of an answer is gone", put(...THING, "properties", "id", undefined), /200\.id is gone/],
  [
    "a field of an answer may be absent",
    put(...THING, "required", ["id"]),
    /200\.state may be absent now/,
  ],
  [
    "a field of an answer may be null",
    put(...THING, "properties", "id", "type", ["string", "null"]),
    /200\.id may be something else/,
  ],
  [
    "an answer has an unknown value",
    put(...THING, "properties", "state", "enum", ["on", "off", "broken"]),
    /200\.state may be "broken" now/,
  ],
  [
    "a value of an answer is gone",
    put(...THING, "properties", "state", "enum", ["on"]),
    /200\.state has lost the value "off"/,
  ],
  [
    "an alternative of an answer changes",
    put(...THING, "properties", "value", "oneOf", [{ type: "string" }, { type: "object" }]),
    /200\.value\.n is gone/,
  ],
  [
    "a list's items change",
    put(...THING, "properties", "parts", "items", { type: "string" }),
    /200\.parts\[\] was object and is string/,
  ],
];

for (const [what, after, sentence] of BREAKAGES) {
  test(`refused: ${what}`, () => {
    expect(breakingChanges(THINGS, after).join("\n")).toMatch(sentence);
  });
}

test("what is added, widened or said otherwise is taken", () => {
  const additions: Document[] = [
    structuredClone(THINGS),
    put("paths", "/v1/others", { get: { responses: {} } }),
    put(...GET, "parameters", [
      ...THINGS.paths["/v1/things"].get.parameters,
      { in: "query", name: "of" },
    ]),
    put(...GET, "responses", "404", undefined),
    put(...SENT, "properties", "colour", { type: "string" }),
    put(...SENT, "required", []),
    put(...SENT, "properties", "kind", "enum", ["a", "b", "c"]),
    put(...SENT, "properties", "name", "maxLength", 200),
    put(...SENT, "properties", "size", "type", ["number", "null", "string"]),
    put(...THING, "properties", "colour", { type: "string" }),
    put(...THING, "required", ["id", "state", "parts"]),
    put("components", "schemas", "ErrorCode", "enum", ["GONE", "NEW"]),
    put(...THING, "description", "Otherwise."),
  ];
  for (const after of additions) expect(breakingChanges(THINGS, after)).toEqual([]);
});
