import "server-only";
import { z } from "zod";
import type { JsonObject } from "@/lib/model/json-schema/json-value";
import { runPython } from "@/lib/runtime/python/run-python";
import { builtIn } from "@/lib/runtime/tools/built-in";
import { guestRead, keepSaved, toldResult } from "@/lib/runtime/tools/code-files";
import { defineTool } from "@/lib/runtime/tools/define-tool";

const CODE_MAX_CHARACTERS = 100_000;
const FILES_MAX = 20;

/** Computes by Python in a sandbox whose variables stay for the run's next call. */
const runPythonTool = defineTool({
  name: "run_python",
  description: [
    "Run Python 3.14 in a sandbox, with its standard library alone (no numpy, pandas or matplotlib).",
    "The result is the last expression's value; what is printed is shown too. `await` works at the top.",
    "Variables stay for this run's next call; `fresh: true` in a result says that there are none of an earlier one.",
    'files["path"] is the text of a file of the workspace or the run (run:…), of a workbook its first sheet as CSV; read(path) gives its bytes. Those named in `files` lie in the current folder too, for open().',
    "save(path, textOrBytes) stores a file of the run, as does writing into the current folder; other tools find it as run:path, and artifacts hands it over by `from`. run_javascript has writers for Excel, Word, PowerPoint, PDF and charts.",
    "No network, no other files, no processes, no packages to install; 10 seconds, or limits.code_seconds of the agent's config, 640 MB, 64 MiB of files a call. Files stay only if the code ends without an error.",
  ].join(" "),
  kind: "internal",
  // As of run_javascript.
  isOpen: true,
  args: z.strictObject({
    code: z.string().min(1).max(CODE_MAX_CHARACTERS),
    files: z.array(z.string().min(1).max(1024)).max(FILES_MAX).default([]),
  }),
  async execute({ code, files }, context) {
    const { accountId, runId, signal, untimed, codeSeconds } = context;
    const outcome = await runPython({
      code,
      files,
      read: guestRead(context),
      session: runId,
      accountId,
      signal,
      ...(untimed && { untimed }),
      ...(codeSeconds !== undefined && { deadlineMilliseconds: codeSeconds * 1000 }),
    });
    const facts: JsonObject = {
      ...(outcome.log !== "" && { log: outcome.log }),
      ...(outcome.fresh && { fresh: true }),
    };
    if (!outcome.ok) return { succeeded: false, output: { error: outcome.error, ...facts } };
    if (outcome.problem !== undefined)
      return {
        succeeded: false,
        output: { error: outcome.problem, ...toldResult(outcome), ...facts },
      };
    const saved = await keepSaved(outcome.files, context);
    return { succeeded: true, output: { ...toldResult(outcome), ...saved, ...facts } };
  },
});

export const RUN_PYTHON = builtIn(runPythonTool, {
  offered: "config",
  writes: "inside",
  // It costs much to begin.
  listed: "always",
  reaches: true,
  within: true,
  worksDry: true,
  keepsName: true,
  guide: "the same figures where Python is asked for; only where listed",
});
