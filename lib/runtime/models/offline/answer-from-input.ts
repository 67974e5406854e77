import "server-only";
import { questionOf } from "./answer-from-texts";
import { answerPlainly } from "./answer-plainly";
import { findArithmetic } from "./find-arithmetic";
import { call, type OfflineTurn, say } from "./offline-turn";
import type { PickedFiles } from "./pick-files";
import { quoteSources } from "./quote-sources";
import type { Job } from "./read-job";
import type { RunState } from "./run-state";

/** Answers from the request alone, and says plainly what a model of rules cannot do. */
export function answerFromInput(job: Job, state: RunState, files: PickedFiles): OfflineTurn {
  if (files.missing.length > 0) return say(describeMissing(files, state));
  if (job.material.length > 0)
    return say(
      quoteSources(
        questionOf(job),
        job.material.map((material) => ({ ...material, isWhole: true })),
      ),
    );
  const sum = findArithmetic(job.request);
  if (sum !== null && job.tools.has("run_javascript")) {
    if (state.value !== null) return say(`${sum.text} = **${String(state.value.result)}**`);
    if (state.codeError === null) return call([{ name: "run_javascript", input: { code: sum.code } }], `Compute ${sum.text}.`);
    return say(`${sum.text} could not be computed: ${state.codeError}`);
  }
  const plain = answerPlainly(job.request);
  return say(plain ?? describeLimits(job, state));
}

function describeMissing(files: PickedFiles, state: RunState): string {
  const there = (state.files ?? []).slice(0, 20).map(({ path }) => `- \`${path}\``);
  const list = there.length > 0 ? `\n\nThe workspace has:\n${there.join("\n")}` : " This run has no files.";
  return `There is no file ${files.missing.map((name) => `\`${name}\``).join(", ")} to work on.${list}`;
}

function describeLimits(job: Job, state: RunState): string {
  const subject = job.request.replace(/\s+/g, " ").slice(0, 200);
  const parts = [
    `This run used \`builtin/offline\`, a model of rules without knowledge of the world, and it cannot answer this by itself: “${subject}”.`,
  ];
  if (job.steps.length > 0)
    parts.push(`The agent's skill asks for these steps:\n${job.steps.map((step, index) => `${index + 1}. ${step}`).join("\n")}`);
  const binary = (state.files ?? []).slice(0, 10).map(({ path }) => `\`${path}\``);
  if (binary.length > 0) parts.push(`It found files that it cannot read: ${binary.join(", ")}.`);
  parts.push(
    "What it can do: compute on CSV, TSV and JSON files of the run's workspace, quote text files by a question, work on a table or text given in the input, and calculate. For anything else switch on a model, for instance with `OPENAI_COMPATIBLE_BASE_URL` or a vendor's key.",
  );
  return parts.join("\n\n");
}
