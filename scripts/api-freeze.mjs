import "./setup/on-supported-node.mjs";

import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { bundleForNode } from "./setup/bundle-for-node.mjs";
import { prepare } from "./setup/prepare.mjs";
import { print } from "./setup/progress.mjs";
import { runScript } from "./setup/run-script.mjs";

const SOURCE = `
  import { APP_OPERATIONS } from "@/lib/api/apps/operations";
  import { openapiDocument } from "@/lib/api/openapi/document-text";
  import { V1_OPERATIONS } from "@/lib/api/v1/operations";
  export const document = openapiDocument([...V1_OPERATIONS, ...APP_OPERATIONS]);
`;

/**
 * `npm run task -- api:freeze`: writes today's document of the API as that of the release in
 * package.json, which later changes are compared with (docs/versioning.md).
 */
await runScript(async () => {
  const root = fileURLToPath(new URL("..", import.meta.url));
  await prepare({ root, build: false });
  mkdirSync(join(root, ".cache"), { recursive: true });
  const bundle = join(root, ".cache/api-document.mjs");
  writeFileSync(bundle, await bundleForNode(root, SOURCE));
  const { document } = await import(pathToFileURL(bundle).href);
  const { version } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
  const path = `docs/api/openapi-${version}.json`;
  mkdirSync(join(root, "docs/api"), { recursive: true });
  writeFileSync(join(root, path), `${JSON.stringify(document, null, 1)}\n`);
  print(`Written: ${path}. Remove the document of the release before.`);
  process.exit(0);
});
