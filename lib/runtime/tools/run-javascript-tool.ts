import "server-only";
import { z } from "zod";
import type { JsonObject } from "@/lib/model/json-schema/json-value";
import { runGuestCode } from "@/lib/runtime/sandbox/run-guest-code";
import type { BuiltIn } from "@/lib/runtime/tools/built-in";
import { guestMake, guestRead, keepSaved, toldResult } from "@/lib/runtime/tools/code-files";
import { defineTool } from "@/lib/runtime/tools/define-tool";
import { readForCode } from "@/lib/runtime/tools/read-file";
import { type CodeFiles, withSkillFiles } from "@/lib/runtime/tools/skill-files";
import type { RuntimeTool, ToolContext } from "@/lib/runtime/tools/tool";
import type { SkillPort } from "@/lib/runtime/tools/tool-ports";

const CODE_MAX_CHARACTERS = 100_000;
const FILES_MAX = 20;
const FILES_MAX_BYTES = 16 * 1024 * 1024;

const NAME = "run_javascript";

const ARGS = z.strictObject({
  code: z.string().min(1).max(CODE_MAX_CHARACTERS),
  files: z.array(z.string().min(1).max(1024)).max(FILES_MAX).default([]),
});

/**
 * Computes by code in the sandbox, on files of the run, its workspace and its skills, and makes
 * files of it.
 */
function createRunJavascriptTool(skills: SkillPort | null): RuntimeTool {
  return defineTool({
    name: NAME,
    description: [
      "Run JavaScript in a sandbox: for every figure, sum, comparison or change of data, and to " +
        "make files of what it computes.",
      "The result is the last expression's value, or what `return` gives; console.log is shown " +
        "too. `await` works with `return`.",
      'files["path"] is the text of a file of the workspace or the run (run:…), read(path) its ' +
        "bytes (Uint8Array); those named in `files` are read first. readTable(path) gives a CSV, " +
        "TSV, JSON or JSON-lines file as rows, objects with numbers as numbers and gaps as null; " +
        "parseCsv(text) does so of a text.",
      'A workbook\'s first sheet is CSV under its path, each sheet under "path#sheet"; PDF, ' +
        "Word and PowerPoint are text.",
      'A file beside a skill is files["skill:name/path"], and eval of it runs a script.',
      "save(path, textOrBytes) stores a file of the run, with {append: true} as third argument " +
        "piece by piece; other tools find it as run:path, and artifacts hands it over by `from`: " +
        "what is computed is never typed again. So do, of data:",
      "await write.xlsx(path, {sheets: [{name, rows, chart?, columns?, formats?: {col: " +
        '"0.0%"}}]}); write.csv(path, rows); write.docx(path, {title?, markdown}); ' +
        "write.pdf(path, {title?, markdown, max_pages?, landscape?}); write.pptx(path, {title?, " +
        "slides: [{title, markdown, notes?}]}); write.png(path, svg); write.zip(path, paths). In " +
        "place of markdown, content: a list of Markdown, {table: rows}, {chart: spec}, {image: " +
        "path}; Markdown shows a picture of the run by ![words](path).",
      "chart(spec) gives SVG; spec: {type: bar|line|area|pie|scatter, data: rows, x: column, y: " +
        "column or columns, title, horizontal?, stacked?}; on a sheet without data: its rows. A " +
        'cell {formula: "SUM(B2:B9)"} computes.',
      "No network, no timers; 10 seconds, or limits.code_seconds of the agent's config, 256 MB, " +
        "64 MiB of files a call. Only saved files stay between calls, and only if the code ends " +
        "without an error.",
    ].join(" "),
    kind: "read",
    // Of files it computes only in a run with a workspace, which is private from its beginning.
    isOpen: true,
    args: ARGS,
    async execute({ code, files }, context) {
      const { accountId, signal, untimed, codeSeconds } = context;
      const codeFiles = withSkillFiles(context.files, skills);
      const { make, end } = guestMake(context);
      try {
        const outcome = await runGuestCode({
          code,
          files: await readFiles(files, codeFiles, context),
          read: guestRead(codeFiles, context),
          make,
          accountId,
          signal,
          ...(untimed && { untimed }),
          ...(codeSeconds !== undefined && { deadlineMilliseconds: codeSeconds * 1000 }),
        });
        const log: JsonObject = outcome.log === "" ? {} : { log: outcome.log };
        if (!outcome.ok) return { succeeded: false, output: { error: outcome.error, ...log } };
        const saved = await keepSaved(outcome.files, context);
        return { succeeded: true, output: { ...toldResult(outcome), ...saved, ...log } };
      } finally {
        end();
      }
    },
  });
}

export const RUN_JAVASCRIPT: BuiltIn = {
  facts: {
    name: NAME,
    offered: "config",
    writes: "nothing",
    reaches: true,
    within: true,
    worksDry: true,
    keepsName: true,
    rule: "Compute figures with run_javascript, never in your head, and give them exactly.",
    guide:
      "every figure, and files of what it computes: Excel with charts, Word, PDF, slides, CSV, " +
      "PNG; no network",
  },
  make: ({ codeSkills }) => createRunJavascriptTool(codeSkills),
};

async function readFiles(
  paths: string[],
  files: CodeFiles,
  context: ToolContext,
): Promise<Record<string, string>> {
  const texts: [string, string][] = [];
  let left = FILES_MAX_BYTES;
  for (const path of new Set(paths)) {
    const bytes = await files.readBytes(path, left);
    left -= bytes.length;
    texts.push(...(await readForCode(path, bytes, context)));
  }
  return Object.fromEntries(texts);
}
