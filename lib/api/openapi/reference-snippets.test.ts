import { execFileSync, spawnSync } from "node:child_process";
import { resolve } from "node:path";
import ts from "typescript";
import { expect, test } from "vitest";
import { APP_OPERATIONS } from "@/lib/api/apps/operations";
import { openapiDocument } from "@/lib/api/openapi/document-text";
import { V1_OPERATIONS } from "@/lib/api/v1/operations";
import {
  type ApiDocument,
  exampleCall,
  listOperations,
} from "@/lib/console/reference/api-document";
import { codeSamples } from "@/lib/console/reference/code-samples";
import { errorSamples } from "@/lib/console/reference/guide-samples";
import { listAnswers, toFields } from "@/lib/console/reference/schema-fields";

// As it is served: what JSON cannot say is gone.
const DOCUMENT: ApiDocument = JSON.parse(
  JSON.stringify(openapiDocument([...V1_OPERATIONS, ...APP_OPERATIONS])),
);
const OPERATIONS = listOperations(DOCUMENT);
const SNIPPETS = [
  ...OPERATIONS.map((operation) => ({
    id: operation.id,
    ...codeSamples(exampleCall(DOCUMENT, operation, "https://lathe.example.com")),
  })),
  { id: "errors", ...errorSamples("https://lathe.example.com") },
];

test("the reference has each operation of the document once, with what it answers", () => {
  const ids = Object.values(DOCUMENT.paths).flatMap((item) =>
    Object.values(item).map(({ operationId }) => operationId),
  );
  expect(OPERATIONS.map(({ id }) => id).sort()).toEqual(ids.sort());
  for (const operation of OPERATIONS) {
    const { answers, errors } = listAnswers(DOCUMENT, operation);
    expect(answers.length, operation.id).toBeGreaterThan(0);
    expect(errors.length, operation.id).toBeGreaterThan(0);
  }
});

test("the TypeScript of every operation fits the typed client as it is", () => {
  const files = new Map(
    SNIPPETS.map(({ id, typescript }) => [
      resolve("lib", `snippet-${id}.ts`),
      `${typescript}\nexport {};\n`,
    ]),
  );
  const options: ts.CompilerOptions = {
    strict: true,
    noEmit: true,
    skipLibCheck: true,
    target: ts.ScriptTarget.ES2023,
    module: ts.ModuleKind.ESNext,
    moduleResolution: ts.ModuleResolutionKind.Bundler,
    lib: ["lib.es2023.d.ts", "lib.dom.d.ts", "lib.dom.iterable.d.ts", "lib.dom.asynciterable.d.ts"],
    types: ["node"],
  };
  const host = ts.createCompilerHost(options);
  const { readFile, fileExists, getSourceFile } = host;
  host.readFile = (name) => files.get(name) ?? readFile(name);
  host.fileExists = (name) => files.has(name) || fileExists(name);
  host.getSourceFile = (name, language, ...rest) => {
    const text = files.get(name);
    return text === undefined
      ? getSourceFile(name, language, ...rest)
      : ts.createSourceFile(name, text, language);
  };
  const program = ts.createProgram([...files.keys()], options, host);
  const problems = ts.getPreEmitDiagnostics(program).map(({ file, start, messageText }) => {
    const line =
      file && start !== undefined ? file.text.slice(start, start + 80).split("\n")[0] : "";
    return `${file?.fileName} ${line}: ${ts.flattenDiagnosticMessageText(messageText, "\n")}`;
  });
  expect(problems).toEqual([]);
});

test("the curl of every operation is a whole program", () => {
  for (const { id, curl } of SNIPPETS)
    expect(() => execFileSync("sh", ["-n", "-c", curl]), id).not.toThrow();
});

// A machine needs no Python to pass the tests.
test.skipIf(spawnSync("python3", ["--version"]).error)(
  "the Python of every operation is a whole program (needs python3)",
  () => {
    const check = "import ast, json, sys\nfor code in json.load(sys.stdin): ast.parse(code)";
    expect(() =>
      execFileSync("python3", ["-c", check], {
        input: JSON.stringify(SNIPPETS.map(({ python }) => python)),
      }),
    ).not.toThrow();
  },
);

test("a schema that leads back into itself ends", () => {
  const components = {
    schemas: {
      Node: { type: "object", properties: { next: { $ref: "#/components/schemas/Node" } } },
    },
  };
  const [next] = toFields({ ...DOCUMENT, components }, { $ref: "#/components/schemas/Node" });
  expect(next).toMatchObject({ name: "next", type: "object", children: [] });
});
