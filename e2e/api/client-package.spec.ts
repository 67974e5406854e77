import { existsSync, readdirSync, readFileSync } from "node:fs";
import { rm } from "node:fs/promises";
import path from "node:path";
import { build } from "esbuild";
import ts from "typescript";
import { compile, newProject, packedClient, runWell } from "../support/client-package";
import { test as base, expect } from "../support/test";

/** What a user of the package writes: the same lines for every kind of module. */
const PROGRAM = `
import { createReadStream } from "node:fs";
import { createClient, LatheApiError, type CompletedRun, type ModelId } from "@lathe/client";

interface Weather { degrees: number }

async function main(): Promise<void> {
  const lathe = createClient();
  const model: ModelId = "compatible/test-model";
  const run: CompletedRun<Weather> = await lathe.runs.createAndWait<Weather>({ input: { text: \
process.env.MARK }, model });
  const { workspace_id } = await lathe.workspaces.create({ name: "package" });
  const file = await lathe.files.upload(workspace_id, "data.csv", createReadStream("data.csv"));
  const back = await lathe.files.download(workspace_id, file.file_id);
  let streamed = "";
  for await (const event of lathe.runs.events(run.run_id)) if (event.type === "output_text.delta") \
streamed += event.delta;
  const refusal = await lathe.runs.get("42").catch((error: unknown) => (error instanceof \
LatheApiError ? error.code : String(error)));
  console.log(JSON.stringify({ text: run.result.text, streamed, size: file.size_bytes, back: await \
back.text(), refusal }));
}

void main();
`;
/** Each must not compile: types that are lost would let everything pass. */
const WRONG = `
import { createClient } from "@lathe/client";
const lathe = createClient({ apiKey: "k", baseUrl: "http://localhost" });
void lathe.runs.createAndWait<{ degrees: number }>({ input: {} }).then((run) => \
run.result.data.celsius);
void lathe.get("/v1/no-such-path", {});
void lathe.agents.update("id", { nmae: "x" });
`;
const CSV = "a,b\n1,2\n";

// The package's own declarations are the same for all: they are looked at once, as that takes most
// of the time.
const SYSTEMS = {
  "ES modules (nodenext)": {
    type: "module",
    module: ts.ModuleKind.NodeNext,
    moduleResolution: ts.ModuleResolutionKind.NodeNext,
    skipLibCheck: false,
  },
  "CommonJS (node16)": {
    type: "commonjs",
    module: ts.ModuleKind.Node16,
    moduleResolution: ts.ModuleResolutionKind.Node16,
    skipLibCheck: true,
  },
  "a bundler (esbuild)": {
    type: "module",
    module: ts.ModuleKind.ESNext,
    moduleResolution: ts.ModuleResolutionKind.Bundler,
    skipLibCheck: true,
  },
} as const;

const test = base.extend<{
  project: (files: Record<string, string>, manifest: object) => Promise<string>;
}>({
  // biome-ignore lint/correctness/noEmptyPattern: a fixture takes a pattern
  project: async ({}, use) => {
    const folders: string[] = [];
    await use(async (files, manifest) => {
      const folder = await newProject(files, manifest);
      folders.push(folder);
      return folder;
    });
    for (const folder of folders) await rm(folder, { recursive: true, force: true });
  },
});

for (const [system, { type, module, moduleResolution, skipLibCheck }] of Object.entries(SYSTEMS)) {
  test(`the packed client compiles and works in ${system}`, async ({
    account,
    project,
    script,
    serviceUrl,
  }) => {
    const { mark } = await script({ text: "sunny" });
    const folder = await project(
      { "main.ts": PROGRAM, "wrong.ts": WRONG, "data.csv": CSV },
      { type },
    );
    expect(
      compile(folder, ["main.ts", "wrong.ts"], { module, moduleResolution, skipLibCheck }),
    ).toEqual(
      ["celsius", "/v1/no-such-path", "nmae"].map((word) => ({
        file: "wrong.ts",
        fault: expect.stringContaining(word),
      })),
    );
    const main = path.join(folder, "main.js");
    if (moduleResolution === ts.ModuleResolutionKind.Bundler) {
      const bundled = await build({
        entryPoints: [main],
        bundle: true,
        platform: "node",
        format: "esm",
        outfile: main,
        allowOverwrite: true,
        metafile: true,
      });
      const left = Object.values(bundled.metafile.outputs).flatMap(({ imports }) =>
        imports.map((each) => each.path),
      );
      expect(left.filter((each) => !each.startsWith("node:"))).toEqual([]);
    }
    const env = { LATHE_API_KEY: account.apiKey, LATHE_BASE_URL: serviceUrl, MARK: mark };
    const said: unknown = JSON.parse(await runWell(process.execPath, [main], { cwd: folder, env }));
    expect(said).toEqual({
      text: "sunny",
      streamed: "sunny",
      size: CSV.length,
      back: CSV,
      refusal: "INVALID_INPUT",
    });
  });
}

test("the package has no dependencies, and holds the licences of what it bundles", async ({
  project,
}) => {
  const folder = path.join(await project({}, {}), "node_modules/@lathe/client");
  const manifest: unknown = JSON.parse(readFileSync(path.join(folder, "package.json"), "utf8"));
  expect(manifest).not.toHaveProperty("dependencies");
  expect(readdirSync(path.join(folder, "..", ".."))).toEqual(
    expect.not.arrayContaining(["openapi-fetch", "yaml"]),
  );
  for (const name of ["openapi-fetch", "yaml"])
    expect(readFileSync(path.join(folder, "THIRD-PARTY.md"), "utf8")).toContain(`## ${name} `);
  expect(existsSync(await packedClient())).toBe(true);
});
