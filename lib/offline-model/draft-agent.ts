import "server-only";
import { isJsonObject, type JsonObject } from "@/lib/model/json-schema/json-value";
import { type Template, templates } from "@/lib/templates/templates";
import { chooseTools } from "./choose-tools";
import { scheduleNote } from "./edit-agent";
import { capital, cut, keywordsOf, quote } from "./language";
import { objectAt } from "./order";
import { type NamedField, withFields } from "./read-fields";
import { baseVerb } from "./read-job";
import { type Draft, readRequest } from "./read-request";
import { keptMessage } from "./read-settings";
import { changeItems, itemsOf, setSection } from "./skill-text";
import { NOT } from "./what-lacks";

const NAME_MAX_CHARACTERS = 60;
const STEPS_MAX = 12;
const LANGUAGE = /\bin (\p{Lu}\p{Ll}+)$/u;
/** What a creation proposes, and what it tells the person at its end beside that. */
export interface Proposal {
  /** The arguments of `create_agent`. */
  draft: JsonObject;
  /** Where no agent is made: of the arguments of `finish`. */
  end: { outcome: "question" | "refused"; text: string; question: string | null } | null;
  /** Of the arguments of `finish`. */
  notes: { assumptions: string[]; needs: { kind: string; text: string }[] };
}

/**
 * Everything in the draft is the person's own words or follows from the tools, and its `left_out`
 * says what could not be set up.
 */
export function draftAgent(messages: readonly string[], models: readonly string[]): Proposal {
  const draft = readRequest(messages, models);
  const { question, refusal } = draft;
  const said = refusal ?? question;
  const template = nearestTemplate(draft);
  const needs = [...(template?.needs ?? []), ...draft.needs].slice(0, NOTES_MAX);
  return {
    draft:
      template === null
        ? plainAgent(draft, messages.map(keptMessage))
        : fromTemplate(draft, template),
    end:
      said === null
        ? null
        : { outcome: refusal === null ? "question" : "refused", text: said, question },
    notes: {
      assumptions: [
        ...(template === null
          ? []
          : [
              `The work is that of the template ${template.name} (${template.title}), so its skill was taken.`,
            ]),
        ...(template === null && said === null ? workOf(draft) : []),
        ...(draft.hasMemory
          ? ["Memory is switched on, for a model that takes notes; the built-in one takes none."]
          : []),
      ],
      needs: needs.map(({ kind, text }) => ({ kind, text: cut(text, NOTE_MAX_CHARACTERS) })),
    },
  };
}

const WORK_SHOWN = 12;

/**
 * What of the request is work for the agent and set nothing, so that whoever meant a setting by it
 * sees that there is none.
 */
function workOf({ plain, leftOut }: Draft): string[] {
  const named = leftOut.join("\n");
  const clauses = plain.filter((clause) => !named.includes(quote(clause))).slice(0, WORK_SHOWN);
  if (clauses.length === 0) return [];
  return [
    `Taken as what the agent does or minds, in words of its skill and not as settings: ${clauses.map((clause) => `“${cut(clause, 80)}”`).join(", ")}.`,
  ];
}

/** The template that speaks of everything that the request does; null when there is none. */
function nearestTemplate({ steps, inputs, agent }: Draft): Template | null {
  const wanted = keywordsOf(steps.join(" ")).filter(
    (word) => !/^(?:workspac|agent|help)$/.test(word),
  );
  if (wanted.length < 3 || inputs.length > 0 || agent.config.output_schema !== undefined)
    return null;
  // The built-in model offers what it does right itself.
  const fitting = templates()
    .filter(({ isForRules }) => isForRules)
    .find((template) => {
      const { name, description, skill_content } = template.document;
      const subject = new Set(keywordsOf(`${template.title} ${name} ${description}`));
      const words = new Set([...subject, ...keywordsOf(skill_content)]);
      // A word of its skill may stand there by the way; half of them must be what it is about.
      return (
        wanted.every((word) => words.has(word)) &&
        wanted.filter((word) => subject.has(word)).length * 2 >= wanted.length
      );
    });
  return fitting ?? null;
}

function fromTemplate(
  { agent, rules, leftOut, schedule }: Draft,
  { document }: Template,
): JsonObject {
  const name = agent.name || document.name;
  const skill = document.skill_content.replace(/^# .*$/m, `# ${name}`);
  const withRules = rules.reduce(
    (text, rule) => changeItems(text, "rule", itemsOf(text, "rule").length, 0, [rule]),
    skill,
  );
  return {
    name,
    description: document.description,
    skill_content: schedule ? setSection(withRules, "Schedule", scheduleNote(schedule)) : withRules,
    config: { ...document.config, ...agent.config } as JsonObject, // a document's config is JSON by its reading
    write_autonomy: agent.autonomy,
    left_out: shownLeftOut(leftOut),
  };
}

const NOTES_MAX = 20;
const NOTE_MAX_CHARACTERS = 500;

function shownLeftOut(leftOut: readonly string[]): string[] {
  return leftOut.slice(0, NOTES_MAX).map((left) => cut(left, NOTE_MAX_CHARACTERS));
}

function plainAgent(
  {
    agent,
    steps,
    rules,
    leftOut,
    plain,
    background,
    schedule,
    inputs,
    hasMemory,
    onlyTools,
  }: Draft,
  messages: readonly string[],
): JsonObject {
  const goal = plain.find((clause) => !NOT.test(clause.split(" ", 2).join(" "))) ?? plain[0] ?? "";
  const shown = [...new Set(steps.length > 0 ? steps : ["Do what the request asks"])].slice(
    0,
    STEPS_MAX,
  );
  const tools =
    onlyTools ??
    chooseTools(
      plain,
      shown.length,
      leftOut,
      agent.config.tools,
      [objectAt(agent.config, "permissions").ask ?? []].flat().map(String),
    );
  const name = (agent.name || nameOf(goal)).slice(0, NAME_MAX_CHARACTERS).trim();
  const language = steps.map((step) => LANGUAGE.exec(step)?.[1]).find(Boolean);
  agent.description ||= cut(`${describeGoal(goal, shown)}.`, 300);
  const usage = [
    "Use this whenever someone asks for the following:",
    ...messages
      .join("\n")
      .slice(0, 20_000)
      .split("\n")
      .map((line) => `> ${line}`),
  ];
  const skillRules = [
    ...rules,
    ...(language ? [`Answer in ${language}.`] : []),
    ...(tools.includes("run_javascript")
      ? ["Compute every figure with code; never estimate."]
      : []),
    "Name the files or pages that the answer rests on, and say so when something is missing.",
  ];
  const sections: [heading: string, text: string][] = [
    ...(background.length > 0
      ? [["Background", background.map((said) => `- ${said}`).join("\n")] as [string, string]]
      : []),
    ["When to use", `${usage[0]}\n\n${usage.slice(1).join("\n")}`],
    ["Steps", shown.map((step, index) => `${index + 1}. ${step}`).join("\n")],
    [
      "Output",
      tools.includes("artifacts")
        ? "A short answer in Markdown, and the full text as a file."
        : "A short answer in Markdown: the result first, then how it came about.",
    ],
    ["Rules", skillRules.map((rule) => `- ${rule}`).join("\n")],
    ...(schedule ? [["Schedule", scheduleNote(schedule)] as [string, string]] : []),
    ...(leftOut.length > 0
      ? [["Not set up", leftOut.map((left) => `- ${left}`).join("\n")] as [string, string]]
      : []),
  ];
  const own = Array.isArray(agent.config.starters) ? agent.config.starters : [];
  const starters = [
    ...own,
    `${cut(shown[0] ?? "", 200)}.`,
    ...(tools.includes("run_javascript") ? ["Summarise the data file in the workspace."] : []),
  ];
  return {
    name,
    description: agent.description,
    skill_content: [
      `# ${name}`,
      agent.description,
      ...sections.flatMap(([heading, text]) => [`## ${heading}`, text]),
    ].join("\n\n"),
    config: {
      ...agent.config,
      inputs: inputsOf(plain.join("\n"), inputs),
      tools: {
        ...(isJsonObject(agent.config.tools) && agent.config.tools),
        builtin: tools,
        ...(hasMemory && { memory: true }),
      },
      starters,
    },
    write_autonomy: agent.autonomy,
    left_out: shownLeftOut(leftOut),
  };
}

function inputsOf(text: string, fields: readonly NamedField[]): JsonObject {
  const request = {
    type: "string",
    title: "Request",
    description: "What to do this time. Without it, the agent does what its skill says.",
  };
  const file = {
    type: "string",
    title: "File",
    description: "Name of a file in the workspace. Without it, the agent picks the one that fits.",
  };
  const hasFile =
    /\b(?:files?|csv|tsv|json|pdfs?|docx|pptx|xlsx|excel|spreadsheets?|documents?|datasets?)\b/i.test(
      text,
    );
  return withFields(
    { type: "object", properties: { request, ...(hasFile && { file }) } },
    fields.filter(({ name }) => name !== "request" && name !== "file"),
  );
}

/** The goal in the third person; put together from the steps when it was given as an order. */
function describeGoal(goal: string, steps: readonly string[]): string {
  const [first = ""] = goal.split(" ");
  if (goal !== "" && baseVerb(first) === null) return `Helps with ${goal}`;
  const clauses = steps
    .slice(0, 4)
    .map((step, index) => (index === 0 ? capital(toThirdPerson(step)) : toThirdPerson(step)));
  return clauses.length > 1
    ? `${clauses.slice(0, -1).join(", ")} and ${clauses.at(-1)}`
    : (clauses[0] ?? "Does what the request asks");
}

function toThirdPerson(step: string): string {
  const [first = "", ...rest] =
    step.charAt(0).toLowerCase() + step.slice(1).split(/(?= )/).join("");
  const [verb = "", ...words] = [first, ...rest].join("").split(" ");
  if (baseVerb(verb) === null) return [verb, ...words].join(" ");
  return [
    /(?:s|x|z|ch|sh)$/.test(verb)
      ? `${verb}es`
      : /[^aeiou]y$/.test(verb)
        ? `${verb.slice(0, -1)}ies`
        : `${verb}s`,
    ...words,
  ].join(" ");
}

const ENDS =
  /^(?:and|or|then|that|which|who|with|from|for|in|on|at|by|per|to|into|so|using|when|if|every|each|as|where|while|because|of|about)$/i;
const SKIPPED = /^(?:a|an|the|my|our|your|its|their|any|some|all|given|uploaded|me|us)$/i;
const NAME_MAX_WORDS = 5;

/**
 * The object of the goal and what someone who does this is called: `reads a CSV of daily weather`
 * makes a Daily Weather Reader.
 */
function nameOf(goal: string): string {
  const [clause = ""] = goal
    .replace(/https?:\/\/\S+/g, "")
    .replace(/(\w)\.\w{2,5}\b/g, "$1")
    .split(/[:;,.](?=\s|$)/);
  const words = clause
    .split(/\s+/)
    .map((word) => word.replace(/^[^\p{L}\p{N}]+|[^\p{L}\p{N}]+$/gu, ""));
  const verb = baseVerb(words[0] ?? "");
  const rest = verb === null ? words : words.slice(1);
  const of = rest.findIndex((word) => /^of$/i.test(word));
  const object: string[] = [];
  for (const word of of > 0 && of <= 4 && rest.slice(0, of).every((word) => !ENDS.test(word))
    ? rest.slice(of + 1)
    : rest) {
    if (ENDS.test(word) && object.length > 0) break;
    if (word !== "" && !SKIPPED.test(word) && !ENDS.test(word)) object.push(word);
    if (object.length === NAME_MAX_WORDS) break;
  }
  const role =
    verb === null
      ? "Agent"
      : /ate$/.test(verb)
        ? `${verb.slice(0, -1)}or`
        : /[^aeiou]y$/.test(verb)
          ? `${verb.slice(0, -1)}ier`
          : /e$/.test(verb)
            ? `${verb}r`
            : `${verb}er`;
  const name = [...object, role].map(capital).join(" ");
  return name.length > NAME_MAX_CHARACTERS
    ? name.slice(0, NAME_MAX_CHARACTERS).replace(/\s+\S*$/, "") || "Agent"
    : name;
}
