import "server-only";
import type { TemplateNeed } from "@/lib/templates/templates";
import { takeTools } from "./choose-tools";
import { applyToConfig, type EditedAgent } from "./edit-config";
import { wordsAs } from "./edit-facts";
import { capital, quote } from "./language";
import { objectAt, setConfig } from "./order";
import { asProse, asSentences } from "./prose";
import { READ_MAX_CHARACTERS } from "./read-job";

/** What a request says of the agent's form in phrases of its own, wherever they stand. */
export interface Settings {
  agent: EditedAgent;
  leftOut: string[];
  needs: TemplateNeed[];
  /** Its built-in tools, where all of them are said. */
  onlyTools: string[] | null;
}

const KEY =
  /\b(?:(?:sk|pk|rk|api|key|tok)[-_][\w-]{8,}|gh[pousr]_\w{20,}|glpat-[\w-]{16,}|xox[abprs]-[\w-]{10,}|AKIA[A-Z0-9]{12,}|AIza[\w-]{30,}|eyJ[\w-]{10,}\.[\w.-]{10,}|(?:[a-z]{2,12}[-_]){1,3}(?=[A-Za-z0-9]*\d)(?=[A-Za-z0-9]*[a-z])(?=[A-Za-z0-9]*[A-Z])[A-Za-z0-9]{10,}(?![\w.]))/g;
const SAID_KEY =
  /\b(api[ _-]?key|access key|key|token|password|passphrase|secret|pin)((?: (?:for|of|to|at|from)(?: [\p{L}-]+){1,5})?\s*(?:is|:|=|(?=\s["“'\p{Lu}\d]))\s*)["“']?(?=\S*\d)(?=\S*\p{L})([^\s"”',;/]{8,})/giu;

/** The message without values that look like keys: nothing of an agent may keep them. */
function withoutKeys(text: string, { leftOut, needs }: Settings): string {
  const clean = keptMessage(text);
  if (clean !== text) {
    leftOut.push(
      "A key stands in the request: it was not kept, as an agent's text is no place for one",
    );
    needs.push({
      kind: "secret",
      text: "The key as a secret of the account, which a connector names.",
    });
  }
  return clean;
}

const CAPITALS = String.raw`\p{Lu}[\p{L}\p{N}&-]*(?:\s+(?:(?:and|or|of|the|&|in|on|for)\s+){0,2}\p{Lu}[\p{L}\p{N}&-]*){0,5}`;
const QUOTED = `(?:["“]([^"”\\n]{1,80})["”]|[‘']([^’'\\n]{1,80})[’'])`;
const NAMES: [pattern: RegExp, instead: string][] = [
  [
    /(?<=^|[.;,!\n]\s*)(?:(?:[Tt]he|[Ii]ts|(?:[Tt]he )?[Aa]gent(?:'s)?)\s+)?(?:[Nn]ame|[Tt]itle)\s*(?:[:=]|\bis\b|(?=["“]))\s*["“'‘]?([^"”'’.,;:\n]{1,60}?)["”'’]?\s*(?=[.,;\n]|$)/,
    "",
  ],
  [
    new RegExp(
      String.raw`,?\s*\b(?:[Cc]alled|[Nn]amed|(?:with|by|under) the name(?: of)?|[Tt]he name(?: is| shall be)|[Nn]ame it|(?:[Ll]et(?:'s| us) )?[Cc]all (?:it|(?:the|this|my|our) (?:agent|assistant|bot)))\s+(?:${QUOTED}|(${CAPITALS}))`,
      "u",
    ),
    " ",
  ],
  [
    new RegExp(
      `(?<=^(?:(?:[Pp]lease|[Ll]et's) )?)(?:[Bb]uild|[Cc]reate|[Mm]ake|[Ss]et up|[Dd]evelop)(?: me| us)?(?: an?)?\\s+${QUOTED}`,
    ),
    "Create an agent",
  ],
  [
    new RegExp(
      String.raw`(?<=^(?:[Pp]lease )?)(?:[Bb]uild|[Cc]reate|[Mm]ake|[Ss]et up|[Dd]evelop)(?: me| us)?(?: an?| the)?\s+(?:${QUOTED}|(\p{Lu}[\p{L}\p{N}&-]*(?:\s+\p{Lu}[\p{L}\p{N}&-]*){1,5}))(?=\s*[:,.–-]|\s+(?:that|which|who|to|for)\b)`,
      "u",
    ),
    "Create an agent",
  ],
  [new RegExp(`(?<=\\b(?:[Aa]gent|[Aa]ssistant|[Bb]ot)),?\\s+${QUOTED}`), ""],
];

/** `Don't call it Dog Bot, …` up to the end of the sentence. */
const NOT_CALLED =
  /(?<=^|[.;!\n]\s*)(?:(?:please|and|but),? )?(?:do not|don[’']t|never|not) (?:call|name) it\b[^.;!\n]*[.;!]?\s*/gi;

/** Where two names are said, the later one counts. */
function takeName(message: string, { agent }: Settings): string {
  const text = message
    .replace(NOT_CALLED, "")
    .replace(/\s*\((?:and )?not ["“][^"”]{1,60}["”][^()]*\)/gi, "");
  let left = text;
  let latest = -1;
  const names = new Set<string>();
  for (const [pattern, instead] of NAMES) {
    for (let times = 0; times < 3; times += 1) {
      const found = pattern.exec(left);
      const name = found?.slice(1).find(Boolean)?.trim();
      if (!found || !name) break;
      const said = text.indexOf(found[0].trim());
      const at = said < 0 ? text.lastIndexOf(name) : said;
      if (at >= latest) agent.name = name;
      latest = Math.max(latest, at);
      names.add(name);
      left = left.replace(found[0], instead);
    }
  }
  // `…, actually, not Night Rank`
  for (const name of names)
    left = left.replace(
      new RegExp(
        `(?:,?\\s*\\b(?:actually|rather)\\b,?)?,?\\s*\\b(?:and )?not ["“']?${wordsAs(name).source}["”']?(?=\\s*[.,;]|$)`,
        "iu",
      ),
      "",
    );
  // What takes the first of two names back is done with it.
  return names.size > 1
    ? left.replace(
        /,?\s*\b(?:no|oh|sorry|wait|rather|better|actually)\b,?(?:\s*\b(?:no|wait|sorry|rather|better|actually|instead)\b,?)*\s*(?=[.;,]|$)/i,
        " ",
      )
    : left.replace(/\bno,? wait,?\s*(?:instead)?\s*(?=[.;]|$)/gi, "");
}

const QUOTED_DESCRIPTION =
  /,?\s*\b(?:and )?described as\s*["“]([^"”\n]{3,300})["”],?|,?\s*(?:\band\s+)?(?:\b(?:use|give it|set|with|has|have|it has)\s+)?(?:the|a|this|as)?\s*\bdescription\s*(?:[:=]|\b(?:is|should be|to)\b)?\s*["“]([^"”\n]{3,300})["”]\.?/i;
const DESCRIPTION = /(?<=^|[.;\n]\s*)description\s*[:=]\s*["“]?([^.\n"”]{3,300})["”]?\.?/i;

function takeDescription(text: string, { agent }: Settings): string {
  const found = QUOTED_DESCRIPTION.exec(text) ?? DESCRIPTION.exec(text);
  const said = found?.[1] ?? found?.[2];
  if (!found || !said) return text;
  agent.description = `${capital(said.trim()).replace(/\.$/, "")}.`;
  return text.replace(found[0], found[0].startsWith(" ") ? "." : "");
}

const NUMBER = String.raw`(\d[\d,.]*\d|\d|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|fifteen|twenty|thirty|forty|forty-five|fifty|sixty|ninety|a hundred)`;
const SUBJECT = String.raw`(?:,?\s*\b(?:and|but|with|has|having|have)\s+)*(?:\b(?:it|the agent|this|an?y? run|no run|none|there|the whole thing|everything)\s+)?`;
const MOST = String.raw`(?:(?:an?|the)\s+)?(?:limit(?:ed)?(?: it)?(?: of| to)?|max(?:imum)?(?: of)?|at most|(?:no|not) more than|up to|(?:(?:must|should|may|can|shall)(?: ?not|n't| never)?|never|do(?:es)?(?: not|n['’]t)) (?:take|need|use|cost|spend|make|run|be)s?(?: for)? (?:no |not )?more than|(?:costs?|spends?|takes?|uses?)\s+(?:at most|(?:no|not) more than|up to))\s+`;
const EACH = String.raw`(?:\s+(?:an?|per|each|for each|every|in a|on a|in one|on any)\s+run\b)?`;
const AT_MOST = String.raw`${EACH}\s+(?:at (?:the )?(?:most|latest)|max(?:imum)?|or (?:fewer|less)|tops)\b${EACH}`;
const LIMITS: [pattern: RegExp, order: (number: string, unit: string) => string][] = [
  [
    new RegExp(`${SUBJECT}\\b${NUMBER}\\s+(steps?|turns?)${AT_MOST}`, "i"),
    (number) => `set max_steps to ${number}`,
  ],
  [
    new RegExp(`${SUBJECT}\\b${NUMBER}\\s+(credits?)${AT_MOST}`, "i"),
    (number) => `set max_credits to ${number}`,
  ],
  [
    new RegExp(`${SUBJECT}\\b${NUMBER}\\s+(seconds?|minutes?|hours?)${AT_MOST}`, "i"),
    (number, unit) => `set the timeout to ${number} ${unit}`,
  ],
  [
    new RegExp(
      `${SUBJECT}\\b${MOST}${NUMBER}\\s+(steps?|turns?)\\b(?! (?:of|in|for) (?!(?:a|each|the|every) run))${EACH}`,
      "i",
    ),
    (number) => `set max_steps to ${number}`,
  ],
  [
    new RegExp(
      String.raw`${SUBJECT}(?:\b(?:should|must|shall|has to|may|can)\s+)?\b(?:stops?|ends?|finish(?:es)?|gives? up)\s+(?:after|within|in)\s+${NUMBER}\s+(steps?|turns?)\b`,
      "i",
    ),
    (number) => `set max_steps to ${number}`,
  ],
  [
    new RegExp(`${SUBJECT}\\b${MOST}${NUMBER}\\s+(credits?)\\b${EACH}`, "i"),
    (number) => `set max_credits to ${number}`,
  ],
  [
    new RegExp(
      String.raw`${SUBJECT}(?:\b(?:should|must|shall|has to|may|can)(?: ?not|n't)?\s+)?(?:\b(?:and\s+)?never\s+)?\b(?:stops?|ends?|finish(?:es)?|be (?:finished|done|ready)|times? out|gives? up|runs? for|(?:take|last|run)s? (?:no |not )?longer than|(?:no|not) longer than|(?:with )?(?:a |the )?time ?(?:limit|out) (?:of|is|:))\s+(?:(?:after|within|in|at most|no more than)\s+)*(?:at (?:most|the latest)\s+)?${NUMBER}\s+(seconds?|minutes?|hours?)\b(?:\s+at the latest)?`,
      "i",
    ),
    (number, unit) => `set the timeout to ${number} ${unit}`,
  ],
];

/** `at most 8 steps and 3 credits`: a limit beside one that is said to be one. */
const LIMIT_BESIDE =
  /\b((?:at most|max(?:imum)?(?: of)?|limit(?:ed)?(?: it)?(?: to| of)?|no more than|not more than|up to|stops? after)\s+(?:\d[\d,.]*|[a-z]+) (?:steps?|turns?|credits?|seconds?|minutes?))(?:,| and|, and) (?=(?:\d[\d,.]*|[a-z]+) (steps?|turns?|credits?|seconds?|minutes?|hours?)\b)/gi;

/** `Max steps: 8`, `timeout: 90 s`, as a form has it. */
const KEYED_LIMIT =
  /(?<=^|[.;\n]\s*)(?=max|limit|credits?\b|time|the (?:max|limit|credit|time))(?:the )?(?:max(?:imum)?[ _]?)?(?:limits? (?:on |of )?)?(steps?|turns?|credits?|time(?:[ _]?(?:limit|out))?)(?:[ _]limit)?\s*[:=]\s*(?:max(?:imum)?\.? |at most |no more than )?(\d[\d,.]*)\s*(s|sec(?:ond)?s?|min(?:ute)?s?|steps?|turns?|credits?)?\s*(?:max(?:imum)?|at most)?(?=\s*(?:[.,;\n]|$))/gi;

function asPhrase(_: string, key: string, number: string, unit = ""): string {
  if (/^time/i.test(key))
    return `it stops after ${number} ${/^m/i.test(unit) ? "minutes" : "seconds"}`;
  return `at most ${number} ${key.toLowerCase()}`;
}

function takeLimits(form: string, { agent, leftOut }: Settings, models: readonly string[]): string {
  const said = form.replace(KEYED_LIMIT, asPhrase);
  const text = said.replace(
    LIMIT_BESIDE,
    (_, first: string, unit: string) =>
      `${first} and ${/^(?:second|minute|hour)/i.test(unit) ? "stop after" : "at most"} `,
  );
  return LIMITS.reduce((left, [pattern, order]) => {
    const found = pattern.exec(left);
    if (!found?.[1] || !found[2]) return left;
    const applied = applyToConfig(agent, order(found[1], found[2]), models);
    if (applied === null) return left;
    if ("refused" in applied) leftOut.push(`${quote(found[0])}: ${applied.refused}`);
    return left.replace(found[0], " ");
  }, text);
}

const TEMPERATURE =
  /,?\s*(?:\b(?:and|with|at|use|set|a|the|low|high)\s+)*\b(?:model )?temperature(?: of the model)?\s*(?:\b(?:of|to|at|is|should be)\b|[:=(])?\s*([01](?:\.\d+)?|2(?:\.0+)?)\b(?!\s*(?:°|degrees|c\b|f\b|k\b))\)?/i;
const TOKENS = new RegExp(
  String.raw`${SUBJECT}(?:\b${MOST})(\d[\d,]*)\s+(?:output )?tokens?\b(?:\s+(?:of|per|in an?|for each) (?:output|answer|run))?`,
  "i",
);

function takeModelSettings(said: string, { agent }: Settings): string {
  const reasoning = REASONING.exec(said);
  const effort = reasoning?.[1]?.toLowerCase();
  const set = effort
    ? setConfig(
        agent,
        { model_settings: { ...objectAt(agent.config, "model_settings"), reasoning: effort } },
        "",
      )
    : null;
  const text = reasoning && set && !("refused" in set) ? said.replace(reasoning[0], " ") : said;
  return [["temperature", TEMPERATURE] as const, ["max_output_tokens", TOKENS] as const].reduce(
    (left, [key, pattern]) => {
      const found = pattern.exec(left);
      const value = Number(found?.[1]?.replaceAll(",", ""));
      // A temperature may be one that the agent reads of.
      if (
        !found ||
        (key === "temperature" && /\b(?:above|below|under|over|than)\b/i.test(found[0]))
      )
        return left;
      const applied = setConfig(
        agent,
        { model_settings: { ...objectAt(agent.config, "model_settings"), [key]: value } },
        "",
      );
      return "refused" in applied ? left : left.replace(found[0], " ");
    },
    text,
  );
}

const REASONING =
  /,?\s*(?:\b(?:and|with|set|its|the|use)\s+)*\breasoning(?: effort)?\s*(?:\b(?:to|of|at|is)\b|[:=])?\s*\b(off|low|medium|high)\b/i;

const ASK_BEFORE =
  /(?<=^|[.;\n]\s*)before ((?:it |any |every |each )[^.,;]{3,50}?),? (?:it|the agent) (?:must|has to|should|needs to|shall) (?:get|have|obtain|wait for|ask(?: me| us)? for) (?:an? |my |our |the )?(?:[\p{L}'’]+ )?(?:approval|ok|okay|permission|consent)\b/iu;
const ASK =
  /,?\s*(?:\b(?:and|but|it|the agent|has to|must|should|needs? to|always|please)\s+)*\basks? (?:me|us|somebody|someone|a person|first|(?:for )?(?:(?:my|our|an?) )?(?:ok|okay|approval|permission))\b[^.;]{0,30}?\b(?:before|each time|every time|whenever|when|if)\b([^.,;]{3,60})/i;
const ASKED: [tool: string, words: RegExp][] = [
  ["web_search", /\bsearch/i],
  ["web_fetch", /\b(?:fetch|open|read|visit|load)\w*\b.{0,15}\b(?:pages?|sites?|links?|urls?)\b/i],
  ["run_javascript", /\b(?:code|javascript)\b/i],
  ["artifacts", /\b(?:writ|sav|creat|mak)\w*\b.{0,15}\bfiles?\b/i],
];

/** `It must ask me before it fetches a page.` */
function takeAsk(text: string, { agent }: Settings): string {
  const found = ASK_BEFORE.exec(text) ?? ASK.exec(text);
  const tools = ASKED.filter(([, words]) => words.test(found?.[1] ?? "")).map(([tool]) => tool);
  if (!found || tools.length === 0) return text;
  const before = objectAt(agent.config, "permissions");
  agent.config = { ...agent.config, permissions: { ...before, ask: tools } };
  return text.replace(found[0], " ");
}

const MODEL_NAME =
  /,?\s*\b(?:(?:it should|it must|please)\s+)?(?:use|using|with|on|run(?:ning)? on)\s+(?:the\s+)?(?:model\s+)?((?:gpt|claude|gemini|o\d|mistral|llama|qwen|deepseek|grok)[\w.:-]*\w)(?:\s+(?:model|by\s+\p{Lu}\w+|from\s+\p{Lu}\w+))?/iu;

/** A model by its name alone, where just one that is switched on has it. */
function takeModel(text: string, { agent }: Settings, models: readonly string[]): string {
  const found = MODEL_NAME.exec(text);
  const named = models.filter(
    (model) => model.split("/")[1]?.toLowerCase() === found?.[1]?.toLowerCase(),
  );
  const [model] = named;
  if (
    !found ||
    named.length !== 1 ||
    !model ||
    applyToConfig(agent, `use ${model}`, models) === null
  )
    return text;
  return text.replace(found[0], " ");
}

const STARTERS =
  /\b(?:with\s+)?(?:conversation\s+)?(?:these|the|the following|two|three|as)?\s*(?:starters?|example (?:requests?|questions?|prompts?))\s*(?::|\b(?:are|should be|is)\b)?\s*((?:(?:,|;|\/|\||and|or|\s)*["“][^"”]{2,300}["”])+)/i;

function takeStarters(text: string, { agent }: Settings, models: readonly string[]): string {
  const found = STARTERS.exec(text);
  if (
    !found?.[1] ||
    applyToConfig(
      agent,
      `add starters: ${found[1].match(/["“][^"”]+["”]/g)?.join(", ")}`,
      models,
    ) === null
  )
    return text;
  return text.replace(found[0], " ");
}

const BLOCKED =
  /,?\s*(?:\b(?:and|it|the agent|needs? to|must|should|has to|shall|may)\s+)*\b(?:blocks? (?:all )?(?:outside |external )?writes|set (?:its |the |all )?writes to blocked|(?:is |be |works? |strictly )?read[- ]only|(?:nothing|must never be|no) (?:may be )?written anywhere)\b/i;

/**
 * What may be written is taken back wherever it is said; what asks nobody is set by a clause of its
 * own alone.
 */
function takeAutonomy(text: string, { agent }: Settings): string {
  const found = BLOCKED.exec(text);
  if (!found || /\bnot\s*$/i.test(text.slice(0, found.index))) return text;
  agent.autonomy = "blocked";
  return text.replace(found[0], " ");
}

const HOST = String.raw`(?:[\w-]+\.)+(?!(?:csv|tsv|jsonl?|md|txt|log|pdf|docx?|xlsx?|pptx|html|ya?ml|xml|zip)\b)[a-z]{2,12}\b`;
const HOST_LIST = String.raw`((?:(?:,|\band\b|\bor\b|\s)*${HOST})+)`;
const HOSTS = [
  new RegExp(
    String.raw`,?\s*(?:\band\s+)?\bonly (?:on|from|in|at|visits?|reads?|opens?|fetch(?:es)?|uses?)\s+(?:the\s+|web\s+)?(?:(?:domains?|sites?|hosts?|websites?|pages? (?:of|on|from|at)|servers?)\s+)*${HOST_LIST}`,
    "i",
  ),
  new RegExp(
    String.raw`\s*\b(?:on|from|at)\s+(?:the\s+)?(?:(?:domains?|sites?|hosts?|websites?)\s+)?${HOST_LIST}(?:\s+(?:alone|only)\b(?:,?\s*(?:and\s+)?(?:nothing|nowhere) else(?:\s+on\s+the\s+(?:web|internet))?)?|,?\s+(?:(?:and|but)\s+)?(?:(?:from |on )?no other (?:web ?)?\w+|(?:nothing|nowhere) else(?:\s+on\s+the\s+(?:web|internet))?))`,
    "i",
  ),
];

/** The only hosts that it may read. */
function takeHosts(text: string, { agent }: Settings): string {
  const found = HOSTS.map((pattern) => pattern.exec(text)).find(Boolean);
  const hosts = found?.[1]?.match(/(?:[\w-]+\.)+[a-z]{2,12}\b/gi);
  if (!found || !hosts) return text;
  agent.config = { ...agent.config, tools: { web: { allowed_hosts: hosts } } };
  return text.replace(found[0], " ");
}

/**
 * Applies what a message says of the agent's form; gives the message without it, for a reader of
 * sentences.
 */
export function takeSettings(
  message: string,
  settings: Settings,
  models: readonly string[],
): string {
  // Runs of blanks would be tried from each of their places.
  const short = asProse(message.slice(0, READ_MAX_CHARACTERS))
    .replace(/[^\S\n]+/g, " ")
    .replace(/ ?\n ?/g, "\n")
    .replace(/\n+/g, "\n");
  const clean = withoutKeys(short, settings);
  const named = takeDescription(takeName(clean, settings), settings);
  const limited = takeLimits(takeAutonomy(takeHosts(named, settings), settings), settings, models);
  const asked = takeAsk(takeModelSettings(limited, settings), settings);
  const formed = takeStarters(
    takeModel(takeTools(asked, settings), settings, models),
    settings,
    models,
  );
  return asSentences(formed);
}

/** The message as it may be kept. */
export function keptMessage(message: string): string {
  return message.replace(KEY, "[a key]").replace(SAID_KEY, "$1$2[a key]");
}
