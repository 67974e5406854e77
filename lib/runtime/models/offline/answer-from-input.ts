import "server-only";
import { questionOf } from "./answer-from-texts";
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

/** Small jobs on words that need no knowledge: turning a text's case, sorting, counting, listing. Null when it is none of them. */
function answerPlainly(request: string): string | null {
  const found = /^(?<task>[^:\n]{3,120}):\s*(?<body>[\s\S]+)$/.exec(request.trim());
  const task = found?.groups?.task?.toLowerCase() ?? "";
  const body = found?.groups?.body?.trim() ?? "";
  if (body === "") return null;
  const items = itemsOf(body);
  if (/\b(?:upper ?case|capitals)\b/.test(task)) return body.toUpperCase();
  if (/\blower ?case\b/.test(task)) return body.toLowerCase();
  if (/\bcount\b.*\bwords\b|\bhow many words\b/.test(task)) return `**${body.split(/\s+/).length}** words`;
  if (/\bcount\b.*\bcharacters\b/.test(task)) return `**${[...body].length}** characters`;
  if (/\b(?:sort|order|alphabet)/.test(task) && items.length > 1)
    return toList(sorted(items, /\b(?:desc|reverse|z to a|largest first)/.test(task)));
  if (/\b(?:dedup|duplicates|unique|distinct)/.test(task) && items.length > 1) return toList([...new Set(items)]);
  if (/\b(?:bullet|list)\b/.test(task) && items.length > 1) return toList(items);
  if (/\b(?:number|numbered)\b/.test(task) && items.length > 1) return items.map((item, index) => `${index + 1}. ${item}`).join("\n");
  return null;
}

function itemsOf(body: string): string[] {
  const parts = body.includes("\n") ? body.split("\n") : body.split(/[,;]|\band\b/);
  return parts.map((part) => part.replace(/^\s*(?:[-*]|\d+[.)])\s+/, "").trim()).filter(Boolean);
}

function sorted(items: readonly string[], isReversed: boolean): string[] {
  const compare = new Intl.Collator("en", { numeric: true }).compare;
  const inOrder = [...items].sort(compare);
  return isReversed ? inOrder.reverse() : inOrder;
}

function toList(items: readonly string[]): string {
  return items.map((item) => `- ${item}`).join("\n");
}

interface Arithmetic {
  /** As people write it. */
  text: string;
  /** JavaScript made of digits and operators only. */
  code: string;
}

const LIST_OPS: Record<string, (list: string, count: number) => string> = {
  sum: (list) => `[${list}].reduce((a, b) => a + b, 0)`,
  total: (list) => `[${list}].reduce((a, b) => a + b, 0)`,
  average: (list, count) => `[${list}].reduce((a, b) => a + b, 0) / ${count}`,
  mean: (list, count) => `[${list}].reduce((a, b) => a + b, 0) / ${count}`,
  median: (list) =>
    `((s) => s.length % 2 ? s[s.length >> 1] : (s[s.length / 2 - 1] + s[s.length / 2]) / 2)([${list}].sort((a, b) => a - b))`,
  minimum: (list) => `Math.min(${list})`,
  maximum: (list) => `Math.max(${list})`,
};

/** The sum that a text sets: an expression, a percentage, or a list of numbers to add up or average. Null when it sets none. */
function findArithmetic(text: string): Arithmetic | null {
  const plain = text.slice(0, 4000).replaceAll("×", "*").replaceAll("÷", "/").replaceAll("−", "-");
  return percentage(plain) ?? ofList(plain) ?? expression(plain);
}

function percentage(text: string): Arithmetic | null {
  const found = /(\d+(?:\.\d+)?)\s*(?:%|percent)\s+of\s+(\d+(?:\.\d+)?)/i.exec(text);
  if (!found) return null;
  return { text: `${found[1]} % of ${found[2]}`, code: `Number((${bare(found[1])} * ${bare(found[2])} / 100).toPrecision(15))` };
}

function ofList(text: string): Arithmetic | null {
  const found =
    /\b(sum|total|average|mean|median|minimum|maximum)\b[^\d-]{0,40}((?:-?\d+(?:\.\d+)?(?:\s*(?:,|;|and|\s)\s*)?){2,500})/i.exec(text);
  const numbers = found?.[2]?.match(/-?\d+(?:\.\d+)?/g) ?? [];
  const make = LIST_OPS[found?.[1]?.toLowerCase() ?? ""];
  if (!found || !make || numbers.length < 2) return null;
  const list = numbers.map(bare).join(", ");
  return { text: `${found[1]} of ${list}`, code: `Number((${make(list, numbers.length)}).toPrecision(15))` };
}

function expression(text: string): Arithmetic | null {
  const candidates = text.match(/[-\d(][\d\s.+*/^()%-]{1,300}[\d)]/g) ?? [];
  const found = candidates
    .map((part) => part.trim())
    .find((part) => /\d\s*[-+*/^%]\s*[(\d-]/.test(part) && !/^\d{4}-\d\d(?:-\d\d)?$/.test(part) && isBalanced(part));
  if (found === undefined) return null;
  return { text: found, code: `Number((${found.replace(/\d+(?:\.\d+)?/g, bare).replaceAll("^", "**")}).toPrecision(15))` };
}

function isBalanced(text: string): boolean {
  let depth = 0;
  for (const character of text) {
    if (character === "(") depth += 1;
    if (character === ")") depth -= 1;
    if (depth < 0) return false;
  }
  return depth === 0;
}

/** Without leading zeros, which would read as octal. */
function bare(digits: string | undefined): string {
  return (digits ?? "0").replace(/^(-?)0+(?=\d)/, "$1");
}
