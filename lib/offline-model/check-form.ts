import "server-only";
import { BUILT_IN_TOOL_NAMES } from "@/lib/model/agent-config/built-in-tools";
import { isJsonObject, type JsonObject, type JsonValue } from "@/lib/model/json-schema/json-value";
import { nameWords, numberOf, quote, sentencesOf } from "./language";
import { type EditedAgent, objectAt } from "./order";
import type { NamedField } from "./read-fields";

/** What was understood of a request, as far as its form goes. */
export interface Formed {
  agent: EditedAgent;
  inputs: readonly NamedField[];
  hasMemory: boolean;
  leftOut: readonly string[];
}

interface Field {
  name: string;
  types: readonly JsonValue[];
  isChoice: boolean;
  isRequired: boolean;
  isInput: boolean;
}

/** Words about one field, and whether it is so. */
const KINDS: [words: RegExp, fits: (field: Field) => boolean][] = [
  [/\b(?:integers?|ints?|whole numbers?)\b/i, ({ types }) => types.includes("integer")],
  [
    /\b(?:numbers?|decimals?|numeric|floats?)\b/i,
    ({ types }) => types.includes("number") || types.includes("integer"),
  ],
  [
    /\b(?:booleans?|bool|yes ?(?:\/|or) ?no|true ?(?:\/|or) ?false)\b(?! ?(?:\/|or\b|,))/i,
    ({ types }) => types.includes("boolean"),
  ],
  [/\b(?:lists?|arrays?)\b/i, ({ types }) => types.includes("array")],
  [
    /(?<!not )\b(?:required|mandatory|compulsory|obligatory|needed|(?:has|have|must|needs?) (?:to )?be (?:given|there|set|filled)|(?:has|have) to (?:fill|give|enter)|must (?:fill|give|enter))\b/i,
    ({ isRequired }) => isRequired,
  ],
  [
    /\boptional(?:ly)?\b|\bnot (?:required|needed|mandatory)\b|\b(?:may|can) (?:stay|be left|be|remain) (?:empty|out|blank|missing|omitted|absent|skipped)\b|\bnice to have\b/i,
    ({ isRequired, isInput }) => !isRequired && isInput,
  ],
];
/** `low, medium or high`, `one of a, b`, `a / b`; yes or no is none. */
const CHOICE =
  /\bone of\b|\p{L}\s*\/\s*\p{L}|,[^,]+\bor\b|^\s*["“']?[\p{L}-]+["”']? or ["“']?[\p{L}-]+["”']?\s*$/iu;
const YES_OR_NO = /\b(?:yes ?(?:\/|or) ?no|true ?(?:\/|or) ?false)\b(?! ?(?:\/|or\b))/i;
const ABOUT_FIELDS =
  /\b(?:inputs?|outputs?|fields?|json|schema|returns?|gives? back|hands? back|type in|fill(?:s|ed)? in)\b/i;
const BRACKETS = /(?<![\p{L}\p{N}_-])([\p{L}_][\p{L}\p{N}_-]*)["'”’`]?\s*\(([^()]{2,160})\)/gu;
const COLON =
  /(?:^|[\s,;{("'`])([\p{L}_][\p{L}\p{N}_-]*)["'”’`]?\s*:\s*((?:an? )?(?:number|integer|int|float|string|text|list|array|boolean|bool)\b|[\p{L} -]{1,20}(?: \/ [\p{L} -]{1,20})+)/giu;
const COLLECTIVE =
  /\b(?:both|all(?: (?:of them|two|three|four|five))?|each)\b[^.;(]{0,12}?\b(?:numbers?|integers?|required|mandatory|needed|optional|booleans?)\b|\b(?:number|integer|boolean|required|mandatory|optional) (?=inputs\b|fields\b)/gi;
const ONE_IS =
  /(?:\b(?:as|is|be|are|of type)|,(?= an? ))\s+(?:an?\s+|either\s+)?(?:required |optional )?(?:numbers?|integers?|whole numbers?|booleans?|lists?|arrays?|yes or no|true or false)\b(?! of (?!(?:strings|texts|words|names|numbers)\b))|\b(?:is|are) (?:required|mandatory|optional)\b|\bhas to be (?:given|filled)\b|\b(?:may|can) (?:stay|be left|be) (?:empty|out|blank|omitted|skipped|missing)\b/gi;
/** `the last one is optional, the others mandatory` */
const OF_OTHERS =
  /\b(?:the )?(?:(?:last|first|second|third|other) ones?|others|rest|remaining ones?|former|latter)\b(?: (?:is|are|not|has to be|have to be))* (?:required|mandatory|compulsory|optional|needed)\b/gi;
/** `which must be low, middle or high` */
const VALUES =
  /\b(?:is|are|(?:must|has to|can|may|should) be) (?:one of |either )?(?:["“']?[\p{L}\p{N}-]+["”']?, )+["“']?[\p{L}\p{N}-]+["”']?,? or ["“']?[\p{L}\p{N}-]+|\bone of (?:["“']?[\p{L}\p{N}-]+["”']?, )+["“']?[\p{L}\p{N}-]+/giu;
const CHOSEN =
  /\b(?:any of|chosen (?:out of|from|among)|picked from|out of the (?:values|options))\b|\b(?:classif|categori|sort|label|mark|rate)\w*\b[^.;]{0,60}\b(?:as|into) [\p{L}-]+, [^.;]{0,80}\bor\b/iu;
/** `– field kind –`, `into the field reply` */
const FIELD_NAMED =
  /(?:\b(?:in|into|as|called|named)|[–,(-]) (?:the |a )?field ["“'`]?([a-z_]{2,30})\b/gi;
const IDENTIFIER = /(?<![\w./-])[a-z]+(?:_[a-z0-9]+)+(?![\w/(-]|\.\w)/g;
/** Names of a config's own parts. */
const OWN =
  /^(?:max_steps|max_credits|timeout_seconds|max_output_tokens|write_autonomy|output_schema|model_settings|allowed_hosts|full_auto|approval_required|read_only|web_search|skill_content)$/;

const HOST =
  /\b(?:[\w-]+\.)+(?!(?:csv|tsv|jsonl?|md|txt|log|pdf|docx?|xlsx?|pptx|html|ya?ml|xml|zip)\b)[a-z]{2,12}\b/;
const AMOUNT =
  /\b(\d[\d,.]*\d|\d|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|fifteen|twenty|thirty|forty|fifty|sixty|ninety|(?:a |one )?hundred)(?:-\w+)? (steps?|turns?|credits?|seconds?|minutes?|hours?|(?:output )?tokens?)\b/gi;

/** `numeric input`, `hectares being a number`: any word of a type in a sentence about fields. */
const ANY_TYPE =
  /\b(?:numeric|decimals?|a number\b(?! of\b)|numbers?(?= (?:input|field)s?\b)|integers?|whole numbers?|booleans?|a yes\/no|true or false|yes or no)\b/gi;

/** Words of an agent's form, and whether that part of it was set. */
const FORM: [words: RegExp, isSet: (formed: Formed, sentence: string) => boolean, what: string][] =
  [
    [
      /\b(?:into|as|in|to|gives?|returns?|outputs?|answers?) (?:an? )?(?:\w+ )?json\b(?! (?:files?|data|documents?|exports?|logs?|lines))|\bthe fields? (?:\w+,|\w+ and\b)/i,
      ({ agent, inputs }) => agent.config.output_schema !== undefined || inputs.length > 0,
      "the form of the output is not set",
    ],
    [
      /\b(?:autonomy|read[- ]only|blocked writ(?:es?|ing)|writ(?:es?|ing) (?:is |are |be |to )?blocked)\b|\bwrit(?:e|es|ing)\b.{0,20}\boutside\b/i,
      ({ agent }) => agent.autonomy !== "approval_required",
      "what it may write is not set by this",
    ],
    [
      /\bonly\b|\bnothing else\b|\bno other\b|\bnowhere else\b/i,
      ({ agent }, sentence) =>
        !HOST.test(sentence) || objectAt(agent.config, "tools").web !== undefined,
      "the hosts that it may read are not set",
    ],
    [
      /\b(?:temperature of (?:the|its) model|model temperature|temperature (?:(?:of|at|to|is|=|:) ?)?[01](?:\.\d+)?(?! ?(?:°|degrees|c\b))|reasoning (?:effort|low|medium|high))\b/i,
      ({ agent }) => agent.config.model_settings !== undefined,
      "the model's settings are not set",
    ],
    [
      /\bonly (?:after|when|once|if) (?:asking|i|we|my|our|somebody|someone)\b|\bask(?:s|ing)? (?:me|us)\b[^.;]{0,20}\b(?:first|before|each time|every time)\b|\bapproved? by (?:me|us)\b|\b(?:i|we) (?:have|want|need|must) to approve\b|\bwithout (?:my|our) (?:ok|okay|approval|consent|permission)\b|\b(?:my|our) (?:ok|okay|approval) (?:first|before)\b/i,
      ({ agent }) => agent.autonomy === "blocked",
      "no tool is set to ask first (`permissions.ask`); calls that write outside ask anyway",
    ],
    [
      /(?<!\b(?:not|never|cannot|to)\s|n[’']t )\b(?:remembers?\b(?! (?:nothing|no\b|to\b))|memori[sz]es?\b)|\bacross (?:runs|conversations|sessions|chats)\b/i,
      ({ hasMemory, agent }, sentence) =>
        hasMemory ||
        objectAt(agent.config, "tools").memory !== undefined ||
        /\b(?:no|not|never|nothing)\b[^.;]{0,30}(?:remember|across)|n[’']t [^.;]{0,20}(?:remember|across)/i.test(
          sentence,
        ),
      "its memory is not set by this",
    ],
    [
      /\b(?:starters?|example (?:requests?|questions?|prompts?))\b/i,
      ({ agent }) => agent.config.starters !== undefined,
      "the starters are not set",
    ],
  ];

/**
 * What the sentences of a request say of an agent's form and the draft does not hold, so that
 * nothing of it passes for work.
 */
export function unsetForm(messages: readonly string[], formed: Formed): string[] {
  const fields = fieldsOf(formed);
  const named = formed.leftOut.join("\n");
  // What is said of a field in brackets stays in its sentence.
  const whole = messages.map((message) =>
    message.replace(/\([^()]*\)/g, (inner) => inner.replaceAll(";", ",")),
  );
  return whole.flatMap(sentencesOf).flatMap((sentence) => {
    const isNamed = named.includes(quote(sentence));
    const unset = isNamed
      ? []
      : FORM.filter(([words, isSet]) => words.test(sentence) && !isSet(formed, sentence));
    const notes = unset
      .filter(([words]) => !named.includes(words.exec(sentence)?.[0] ?? ""))
      .map(([, , what]) => `${quote(sentence)}: ${what}; it stands in the skill as words only`);
    return [
      ...clashesIn(sentence),
      ...notes,
      ...fieldsMissing(sentence, fields, isNamed),
      ...amountsMissing(sentence, formed, named),
    ];
  });
}

function fieldsOf({ agent, inputs }: Formed): Field[] {
  const output = objectAt(agent.config, "output_schema");
  const required = Array.isArray(output.required) ? output.required : [];
  const ofOutput = Object.entries(objectAt(output, "properties")).map(([name, schema]): Field => {
    const { type, enum: choices }: JsonObject = isJsonObject(schema) ? schema : {};
    const types = type === undefined ? [] : [type].flat();
    return {
      name,
      types,
      isChoice: Array.isArray(choices),
      isRequired: required.includes(name),
      isInput: false,
    };
  });
  const ofInputs = inputs.map(
    ({ name, type, values, required: isRequired }): Field => ({
      name,
      types: type === null ? [] : [type],
      isChoice: values !== null,
      isRequired,
      isInput: true,
    }),
  );
  return [...ofInputs, ...ofOutput];
}

/** What a sentence says of fields that there are not, or not so. */
function fieldsMissing(sentence: string, fields: readonly Field[], isNamed: boolean): string[] {
  const words = ` ${nameWords(sentence).join(" ")} `;
  const said = fields.filter(({ name }) => words.includes(` ${nameWords(name).join(" ")} `));
  const called = (name: string) =>
    said.filter((field) => nameWords(field.name).join(" ").endsWith(nameWords(name).join(" ")));
  const isSo = (some: readonly Field[], spec: string) =>
    KINDS.every(([kind, fits]) => !kind.test(spec) || some.some(fits)) &&
    (!CHOICE.test(spec.replace(YES_OR_NO, " ")) || some.some(({ isChoice }) => isChoice));
  const isSpec = (spec: string) =>
    KINDS.some(([kind]) => kind.test(spec)) || (ABOUT_FIELDS.test(sentence) && CHOICE.test(spec));
  const pairs = [...sentence.matchAll(BRACKETS), ...sentence.matchAll(COLON)].filter(
    ([, , spec = ""]) => isSpec(spec),
  );
  const isAbout = ABOUT_FIELDS.test(sentence) || pairs.length > 0;
  const all = [...sentence.matchAll(COLLECTIVE)].map(([text]) => text);
  const singles = [...sentence.matchAll(ONE_IS)].map(([text]) => text);
  const identifiers =
    isAbout && !/\bcolumns?\b/i.test(sentence)
      ? [...sentence.matchAll(IDENTIFIER)].map(([name]) => name)
      : [];
  const misses = [
    ...pairs.map(([, name = "", spec = ""]) => isSo(called(name), spec)),
    ...(isAbout ? all.map((spec) => isSoForAll(said, spec, isSo)) : []),
    ...(ABOUT_FIELDS.test(sentence)
      ? [...sentence.matchAll(ANY_TYPE)].map(([spec]) => isSo(said, spec))
      : []),
    ...(isAbout || said.length > 0 ? singles.map((spec) => isSo(said, spec)) : []),
    ...(said.length > 0 && sentence.match(VALUES) ? [said.some(({ isChoice }) => isChoice)] : []),
    ...(ABOUT_FIELDS.test(sentence) && CHOSEN.test(sentence)
      ? [fields.some(({ isChoice }) => isChoice)]
      : []),
    ...[...sentence.matchAll(FIELD_NAMED)].map(([, name = ""]) => called(name).length > 0),
    ...identifiers
      .filter(
        (name) => !OWN.test(name) && !(BUILT_IN_TOOL_NAMES as readonly string[]).includes(name),
      )
      .map((name) => called(name).length > 0),
    ...(fields.length > 0 ? [...sentence.matchAll(OF_OTHERS)].map(() => false) : []),
    ...(/\binputs?\b/i.test(sentence) ? [...sentence.matchAll(/\(([a-z_]{2,30})\)/g)] : [])
      .filter(
        ([, name = ""]) =>
          !/^(?:text|string|date|input)s?$/.test(name) && !KINDS.some(([kind]) => kind.test(name)),
      )
      .map(([, name = ""]) => called(name).length > 0),
    ...(/\binputs?\b/i.test(sentence) &&
    !/^[^:]{0,30}:$/.test(sentence) &&
    !/\binput (?:data|files?)\b/i.test(sentence)
      ? [said.length > 0]
      : []),
  ].includes(false);
  if (!misses || isNamed) return [];
  const set = said.map(
    ({ name, types, isRequired }) =>
      `${name}${types.length > 0 ? ` (${types.join(" or ")}${isRequired ? ", required" : ""})` : ""}`,
  );
  return [
    `${quote(sentence)}: ${set.length > 0 ? `of the fields only ${set.join(", ")} could be set up so` : "its inputs or fields could not be set up"}`,
  ];
}

/** `both numbers` is true of two of them, `all required` of each. */
function isSoForAll(
  said: readonly Field[],
  spec: string,
  isSo: (some: readonly Field[], spec: string) => boolean,
): boolean {
  const fitting = said.filter((field) => isSo([field], spec)).length;
  return fitting > 0 && fitting >= (/^both/i.test(spec) ? 2 : said.length);
}

const LEAST =
  /\b(?:at least|not less than|no fewer than|minimum of|over|more than) (\d[\d,]*) (words?|sentences?|lines?|characters?|pages?)\b/i;
const MOST =
  /(?:\b(?:at most|not more than|no more than|never (?:longer|more) than|no longer than|maximum of|under|fewer than|less than|up to)|\b(?:not|never|n[’']t) (?:be |get )?(?:longer|more) than) (\d[\d,]*) (words?|sentences?|lines?|characters?|pages?)\b/i;

/** A least and a greatest length that no text has both of. */
function clashesIn(sentence: string): string[] {
  const [, least = "", of = ""] = LEAST.exec(sentence.replace(MOST, " ")) ?? [];
  const [, most = "", what = ""] = MOST.exec(sentence) ?? [];
  const isClash =
    of !== "" &&
    of.replace(/s$/, "") === what.replace(/s$/, "") &&
    Number(least.replaceAll(",", "")) > Number(most.replaceAll(",", ""));
  return isClash
    ? [
        `${quote(sentence)}: at least ${least} and at most ${most} ${what} do not go together; no text can be both`,
      ]
    : [];
}

const SECONDS: { [unit: string]: number } = { second: 1, minute: 60, hour: 3600 };

/** Amounts that may be limits of its runs, and are none. */
function amountsMissing(sentence: string, { agent }: Formed, named: string): string[] {
  const limits = objectAt(agent.config, "limits");
  return [...sentence.matchAll(AMOUNT)].flatMap(([text, amount = "", unit = ""]) => {
    const number = numberOf(amount) ?? Number.NaN;
    const one = unit.toLowerCase().replace(/s$/, "").replace("output ", "");
    const isSet =
      one === "step" || one === "turn"
        ? limits.max_steps === number
        : one === "credit"
          ? limits.max_credits === number
          : one === "token"
            ? objectAt(agent.config, "model_settings").max_output_tokens === number
            : limits.timeout_seconds === number * (SECONDS[one] ?? 0);
    const isSetInWords =
      Number.isNaN(number) &&
      (one in SECONDS
        ? limits.timeout_seconds
        : one === "credit"
          ? limits.max_credits
          : limits.max_steps) !== undefined;
    if (isSet || isSetInWords || named.includes(text)) return [];
    return [
      `${quote(sentence)}: if ${quote(text)} is a limit of its runs, that is not set; it stands in the skill as words only`,
    ];
  });
}
