import "server-only";
import { z } from "zod";
import type { JsonObject, JsonValue } from "@/lib/model/json-schema/json-value";
import { type GuestOutcome, runGuestCode } from "@/lib/runtime/sandbox/run-guest-code";
import type { RuntimeTool, ToolOutcome } from "./tool";
import { ToolFailure } from "./tool-failure";
import type { WorkspacePort } from "./workspace-port";

const CODE_MAX_CHARACTERS = 100_000;
const FILES_MAX = 20;
const FILES_MAX_BYTES = 16 * 1024 * 1024;

const argsSchema = z.object({ code: z.string(), files: z.array(z.string()).default([]) });

/** Computes by code in the sandbox, on workspace files where they are named. */
export const runJavascriptTool: RuntimeTool = {
  name: "run_javascript",
  description: [
    "Run JavaScript in a sandbox: for every figure, sum, comparison or change of data, since code does not miscalculate.",
    "The result is the value of the last expression, or what `return` gives; `console.log` is shown too. `await` works with `return`.",
    'Name workspace files in `files` to have their text as files["path"]. `readTable(path)` gives the rows of a CSV, TSV, JSON or JSON-lines file as objects, numbers as numbers and gaps as null; `parseCsv(text)` does so for a text.',
    "No network, no file system, no timers, 10 seconds, 256 MB. Nothing is kept between calls.",
  ].join(" "),
  kind: "read",
  inputSchema: {
    type: "object",
    properties: {
      code: { type: "string", minLength: 1, maxLength: CODE_MAX_CHARACTERS },
      files: { type: "array", maxItems: FILES_MAX, items: { type: "string", minLength: 1, maxLength: 1024 } },
    },
    required: ["code"],
    additionalProperties: false,
  },
  async execute(args, { accountId, signal, untimed, workspace }) {
    const { code, files } = argsSchema.parse(args);
    return toOutcome(await runGuestCode({ code, files: await readFiles(files, workspace), accountId, signal, untimed }));
  },
};

async function readFiles(paths: string[], workspace: WorkspacePort | null): Promise<Record<string, string>> {
  if (paths.length === 0) return {};
  if (workspace === null) throw new ToolFailure("This run has no workspace, so there are no files to read.");
  const texts: [string, string][] = [];
  let left = FILES_MAX_BYTES;
  for (const path of new Set(paths)) {
    const bytes = await workspace.readBytes(path, left);
    left -= bytes.length;
    texts.push([path, new TextDecoder().decode(bytes)]);
  }
  return Object.fromEntries(texts);
}

function toOutcome(outcome: GuestOutcome): ToolOutcome {
  const log: JsonObject = outcome.log === "" ? {} : { log: outcome.log };
  if (!outcome.ok) return { succeeded: false, output: { error: outcome.error, ...log } };
  if (outcome.cut)
    return { succeeded: true, output: { result_text: outcome.result, note: "The result was longer and is cut; return less.", ...log } };
  // The sandbox answers JSON text made by its own serializer, and the guest cannot reach that.
  return { succeeded: true, output: { result: JSON.parse(outcome.result) as JsonValue, ...log } };
}
