import openapiTS, { astToString } from "openapi-typescript";
import { expect, test } from "vitest";
import { APP_OPERATIONS } from "@/lib/api/apps/operations";
import { openapiDocument } from "@/lib/api/openapi/document-text";
import { V1_OPERATIONS } from "@/lib/api/v1/operations";

const HEAD = `// Generated from the document of the API. Never edit it; after a change of an operation run:
//   npx vitest run --project unit lib/api/openapi/openapi-types.test.ts -u
`;

/** Of the document, what the types are made of. */
interface Document {
  paths: Record<string, Record<string, { responses: Record<string, { headers?: unknown }> }>>;
}

test("the client's types are those of the document", async () => {
  // Through JSON: the types describe what the service sends, not the objects that it is made of.
  const document = JSON.parse(JSON.stringify(openapiDocument([...V1_OPERATIONS, ...APP_OPERATIONS]))) as Document; // our own document
  // They would be more than half of the file, and `Headers` holds strings whatever they say.
  for (const path of Object.values(document.paths))
    for (const operation of Object.values(path)) for (const response of Object.values(operation.responses)) delete response.headers;
  // What has a default may be left out of a request; of an answer the document requires it anyway.
  const types = await openapiTS(JSON.stringify(document), { defaultNonNullable: false });
  await expect(HEAD + astToString(types)).toMatchFileSnapshot("../../client/openapi-types.ts");
});
