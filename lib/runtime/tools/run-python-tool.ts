import "server-only";
import { z } from "zod";
import { checkFilePath } from "@/lib/model/file-path";
import type { JsonObject, JsonValue } from "@/lib/model/json-schema/json-value";
import { type PythonOutcome, runPython } from "@/lib/runtime/python/run-python";
import { keepFiles, readInput, withFiles } from "@/lib/runtime/tools/keep-files";
import {
  type RuntimeTool,
  type ToolContext,
  ToolFailure,
  type ToolOutcome,
} from "@/lib/runtime/tools/tool";

const CODE_MAX_CHARACTERS = 100_000;
const FILES_MAX = 20;
const FILES_MAX_BYTES = 32 * 1024 * 1024;

const argsSchema = z.object({ code: z.string(), files: z.array(z.string()).default([]) });

/** Computes by Python in a sandbox whose variables stay for the run's next call. */
export const runPythonTool: RuntimeTool = {
  name: "run_python",
  description: [
    "Run Python 3.14 in a sandbox, with its standard library (csv, json, sqlite3, statistics, decimal, zipfile, …); numpy, pandas and matplotlib are not there.",
    "The result is the value of the last expression; what is printed is shown too. `await` works at the top.",
    "Variables stay for the next call of this run; a result with `fresh: true` says that they are gone.",
    "Name files of the workspace, or made earlier in this run, in `files` to have them in the current folder under their paths. What the code writes there is given to the person. run_javascript has writers for Excel, Word, PDF and charts.",
    "No network, no other files, no processes, no packages to install.",
  ].join(" "),
  kind: "internal",
  // As of run_javascript.
  isOpen: true,
  inputSchema: {
    type: "object",
    properties: {
      code: { type: "string", minLength: 1, maxLength: CODE_MAX_CHARACTERS },
      files: {
        type: "array",
        maxItems: FILES_MAX,
        items: { type: "string", minLength: 1, maxLength: 1024 },
      },
    },
    required: ["code"],
    additionalProperties: false,
  },
  async execute(args, context) {
    const { accountId, runId, signal, untimed, codeSeconds } = context;
    const { code, files } = argsSchema.parse(args);
    const outcome = await runPython({
      code,
      files: await readInputs(files, context),
      session: runId,
      accountId,
      signal,
      ...(untimed && { untimed }),
      ...(codeSeconds !== undefined && { deadlineMilliseconds: codeSeconds * 1000 }),
    });
    return keepOutcome(outcome, context);
  },
};

async function readInputs(
  paths: readonly string[],
  context: ToolContext,
): Promise<{ path: string; bytes: Uint8Array }[]> {
  const files: { path: string; bytes: Uint8Array }[] = [];
  let left = FILES_MAX_BYTES;
  for (const path of new Set(paths)) {
    const checked = checkFilePath(path);
    if (!checked.ok) throw new ToolFailure(checked.message);
    const bytes = await readInput(checked.path, left, context);
    left -= bytes.length;
    files.push({ path: checked.path, bytes });
  }
  return files;
}

async function keepOutcome(outcome: PythonOutcome, context: ToolContext): Promise<ToolOutcome> {
  const facts: JsonObject = {
    ...(outcome.log !== "" && { log: outcome.log }),
    ...(outcome.fresh && { fresh: true }),
  };
  if (!outcome.ok) return { succeeded: false, output: { error: outcome.error, ...facts } };
  // Python's own serializer wrote it.
  const result: JsonObject = outcome.cut
    ? {
        result_text: outcome.result,
        note: "The result was longer and is cut; return less.",
      }
    : { result: JSON.parse(outcome.result) as JsonValue };
  const orders = outcome.files.map(({ path, bytes }) => ({
    path,
    maker: "save" as const,
    payload: bytes,
  }));
  const { files, problems } = await keepFiles(orders, context);
  const all = outcome.problem === undefined ? problems : [outcome.problem, ...problems];
  return withFiles({ succeeded: true, output: { ...result, ...facts } }, { files, problems: all });
}
