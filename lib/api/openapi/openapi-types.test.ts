import openapiTS, { astToString } from "openapi-typescript";
import { expect, test } from "vitest";
import { APP_OPERATIONS } from "@/lib/api/apps/operations";
import { CONSOLE_OPERATIONS } from "@/lib/api/console/console-surface";
import { openapiDocument } from "@/lib/api/openapi/document-text";
import {
  type ClientDocument,
  pythonResources,
  pythonRoutes,
  pythonTypes,
} from "@/lib/api/test/python-client";
import { V1_OPERATIONS } from "@/lib/api/v1/operations";
import { RESOURCES } from "@/lib/client/resources";

const HEAD = `// Generated from the document of the API. Never edit it; after a change of an \
operation run:
//   npx vitest run --project unit lib/api/openapi/openapi-types.test.ts -u
`;

type Schemas = Record<string, unknown>;

interface Answer {
  headers?: unknown;
  content?: Record<string, unknown>;
}

/** Of the document, what the types are made of. */
interface Document {
  paths: Record<string, Record<string, { responses: Record<string, Answer> }>>;
  webhooks?: unknown;
  components: { schemas: Schemas; responses?: unknown; headers?: unknown };
}

function documentOf(operations: Parameters<typeof openapiDocument>[0]): Document {
  // Through JSON: the types describe what the service sends, not the objects that it is made of.
  // Our own document.
  const document = JSON.parse(JSON.stringify(openapiDocument(operations))) as Document;
  // They would be more than half of the file, and `Headers` holds strings whatever they say.
  for (const path of Object.values(document.paths))
    for (const operation of Object.values(path))
      for (const response of Object.values(operation.responses)) {
        delete response.headers;
        // Who asks for a table says so by a header, and reads a text: the methods ask for JSON.
        if (response.content?.["application/json"]) delete response.content["text/csv"];
      }
  return document;
}

/**
 * The models are a list to choose from (`KnownModelId`), not all that there are: a service may have
 * its own (`compatible/…`), and newer ones than these types. Here they are any text, as
 * openapi-fetch makes an object of `string & {}`.
 */
async function typesOf(document: Document): Promise<string> {
  // What has a default may be left out of a request; of an answer the document requires it anyway.
  const types = astToString(
    await openapiTS(JSON.stringify(document), { defaultNonNullable: false }),
  );
  const open = types.replace(
    /^( +)ModelId: ((?:"[^"]+" \| )*"[^"]+");$/m,
    "$1ModelId: string;\n$1KnownModelId: $2;",
  );
  expect(open).not.toBe(types);
  return HEAD + open;
}

test("the client's types are those of the document", async () => {
  const types = await typesOf(documentOf([...V1_OPERATIONS, ...APP_OPERATIONS]));
  await expect(types).toMatchFileSnapshot("../../client/openapi-types.ts");
});

test("the Python client's types and methods are those of the document", async () => {
  // Our own document; the generator reads of it what it names.
  const document = JSON.parse(
    JSON.stringify(openapiDocument([...V1_OPERATIONS, ...APP_OPERATIONS])),
  ) as ClientDocument;
  const folder = "../../../clients/python/src/lathe_client";
  await expect(pythonRoutes(document)).toMatchFileSnapshot(`${folder}/_routes.py`);
  await expect(pythonTypes(document)).toMatchFileSnapshot(`${folder}/types.py`);
  await expect(pythonResources(document, RESOURCES, false)).toMatchFileSnapshot(
    `${folder}/_resources.py`,
  );
  await expect(pythonResources(document, RESOURCES, true)).toMatchFileSnapshot(
    `${folder}/_async_resources.py`,
  );
});

const CONSOLE = "/api/console";

/** The schemas that `part` leads to. */
function reachable(part: unknown, schemas: Schemas, found: Set<string> = new Set()): Set<string> {
  for (const [, name = ""] of JSON.stringify(part).matchAll(/#\/components\/schemas\/(\w+)/g)) {
    if (found.has(name)) continue;
    found.add(name);
    reachable(schemas[name], schemas, found);
  }
  return found;
}

test("the console's types are its own operations', below its own address", async () => {
  const document = documentOf([...V1_OPERATIONS, ...CONSOLE_OPERATIONS]);
  const own = Object.entries(document.paths).filter(([path]) => path.startsWith(`${CONSOLE}/`));
  expect(own.length).toBeGreaterThan(10);
  document.paths = Object.fromEntries(
    own.map(([path, item]) => [path.slice(CONSOLE.length), item]),
  );
  // Refusals are those of the public API, and read by their code.
  for (const item of Object.values(document.paths))
    for (const { responses } of Object.values(item))
      for (const status of Object.keys(responses))
        if (!status.startsWith("2")) delete responses[status];
  delete document.webhooks;
  delete document.components.responses;
  delete document.components.headers;
  const { schemas } = document.components;
  const needed = reachable(document.paths, schemas);
  document.components.schemas = Object.fromEntries(
    Object.entries(schemas).filter(([name]) => needed.has(name)),
  );
  await expect(await typesOf(document)).toMatchFileSnapshot("../../console/console-api-types.ts");
});
