import { describe, expect, it } from "vitest";
import {
  listOpenapiOperations,
  type OpenapiChoice,
  type OpenapiTools,
  OpenapiWithoutAddress,
  toHttpTools,
} from "@/lib/model/agent-config/openapi-tools";
import type { JsonObject } from "@/lib/model/json-schema/json-value";

const PET = {
  type: "object",
  properties: {
    id: { type: "integer", readOnly: true },
    name: { type: "string", example: "Rex" },
    tag: { type: "string", nullable: true },
    parent: { $ref: "#/components/schemas/Pet" },
  },
  required: ["id", "name"],
};
const DOCUMENT: JsonObject = {
  openapi: "3.0.3",
  servers: [{ url: "https://{zone}.example.com/v1/", variables: { zone: { default: "eu" } } }],
  components: {
    schemas: { Pet: PET },
    parameters: {
      Limit: { name: "limit", in: "query", schema: { type: "integer", maximum: 100 } },
    },
  },
  paths: {
    "/pets": {
      get: {
        operationId: "pets.list",
        summary: "List pets",
        parameters: [{ $ref: "#/components/parameters/Limit" }],
      },
      post: {
        operationId: "createPet",
        description: "Creates one.\nSlowly.",
        requestBody: {
          required: true,
          content: { "application/json": { schema: { $ref: "#/components/schemas/Pet" } } },
        },
      },
    },
    "/pets/{petId}": {
      parameters: [
        {
          name: "petId",
          in: "path",
          required: true,
          description: "Whose.",
          schema: { type: "integer" },
        },
      ],
      get: {},
      put: { operationId: "upload", requestBody: { required: true, content: { "image/png": {} } } },
      delete: {
        operationId: "drop",
        parameters: [{ name: "X-Reason", in: "header", required: true }],
      },
      patch: { operationId: "tag", parameters: [{ name: "force", in: "query", required: true }] },
    },
    "/a/{b.c}": { get: { operationId: "odd" } },
  },
};

function convert(
  operations: string[],
  more: Partial<OpenapiChoice> = {},
  document = DOCUMENT,
): OpenapiTools {
  return toHttpTools(document, {
    operations,
    baseUrl: null,
    authSecret: null,
    authHeader: null,
    ...more,
  });
}

describe("an OpenAPI document", () => {
  it("lists its operations, by their ids or by method and path", () => {
    expect(
      listOpenapiOperations(DOCUMENT).map(({ operation, summary }) => [operation, summary]),
    ).toEqual([
      ["pets.list", "List pets"],
      ["createPet", "Creates one."],
      ["get /pets/{petId}", null],
      ["upload", null],
      ["tag", null],
      ["drop", null],
      ["odd", null],
    ]);
  });

  it("becomes http tools whose arguments are its parameters and its JSON body", () => {
    const { tools, leftOut } = convert(["pets.list", "createPet", "get /pets/{petId}"], {
      authSecret: "PET_KEY",
      authHeader: "X-Key",
    });
    expect(leftOut).toEqual([]);
    expect(tools).toEqual([
      {
        name: "pets_list",
        description: "List pets",
        method: "GET",
        url: "https://eu.example.com/v1/pets",
        auth_secret: "PET_KEY",
        auth_header: "X-Key",
        input_schema: { type: "object", properties: { limit: { type: "integer", maximum: 100 } } },
      },
      {
        name: "createPet",
        description: "Creates one.\nSlowly.",
        method: "POST",
        url: "https://eu.example.com/v1/pets",
        auth_secret: "PET_KEY",
        auth_header: "X-Key",
        // What a caller cannot send is away, and a pet's own pet is any value.
        input_schema: {
          type: "object",
          properties: { name: { type: "string" }, tag: { type: ["string", "null"] }, parent: {} },
          required: ["name"],
        },
      },
      {
        name: "get_pets_petId",
        method: "GET",
        url: "https://eu.example.com/v1/pets/{petId}",
        auth_secret: "PET_KEY",
        auth_header: "X-Key",
        input_schema: {
          type: "object",
          properties: { petId: { type: "integer", description: "Whose." } },
          required: ["petId"],
        },
      },
    ]);
  });

  it("says of each operation that cannot be a tool why not", () => {
    const { tools, leftOut } = convert(["upload", "drop", "tag", "odd", "nothing"]);
    expect(tools).toEqual([]);
    expect(leftOut.map(({ operation, reason }) => [operation, reason])).toEqual([
      ["upload", "Its body is no JSON object."],
      ["tag", "It requires the query parameter force, which an http tool cannot send."],
      ["drop", "It requires the header parameter X-Reason, which an http tool cannot send."],
      ["odd", "The place {b.c} of its path is no name that a tool can have."],
      ["nothing", "The document has no such operation."],
    ]);
  });

  it("is called where the caller says, and nowhere where nobody says it", () => {
    const nowhere: JsonObject = { ...DOCUMENT, servers: [{ url: "/v1" }] };
    expect(() => convert(["pets.list"], {}, nowhere)).toThrow(OpenapiWithoutAddress);
    expect(
      convert(["pets.list"], { baseUrl: "https://here.example.com/" }, nowhere).tools[0]?.url,
    ).toBe("https://here.example.com/pets");
  });

  it("cannot make the work grow by references that fill each other in", () => {
    const schemas = Object.fromEntries(
      Array.from({ length: 12 }, (_, n) => {
        const next = { $ref: `#/components/schemas/S${n + 1}` };
        return [`S${n}`, { type: "object", properties: { a: next, b: next, c: next, d: next } }];
      }),
    );
    const body = {
      content: { "application/json": { schema: { $ref: "#/components/schemas/S0" } } },
    };
    const document: JsonObject = {
      ...DOCUMENT,
      components: { schemas },
      paths: { "/x": { post: { operationId: "x", requestBody: body } } },
    };
    expect(convert(["x"], {}, document).leftOut).toEqual([
      { operation: "x", reason: "Its schemas are too large to be shown to a model." },
    ]);
  });

  it("gives each tool a name of its own", () => {
    const get = (operationId: string) => ({ get: { operationId } });
    const document: JsonObject = { ...DOCUMENT, paths: { "/a": get("a.b"), "/b": get("a/b") } };
    expect(convert(["a.b", "a/b"], {}, document).tools.map(({ name }) => name)).toEqual([
      "a_b",
      "a_b_2",
    ]);
  });
});

it("a document's own address has a given one's bound, its slashes cost little", async () => {
  const run = (url: string) => {
    const document = {
      openapi: "3.1.0",
      servers: [{ url }],
      paths: { "/a": { get: { operationId: "a" } } },
    };
    const made = toHttpTools(document, {
      operations: ["a"],
      baseUrl: null,
      authSecret: null,
      authHeader: null,
    });
    return made.tools[0]?.url;
  };
  expect(run(`https://a.example/${"/".repeat(1_000)}`)).toBe("https://a.example/a");
  expect(() => run(`http://a${"/".repeat(80_000)}x`)).toThrow("names no absolute server");
});
