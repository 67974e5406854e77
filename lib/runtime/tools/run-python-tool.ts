import "server-only";
import { z } from "zod";
import type { JsonObject } from "@/lib/model/json-schema/json-value";
import type { RanFile } from "@/lib/runtime/models/providers/ran-code";
import { runPython } from "@/lib/runtime/python/run-python";
import type { GuestFile } from "@/lib/runtime/sandbox/run-guest-code";
import type { BuiltIn } from "@/lib/runtime/tools/built-in";
import { guestRead, keepSaved, toldResult } from "@/lib/runtime/tools/code-files";
import { defineTool } from "@/lib/runtime/tools/define-tool";
import type { ModelCode } from "@/lib/runtime/tools/model-code";
import { withSkillFiles } from "@/lib/runtime/tools/skill-files";
import type { RuntimeTool } from "@/lib/runtime/tools/tool";
import type { SkillPort } from "@/lib/runtime/tools/tool-ports";

const CODE_MAX_CHARACTERS = 100_000;
const FILES_MAX = 20;

const NAME = "run_python";

const ARGS = z.strictObject({
  code: z.string().min(1).max(CODE_MAX_CHARACTERS),
  files: z.array(z.string().min(1).max(1024)).max(FILES_MAX).default([]),
});
const ARGS_THERE = ARGS.pick({ code: true });

/** Where Python computes here, as a model is told of it: what there is, and what there is not. */
const SANDBOX = {
  has:
    "Run Python 3.14 in a sandbox, with its standard library alone (no numpy, pandas or " +
    "matplotlib).",
  lacks: "No network, no other files, no processes, no packages to install",
  memory: "640 MB",
};
const CONTAINER = {
  has:
    "Run Python 3 in a container, with its standard library and the packages that the operator " +
    "put into its image: import numpy, pandas or matplotlib to see whether they are there.",
  lacks: "No network, no other files, no packages to install",
  memory: "1 GB with the files",
};

/**
 * Computes by Python in a sandbox, or a container, whose variables stay for the run's next call.
 */
function runPythonHere(skills: SkillPort | null, hasImage: boolean): RuntimeTool {
  const { has, lacks, memory } = hasImage ? CONTAINER : SANDBOX;
  return defineTool({
    name: NAME,
    description: [
      has,
      "The result is the last expression's value; what is printed is shown too. `await` works at " +
        "the top.",
      "Variables stay for this run's next call; `fresh: true` in a result says that there are " +
        "none of an earlier one.",
      'files["path"] is the text of a file of the workspace or the run (run:…), of a workbook ' +
        "its first sheet as CSV; read(path) gives its bytes. Those named in `files` lie in the " +
        "current folder too, for open().",
      'Scripts beside a skill: with files: ["skill:name"] all of them lie in the folder name/; ' +
        'run_script("name/scripts/x.py", "in.csv", …) runs one as its command line would.',
      "save(path, textOrBytes) stores a file of the run, as does writing into the current " +
        "folder; other tools find it as run:path, and artifacts hands it over by `from`. " +
        "run_javascript has writers for Excel, Word, PowerPoint, PDF and charts.",
      `${lacks}; 10 seconds, or limits.code_seconds of the agent's config, ${memory}, 64 MiB of ` +
        "files a call. Files stay only if the code ends without an error.",
    ].join(" "),
    kind: "internal",
    // As of run_javascript.
    isOpen: true,
    args: ARGS,
    async execute({ code, files }, context) {
      const { accountId, runId, signal, untimed, codeSeconds } = context;
      const codeFiles = withSkillFiles(context.files, skills);
      const named: string[] = [];
      for (const path of files) named.push(...(await codeFiles.namesOf(path)));
      const outcome = await runPython({
        code,
        files: [...new Set(named)],
        read: guestRead(codeFiles, context),
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
}

/** Of what was run in place of the code, as a model is shown it. */
const OTHER_MAX_CHARACTERS = 4_000;
const FIGURES_MAX = 10;
const EXTENSIONS: Readonly<Record<string, string>> = {
  "image/png": "png",
  "image/jpeg": "jpg",
  "image/svg+xml": "svg",
  "image/webp": "webp",
};

/** Computes by Python on the servers of the provider of the run's model. */
function runPythonThere(there: ModelCode): RuntimeTool {
  return defineTool({
    name: NAME,
    description: [
      "Run Python in a container of the model's provider, with numpy, pandas and matplotlib.",
      "You get what it prints, with its errors; print what you need. Nothing stays for the next " +
        "call.",
      "No files of the workspace or the run are there, no network: what it computes on stands in " +
        "the code. For larger data use run_javascript, which reads files.",
      "Figures that are shown become files of the run where the provider's answer holds them; " +
        "other files that it writes are lost.",
    ].join(" "),
    kind: "internal",
    // As of run_javascript.
    isOpen: true,
    args: ARGS_THERE,
    async execute({ code }, context) {
      const { output, failed, files, other } = await there.run(code, context);
      const carried = files.filter(({ bytes }) => bytes !== null).slice(0, FIGURES_MAX);
      const lost = files.length - carried.length;
      const saved = await keepSaved(toSaved(carried, context.toolCallId), context);
      return {
        succeeded: !failed,
        output: {
          output,
          ...saved,
          ...(lost > 0 && {
            files_lost: lost,
            note:
              "Files that the code made stay with the model's provider and cannot be had from " +
              "there: its answer does not hold them.",
          }),
          ...(other !== null && {
            ran_instead: other.slice(0, OTHER_MAX_CHARACTERS).toWellFormed(),
            warning: "The provider's model ran other code than was asked for.",
          }),
        },
      };
    },
  });
}

/** Named after their call, so that those of another one stay. */
function toSaved(files: readonly RanFile[], toolCallId: string): GuestFile[] {
  const call = toolCallId.replace(/[^A-Za-z0-9_-]/g, "").slice(-40) || "call";
  return files.flatMap(({ type, bytes }, at) =>
    bytes === null
      ? []
      : [{ path: `python/${call}-${at + 1}.${EXTENSIONS[type ?? ""] ?? "bin"}`, bytes }],
  );
}

export const RUN_PYTHON: BuiltIn = {
  facts: {
    name: NAME,
    offered: "config",
    writes: "inside",
    // It costs much to begin.
    listed: "always",
    reaches: true,
    within: true,
    worksDry: true,
    keepsName: true,
    guide: "the same figures where Python is asked for; only where listed",
    guideWithImage:
      "numpy, pandas and matplotlib where the operator's image has them, else with tools.python: " +
      "provider",
    guideWithoutImage: "numpy, pandas and matplotlib only with tools.python: provider",
  },
  make: ({ modelCode, codeSkills, pythonImage }) =>
    modelCode ? runPythonThere(modelCode) : runPythonHere(codeSkills, pythonImage),
};
