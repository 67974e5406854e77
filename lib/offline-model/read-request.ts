import "server-only";
import type { TemplateNeed } from "@/lib/templates/templates";
import { unsetForm } from "./check-form";
import { applyToConfig, type EditedAgent } from "./edit-config";
import { takeFieldLists, withoutLists } from "./field-lists";
import { isFunctionWord, keywordsOf, nameWords, quote } from "./language";
import { type NamedField, readInputs, readOutput, withFields } from "./read-fields";
import { baseVerb, clausesOf, READ_MAX_CHARACTERS, toImperative } from "./read-job";
import { keptMessage, takeSettings } from "./read-settings";
import {
  CONNECTOR,
  EMPTY,
  endOf,
  isBackground,
  looksByItself,
  saysNothing,
  scheduleIn,
  takenBack,
  WORK_NAMED,
  whatLacks,
  whyOnlyWords,
} from "./what-lacks";

const LEAD_IN =
  /^(?:(?:please|pls|hi|hello|hey)[,!.]?\s+)*(?:(?:can|could|would) you (?:please )?)?(?:(?:i|we) (?:want|need|would like|'d like)(?: (?:you )?to have)?\s+|(?:create|make|build|set up|generate|design|write|give me|give us|develop)(?: me| us)?\s+)?(?:(?:an?|the|my|our|one)\s+)?(?:(?:new|simple|small|smart|helpful|personal|ai|good)\s+)*(?:[\p{L}'’-]+\s+){0,3}?(?:agent|assistant|bot|helper)\b(?:,? please,?)?\s*|^[^.:;]{3,60}?\s(?:wants?|needs?|asks? for|would like|requires?)\s+(?:an?|one)\s+(?:\p{L}+\s+){0,2}(?:agent|assistant|bot|helper)\b\s*|^for [^.:;]{3,60}:\s*(?:an?\s+)?(?:\p{L}+\s+){0,2}(?:agent|assistant|bot|helper)\b\s*|^(?:one|something|(?:i|we) (?:want|need|would like) (?:it|one|something))\s+(?=(?:that|which|who|to)\b)/iu;
/** `Pottery studio: I need an agent …` */
const DOMAIN =
  /^[\p{L}\p{N}'’& -]{3,60}:\s+(?=(?:please |(?:could|can|would) you |(?:i|we)(?:['’]d| would)? (?:like|want|need|love)\b|(?:build|make|create|set up|write|give me)\b|an? (?:\p{L}+ ){0,2}(?:agent|assistant|bot)\b))/iu;
const LINK =
  /^(?:and\s+)?(?:(?:that|which|who)\s+(?:can\s+|will\s+|should\s+|could\s+)?|to\s+(?:help\s+(?:me|us)\s+(?:to\s+)?)?|for\s+(?:the\s+)?|(?:it|the agent|this agent)\s+(?:(?:should|must|will|can|shall|has to|have to|may)\s+)?(?:also\s+)?|(?:should|must|will|can|shall|has to|have to|may)\s+(?:also\s+)?|(?:also|then|and|finally|please)[, ]\s*|(?:be able to|(?:let|have|make) (?:it|the agent)(?: also)?)\s+|[:,]\s*)+/i;
const RULE =
  /^(?:it (?:should |must |shall )?)?(?:always|never|do not|don't|avoid|make sure|ensure|be |keep |use (?:a |an )?[\p{L}\s,]{0,40}(?:tone|style|language)|answer in|reply in|write in|respond in|only )/iu;
const ORDERS_TO_MODELS =
  /^(?:system|admin|developer|assistant)\s*:|\b(?:ignore|disregard|forget)\b.{0,40}\b(?:instructions?|rules|prompts?|person|above|previous)\b/i;
const DOCUMENT = /\b(?:pdf|docx|pptx|xlsx|excel|powerpoint)s?\b/i;
const MEMORY =
  /\bacross (?:runs|conversations|sessions|chats)\b|\bsince (?:the |its )?last (?:run|time|visit)\b|\bremembers?\b(?! (?:nothing|no\b|to\b))|\bmemori[sz]es?\b|\b(?:keeps?|takes?) notes? (?:about|of|on) (?:each|every|its)\b/i;
/** A request for an agent, clause by clause. */
export interface Draft {
  agent: EditedAgent;
  steps: string[];
  rules: string[];
  leftOut: string[];
  /** What somebody has to add for what was left out. */
  needs: TemplateNeed[];
  /** Clauses that say what the agent does. */
  plain: string[];
  /** Clauses about whoever asks. */
  background: string[];
  schedule: string;
  inputs: NamedField[];
  hasMemory: boolean;
  /** Its built-in tools, where all of them are said. */
  onlyTools: string[] | null;
  /** What it asks, or why it makes no agent; null when there is work to set up. */
  question: string | null;
  refusal: string | null;
}

/**
 * Takes a request apart. What is neither set up nor done by an agent with its tools is named in
 * `leftOut`.
 */
export function readRequest(said: readonly string[], models: readonly string[]): Draft {
  // Whoever was asked to say it once more has said it anew.
  const messages = said.slice(
    Math.max(
      0,
      said.findLastIndex((message, at) => at < said.length - 1 && takenBack(message) !== null) + 1,
    ),
  );
  const agent: EditedAgent = {
    name: "",
    description: "",
    skill: "",
    config: { version: 1 },
    autonomy: "approval_required",
  };
  const found = {
    steps: [],
    rules: [],
    leftOut: [],
    needs: [],
    plain: [],
    background: [],
    schedule: "",
    inputs: [],
    hasMemory: false,
    onlyTools: null,
  };
  const draft: Draft = { agent, ...found, ...endOf(messages) };
  const lists = takeFieldLists(
    messages.map((message) => takeSettings(message, draft, models)).join("\n"),
  );
  draft.inputs.push(...lists.inputs);
  if (lists.outputs.length > 0) setOutput(draft, lists.outputs);
  const isEnglish = /\b(?:the|that|with|and|it|for|from)\b/i.test(lists.text);
  const back =
    takenBack(lists.text) ?? droppedAgain(lists.text, [...lists.inputs, ...lists.outputs]);
  if (back !== null && draft.refusal === null && draft.question === null)
    draft.question = `The request takes back something that it said before (${quote(back)}), and the built-in model, which reads one sentence after the other, would set up both. Please say it once more, only as it is meant now.`;
  for (const masked of clausesOf(lists.text)) {
    // `an agent with the inputs …, that works out …`: they are set.
    const clause = lists.restore(masked.replace(WITH_LIST, " "));
    if (isListAlone(masked) || saysNothing(clause)) continue;
    const schedule = scheduleIn(clause);
    draft.schedule = schedule?.trim() || draft.schedule;
    const text = withoutLeadIn(schedule === null ? clause : clause.replace(schedule, " "));
    if (isBackground(clause, draft.plain.length === 0, isEnglish)) {
      draft.background.push(text);
      continue;
    }
    // `Stop after 2 minutes: find …` sets a limit and then says what to do.
    const [, head = "", tail = ""] = /^([^:]{3,60}):\s+(.+)$/s.exec(text) ?? [];
    const isHead = head !== "" && applyToConfig(agent, head, models) !== null;
    for (const part of isHead ? [tail] : [text])
      if (part.length >= 2)
        for (const one of tasksOf(part))
          readClause(draft, one, models, withoutLists(masked).hasList);
  }
  const isUnsaid =
    draft.plain.length + lists.outputs.length === 0 &&
    draft.question === null &&
    draft.refusal === null;
  // `12, please` says again only what was taken back, and nothing of the rest.
  if (isUnsaid && messages.length < said.length)
    draft.question =
      "What should the agent do? Please say the whole request once more, only as it is meant now.";
  else if (isUnsaid)
    draft.leftOut.push("What it is to do is not said: it does what each request asks");
  const subject = subjectOf(messages);
  if (subject && !namesAll(draft, subject)) draft.rules.push(`This is the work of a ${subject}`);
  draft.leftOut.push(...contradictionsIn(draft.plain));
  draft.leftOut.push(
    ...unsetForm(
      messages.map((message) => keptMessage(message.slice(0, READ_MAX_CHARACTERS))),
      draft,
    ),
  );
  if (draft.schedule) {
    draft.leftOut.push(
      `${quote(draft.schedule)}: not set up; an agent starts by a schedule that is added to it`,
    );
    draft.needs.push({
      kind: "schedule",
      text: `A schedule for ${quote(draft.schedule)}, on the agent's page or by POST /v1/agents/{agent_id}/schedules.`,
    });
  }
  return draft;
}

/** What stands before `agent` and says what for: `cheese labels agent`. */
function subjectOf(messages: readonly string[]): string | null {
  const [, words = "", noun = ""] =
    /^(?:(?:please|pls|hi|hello|hey)[,!.]?\s+)*(?:(?:i|we)(?:'d like| would like| want| need)|(?:create|make|build|set up|give me|write|design)(?: me| us)?)?\s*(?:(?:an?|the|my|our|one)\s+)?((?:[\p{L}-]+\s+){1,3})(agent|assistant|bot|helper)\b/iu.exec(
      messages[0] ?? "",
    ) ?? [];
  const kept = words
    .trim()
    .split(/\s+/)
    .filter((word) => !isFunctionWord(word.toLowerCase()) && !EMPTY.test(word.toLowerCase()));
  return kept.length > 0 && baseVerb(kept[0] ?? "") === null
    ? `${kept.join(" ")} ${noun.toLowerCase()}`
    : null;
}

/** Whether the agent says each word of it already. */
function namesAll({ agent, plain }: Draft, subject: string): boolean {
  const said = new Set(keywordsOf(`${agent.name} ${plain.join(" ")}`));
  return keywordsOf(subject).every((word) => said.has(word) || WORK_NAMED.test(word));
}

/** What is both forbidden and asked for, by its verb. */
function contradictionsIn(clauses: readonly string[]): string[] {
  const verbs = clauses.map((clause) => baseVerb(clause.split(/\s+/)[0] ?? ""));
  return clauses.flatMap((clause) => {
    const verb = baseVerb(
      /^(?:it )?(?:must |should |may |shall )?(?:never|not|do not|don't|does not)\s+(\S+)/i.exec(
        clause,
      )?.[1] ?? "",
    );
    const other = verb === null ? -1 : verbs.indexOf(verb);
    const asked = clauses[other];
    if (verb === null || asked === undefined) return [];
    const isAll = /\b(?:anything|everything|all|any|every)\b/i.test(clause);
    return isAll
      ? [
          `${quote(clause)} and ${quote(asked)} do not go together; both stand in the skill as words only`,
        ]
      : [];
  });
}

const NEXT_VERB =
  /(?:,\s+(?:and\s+)?|\s+and\s+)(?:that\s+)?(?=\p{Ll}{3,}s\s+(?:the|an?|my|our|your|his|her|their|its|it|them|me|us|all|each|every|what|how|which|whether|who|nothing|no)\b)/u;

/**
 * The tasks of `do everything that he did: open the mail, sort it`, and of `waters the plants,
 * feeds the cat`, each for itself.
 */
function tasksOf(text: string): string[] {
  const [, head = "", list = ""] = /^([^:]{3,80}):\s+([^:]+)$/s.exec(text) ?? [];
  const tasks = list.split(/\s*[,;]\s*(?:and\s+)?/).filter((task) => task.length >= 3);
  const isList = tasks.length > 1 && tasks.every((task) => /^\p{Ll}+\s/u.test(task));
  const isAll = /\b(?:everything|all|the following|these)\b/i.test(head) && !whatLacks(head);
  const said = isList
    ? [...(isAll ? [] : [head]), ...tasks.map((task) => withoutLeadIn(task))]
    : [text];
  return said.flatMap((task) => (/^\p{Ll}+s\s/u.test(task) ? task.split(NEXT_VERB) : [task]));
}

/** `… title and rating, but skip rating`: a field that is said and then is not to be. */
function droppedAgain(text: string, fields: readonly NamedField[]): string | null {
  const found = fields.map(
    ({ name }) =>
      new RegExp(`\\b(?:skip|drop|leave out|forget|omit|remove) (?:the )?${name}\\b`, "i").exec(
        text,
      )?.[0],
  );
  return found.find(Boolean) ?? null;
}

const WITH_LIST =
  /,?\s+(?:with|has|having)\s+[^\uE010.;]{0,40}\uE010\d+\uE010,?\s+(?=(?:that|which|who)\b)/u;
const WORDS_BEFORE_LIST =
  /^(?:it|the|its|agent|has|have|takes?|gets?|needs?|should|must|with|and|as|inputs?|outputs?|are|is|fields?|parameters?|json|in|out|of|an?|structured|results?|returns?|gives?|back|object|two|three|four|[\s:=.,;–-])*$/i;

/** Whether a clause says nothing but a list of fields that is set up. */
function isListAlone(masked: string): boolean {
  const { hasList, rest } = withoutLists(withoutLeadIn(masked));
  return hasList && WORDS_BEFORE_LIST.test(rest);
}

function setOutput({ agent }: Draft, fields: readonly NamedField[]): void {
  const needed = fields.map((field) => ({ ...field, required: !field.isOptional }));
  agent.config = { ...agent.config, output_schema: withFields({}, needed) };
}

function readClause(draft: Draft, said: string, models: readonly string[], hasList: boolean): void {
  const { agent, leftOut, plain } = draft;
  const applied = applyToConfig(agent, said, models);
  if (applied) {
    if ("refused" in applied) leftOut.push(`${quote(said)}: ${applied.refused}`);
    return;
  }
  const refused = applyTail(agent, said, models);
  if (refused) leftOut.push(`${quote(said)}: ${refused}`);
  const text = said
    .replace(/^(?:goes?|looks?) (?:through|over) (?=\S)/i, "reads ")
    .replace(/^use \S+\/\S+ (?:to|for|and)\s+/i, "");
  if (ORDERS_TO_MODELS.test(text)) {
    leftOut.push(`${quote(text)}: it speaks to a model and not of the agent`);
    return;
  }
  const isFirst = plain.length === 0;
  const isForm =
    /^(?:inputs?|outputs?)\s*:/i.test(text) && Array.isArray(readOutput(text) ?? readInputs(text));
  plain.push(text);
  if (RULE.test(text) && !isFirst)
    draft.rules.push(toImperative(text.replace(/^it (?:should|must|shall)\s+/i, "")));
  else if (!isForm) draft.steps.push(toImperative(text));
  const output = hasList ? null : readOutput(text);
  if (output === "unclear")
    leftOut.push(
      `${quote(text)}: the form of the output is not set; it has to be set as \`output_schema\``,
    );
  else if (output) {
    agent.config = { ...agent.config, output_schema: withFields({}, output) };
    if (hasMore(text, output)) leftOut.push(onlySet(text, output));
  }
  const inputs = hasList ? null : readInputs(text);
  if (inputs === "unclear")
    leftOut.push(`${quote(text)}: the inputs are not set up, as their names are not clear`);
  else if (inputs) {
    draft.inputs.push(...inputs);
    if (inputs.length < (text.match(/\binputs?\b/gi)?.length ?? 0) || hasMore(text, inputs))
      leftOut.push(onlySet(text, inputs));
  }
  // What is forbidden needs nothing.
  const wanted = text
    .replace(/\bwithout (?:any )?tools\b/i, "")
    .replace(
      /(?:\b(?:never|(?<!can)not|without|avoid|nothing|nobody|no(?! more| less| fewer| later| longer))\b|\b(?!can)\w+n[’']t\b).*?(?=,? and (?:that|it|then)\b|, and \p{Ll}|[;:]|$)/giu,
      "",
    )
    .trim();
  if (MEMORY.test(wanted)) draft.hasMemory = true;
  const beyond = whatLacks(wanted);
  const isSetUp = hasList || output !== null || inputs !== null;
  const why =
    wanted === ""
      ? undefined
      : beyond || (isSetUp || MEMORY.test(text) ? undefined : whyOnlyWords(wanted));
  if (why) leftOut.push(`${quote(text)}: ${why}`);
  if (isHelpAlone(wanted) && !why)
    leftOut.push(
      `${quote(text)}: what it is to do there is not said; it can only be asked for by each request`,
    );
  const document = DOCUMENT.exec(wanted)?.[0];
  if (document && !why)
    draft.needs.push({
      kind: "file",
      text: `Files for ${quote(text)}, in a workspace: what a ${document.toUpperCase()} file says is read, pictures in it and scans are not.`,
    });
  if (why?.includes(CONNECTOR))
    draft.needs.push({
      kind: "connector",
      text: `A connector for ${quote(text)}, with its address, and its secret where it has one.`,
    });
  if (looksByItself(wanted) && draft.schedule === "") {
    leftOut.push(
      `${quote(text)}: it looks only when it is run, which is not set up; add a schedule for that`,
    );
    draft.needs.push({
      kind: "schedule",
      text: `A schedule, or a backend that starts it, for ${quote(text)}.`,
    });
  }
}

/** `helps us with the members`, without a word for how. */
function isHelpAlone(text: string): boolean {
  const [first = "", ...words] = text.split(/\s+/);
  return baseVerb(first) === "help" && words.every((word) => baseVerb(word) === null);
}

const ABOUT_FIELDS =
  /^(?:(?:the|its|it has|an?|one|two|three|four|five) )*(?:inputs?|outputs?|fields?)\b/i;
const WORDS_OF_FIELDS =
  /^(?:input|output|field|object|json|schema|requir\w*|option\w*|mandator\w*|integer|whole|number|decimal|text|string|date|boolean|bool|list|array|true|fals\w*|yes|one|two|three|four|five|six|other|name\w*|call\w*|key|given|giv|said|have|must|need|return\w*|answer|answ|contain\w*|follow\w*|each|alway|exact\w*|structur\w*|between|scal\w*|either|type|valu\w*|form\w*)$/;

/** Whether a sentence that is about fields alone holds words that went into none of them. */
function hasMore(text: string, fields: readonly NamedField[]): boolean {
  if (!ABOUT_FIELDS.test(text)) return false;
  const known = new Set(
    fields.flatMap(({ name, values }) =>
      keywordsOf([nameWords(name).join(" "), name, ...(values ?? [])].join(" ")),
    ),
  );
  return keywordsOf(text).some(
    (word) => !known.has(word) && !WORDS_OF_FIELDS.test(word) && !/^[\d.]+$/.test(word),
  );
}

function onlySet(text: string, fields: readonly NamedField[]): string {
  return `${quote(text)}: of this only ${fields.map(({ name }) => name).join(", ")} could be set up`;
}

function withoutLeadIn(clause: string): string {
  const text = clause
    .replace(/\s+/g, " ")
    .trim()
    .replace(DOMAIN, "")
    .replace(LEAD_IN, "")
    .replace(LINK, "")
    .replace(/[\s.,;:!?]+$/, "");
  return /^[\s.,!?]*$/.test(text) ? "" : text.trim();
}

const MODEL =
  /\b(?:use|using|on|with|by|run(?:ning)? on) ((?:openai|anthropic|google|compatible|builtin)\/[\w.:-]*\w)/i;

/**
 * `… on openai/gpt-5.1`, `…, read-only`: what is said within a clause that says more. Gives why it
 * could not be set.
 */
function applyTail(agent: EditedAgent, text: string, models: readonly string[]): string | null {
  for (const tail of [/^.*\b(without asking(?: for approval)?)$/i, /^.*\b(read[- ]only)$/i]) {
    const said = tail.exec(text)?.[1];
    if (said) applyToConfig(agent, said, models);
  }
  const model = MODEL.exec(text)?.[1];
  const applied = model ? applyToConfig(agent, `use ${model}`, models) : null;
  return applied !== null && "refused" in applied ? applied.refused : null;
}
