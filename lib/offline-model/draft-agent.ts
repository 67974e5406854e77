import "server-only";
import type { FormAgent } from "@/lib/model/agent-config/agent-form";
import { isJsonObject, type JsonObject, type JsonValue } from "@/lib/model/json-schema/json-value";
import { SKILL_CONTENT_MAX_BYTES } from "@/lib/model/limits";
import { type Template, templates } from "@/lib/templates/templates";
import { cut, nameWords, stem } from "./language";
import { type AgentRequest, nameOfTask, readAgentRequest, splitSentences } from "./request-text";
import { TASK_HEADING } from "./skill-text";

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
 * Without a line `tools:` an agent has what reads inside the service and writes nothing outside.
 */
const TOOLS = ["workspace_files", "run_javascript", "todo", "artifacts"];
const DESCRIPTION_MAX_CHARACTERS = 300;
const NO_TASK = "What should the agent do? Say it in a sentence or more: they become its task.";
const TOO_LONG = "The request is too long to stand in an agent's skill. Please shorten it.";
const HOW =
  "No language model read this request: it stands word for word as the agent's task, and only " +
  "lines such as `max_steps: 8` are settings.";

const UNSET: FormAgent = {
  name: "",
  description: "",
  writeAutonomy: "approval_required",
  config: { version: 1 },
};

/**
 * An agent whose task is the request, word for word, with the settings of the request's form and no
 * others. Of every sentence that set nothing its `left_out` says so.
 */
export function draftAgent(messages: readonly string[], models: readonly string[]): Proposal {
  const request = readAgentRequest(messages.join("\n\n"), UNSET, {
    isKnownModel: (id) => models.includes(id),
  });
  const template = fittingTemplate(request);
  const draft = template === null ? plainAgent(request) : fromTemplate(request, template);
  const isTooLong =
    Buffer.byteLength(String(draft.skill_content), "utf8") > SKILL_CONTENT_MAX_BYTES;
  return {
    draft,
    end:
      request.task === ""
        ? { outcome: "question", text: NO_TASK, question: NO_TASK }
        : isTooLong
          ? { outcome: "refused", text: TOO_LONG, question: null }
          : null,
    notes: {
      assumptions: [
        template === null
          ? HOW
          : `Every word of the request is one of the template ${template.name} ` +
            `(${template.title}), so its skill was taken.`,
      ],
      needs: (template?.needs ?? []).map(({ kind, text }) => ({ kind, text })),
    },
  };
}

function plainAgent({ agent, task, prose, refused }: AgentRequest): JsonObject {
  const name = agent.name || nameOfTask(task);
  const [first = ""] = splitSentences(task).filter((part) => part.trim() !== "");
  return {
    name,
    description: agent.description || cut(first.trim(), DESCRIPTION_MAX_CHARACTERS),
    skill_content: `# ${name}\n\n## ${TASK_HEADING}\n\n${task}\n`,
    config: withTools(agent.config, { builtin: TOOLS }),
    write_autonomy: agent.writeAutonomy,
    left_out: leftOut(splitSentences(prose), refused),
  };
}

function fromTemplate({ agent, task, refused }: AgentRequest, { document }: Template): JsonObject {
  const name = agent.name || document.name;
  const config = document.config as JsonObject; // JSON by its reading
  const skill = document.skill_content.replace(`# ${document.name}`, () => `# ${name}`).trimEnd();
  return {
    name,
    description: agent.description || document.description,
    skill_content: `${skill}\n\n## Asked for\n\n${task}\n`,
    config: withTools({ ...config, ...agent.config }, config.tools),
    write_autonomy: agent.writeAutonomy,
    left_out: leftOut([], refused),
  };
}

/** A line that says another thing of tools leaves those that there are. */
function withTools(config: JsonObject, before: JsonValue | undefined): JsonObject {
  const [own, given] = [config.tools, before].map((tools) => (isJsonObject(tools) ? tools : {}));
  return { ...config, tools: { ...given, ...own } };
}

const NOTES_MAX = 20;
const NOTE_MAX_CHARACTERS = 1000;
const QUOTE_MAX_CHARACTERS = 900;
const LEAD = "No setting was made of ";

/** Quotes what set nothing: each sentence by itself, or, where they are many, several in a note. */
function leftOut(sentences: readonly string[], refused: AgentRequest["refused"]): string[] {
  const problems = refused.map(({ line, problem }) =>
    cut(`No setting: ${quoted(cut(line, 400))}. ${problem}`, NOTE_MAX_CHARACTERS),
  );
  const quotes = sentences
    .filter((sentence) => sentence.trim() !== "")
    .map((sentence) => quoted(cut(sentence.trim(), QUOTE_MAX_CHARACTERS)));
  const notes = [...problems, ...quotes.map((quote) => `${LEAD}${quote}.`)];
  if (notes.length <= NOTES_MAX) return notes;
  const packed = [...packedNotes(problems, ""), ...packedNotes(quotes, LEAD)];
  if (packed.length <= NOTES_MAX) return packed;
  return [
    ...packed.slice(0, NOTES_MAX - 1),
    "No setting was made of the sentences behind these either. All of them stand in the skill.",
  ];
}

function packedNotes(texts: readonly string[], lead: string): string[] {
  const notes: string[] = [];
  for (const text of texts) {
    const last = notes.at(-1);
    if (last !== undefined && last.length + text.length < NOTE_MAX_CHARACTERS)
      notes[notes.length - 1] = `${last} ${text}`;
    else notes.push(`${lead}${text}`);
  }
  return notes;
}

function quoted(text: string): string {
  return `“${text}”`;
}

/** Words that say nothing of what an agent does, and turn no meaning round. */
const EMPTY_WORDS: ReadonlySet<string> = new Set(
  (
    "a an the this that which who it its of in on at to for from with and as is are be they them " +
    "their my me our us i we want need please make create build agent assistant bot"
  ).split(" "),
);
/** What these turn round no template speaks of, though they stand in its description. */
const TURNING_WORDS: ReadonlySet<string> = new Set(
  "no not never none nothing without only except but if unless when or than".split(" "),
);
const SUBJECTS_MIN = 3;
const TASK_MAX_CHARACTERS = 500;

/**
 * The template that speaks of every word of the task, in what it says of itself: its title, name
 * and description. Null when there is none: one word, or one sign, that none speaks of is enough.
 */
function fittingTemplate({ task, agent }: AgentRequest): Template | null {
  if (agent.config.inputs !== undefined || agent.config.output_schema !== undefined) return null;
  if (task.length > TASK_MAX_CHARACTERS || !/^[\p{L}\p{N}\s.,:'\u2019-]*$/u.test(task)) return null;
  const words = new Set(nameWords(task).map(stem));
  const wanted = [...words].filter((word) => !EMPTY_WORDS.has(word));
  if (wanted.length < SUBJECTS_MIN || wanted.some((word) => TURNING_WORDS.has(word))) return null;
  return (
    templates()
      // The built-in model offers what it does right itself.
      .filter(({ isForRules }) => isForRules)
      .find(({ title, document: { name, description } }) => {
        const spoken = new Set(nameWords(`${title} ${name} ${description}`).map(stem));
        return wanted.every((word) => spoken.has(word));
      }) ?? null
  );
}
