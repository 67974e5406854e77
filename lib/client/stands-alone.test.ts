import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { createContext, runInContext } from "node:vm";
import { build } from "esbuild";
import ts from "typescript";
import { expect, test } from "vitest";
import type * as Package from "./lathe-client";
import { sampleLog, startStubRun } from "./test/stub-service";

const ENTRY = fileURLToPath(new URL("lathe-client.ts", import.meta.url));
const GUIDE_FILE = fileURLToPath(new URL("guide-snippets.ts", import.meta.url));
const GUIDE = fileURLToPath(new URL("../../docs/client.md", import.meta.url));
/** What the guide's reader has already. */
const GIVEN = `
declare const process: { env: Record<string, string | undefined>; stdout: { write(text: string): \
void } };
declare const [runId, workspaceId, fileId]: [string, string, string];
declare const lastSequenceNumber: number;
`;

/** The guide's TypeScript, as one module: its snippets build on each other. */
function readSnippets(): string {
  const blocks = [...readFileSync(GUIDE, "utf8").matchAll(/^```ts\n(.*?)^```$/gms)].map(
    ([, code = ""]) => code,
  );
  expect(blocks.length).toBeGreaterThan(5);
  return (GIVEN + blocks.join("\n")).replaceAll("@lathe/client", "./lathe-client");
}

// What Node.js 20, Deno, Bun, edge runtimes and browsers have in common.
const WEB = {
  AbortController,
  AbortSignal,
  FormData,
  Headers,
  ReadableStream,
  Request,
  Response,
  TextDecoder,
  TextEncoder,
  URL,
  URLSearchParams,
  atob,
  clearTimeout,
  crypto,
  fetch,
  setTimeout,
};

test("folder and snippets compile without Node.js's types and the project", () => {
  const options: ts.CompilerOptions = {
    lib: ["lib.es2022.d.ts", "lib.dom.d.ts", "lib.dom.iterable.d.ts"],
    module: ts.ModuleKind.ESNext,
    moduleResolution: ts.ModuleResolutionKind.Bundler,
    noEmit: true,
    noUncheckedIndexedAccess: true,
    skipLibCheck: true,
    strict: true,
    target: ts.ScriptTarget.ES2022,
    types: [],
    verbatimModuleSyntax: true,
  };
  const snippets = readSnippets();
  const host = ts.createCompilerHost(options);
  const { getSourceFile } = host;
  host.getSourceFile = (name, version, ...more) =>
    name === GUIDE_FILE
      ? ts.createSourceFile(name, snippets, version)
      : getSourceFile.call(host, name, version, ...more);
  const program = ts.createProgram([ENTRY, GUIDE_FILE], options, host);
  const faults = ts
    .getPreEmitDiagnostics(program)
    .map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, "\n"));
  expect(faults).toEqual([]);
});

test("the bundle has no imports, reads a broken stream by what every runtime has", async () => {
  const { outputFiles, metafile } = await build({
    entryPoints: [ENTRY],
    bundle: true,
    format: "iife",
    globalName: "lathe",
    metafile: true,
    platform: "neutral",
    write: false,
  });
  const [bundle] = outputFiles;
  expect(Object.values(metafile.outputs).flatMap(({ imports }) => imports)).toEqual([]);
  // The value of the script is what the entry exports.
  const { createClient } = runInContext(
    `${bundle?.text}; lathe`,
    createContext({ ...WEB }),
  ) as typeof Package;
  const log = sampleLog(["Grüße ", "🌍"]);
  const { url } = await startStubRun(log, [{ bytes: 250, ends: "break" }]);
  const end = await createClient({ apiKey: "svc_sk_test", baseUrl: url })
    .runs.stream({ input: {} })
    .end();
  expect(end).toEqual(log.at(-1));
});
