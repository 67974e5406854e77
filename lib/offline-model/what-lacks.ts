import "server-only";
import { isFunctionWord, quote } from "./language";
import { baseVerb, isWorkVerb } from "./read-job";

export const CONNECTOR =
  "needs a connector (`tools.http` or `tools.mcp`), which has to be added to the config with its address and secret";
const ACTS =
  "send|take (?:the |a |their )?payments?|charge|e-?mail|mail|post|notify|alert|page|text|publish|message|upload|call|phone|ring|pay|book|order(?!s? (?:them|it|these|those|the \\w+) (?:by|from|alphabetically|in|after))|buy|sell|trade|transfer|close|assign|approve|cancel|deploy|print|ship|refund|invite|schedule|subscribe|unsubscribe|log in|sign in|like|follow";
const SERVICES =
  "slack|sms|fax|whatsapp|telegram|signal|teams|discord|mcp|webhooks?|crm|erp|sap|jira|github|gitlab|bitbucket|hubspot|salesforce|pipedrive|notion|confluence|airtable|calendar|databases?|postgres\\w*|mysql|mongo\\w*|sql|snowflake|bigquery|s3|sharepoint|onedrive|dropbox|google (?:drive|docs?|sheets?)|gmail|outlook|imap|trello|asana|linear|zendesk|intercom|freshdesk|stripe|paypal|shopify|woocommerce|wordpress|linkedin|twitter|facebook|instagram|tiktok|youtube|mastodon|social media|http api|brokers?|bank account|bloomberg|printer|e-?bay|etsy|phone|telephone|voice ?mail|inbox|mailbox";
const MAILS = /\b(?:e-?mails?|mails?)\b/i;
/** A mail is written as a text; to fetch or to send it is another matter. */
const WORDS_OF_MAILS =
  /^(?:draft|write|compose|rewrite|proofread|translate|edit|propose|suggest|prepare)(?:s|es|ing)?\b/i;
const MAKES =
  "ma[kd]e|create|write|generate|export|save|produce|draft|prepare|build|convert|fill|edit|sign|merge|split";
const PROMISE = "nothing of an agent promises this; it stands in the skill as words only";

/** What no built-in tool does, and no clause alone can set, and what it would need. */
const BEYOND: [words: RegExp, needs: string][] = [
  [
    new RegExp(
      `^(?:${ACTS})s?\\b|\\b(?:${SERVICES})\\b|\\b(?:and|then|,) (?:${ACTS})s?(?= (?:the|an?|me|us|it|them|him|her|my|our|to)\\b|$)|\\b(?:send|mail|post|notify|alert)s? (?:me|us|it|them|the|a)\\b`,
      "i",
    ),
    CONNECTOR,
  ],
  [
    /^(?:[Ll]ist|[Oo]ffer|[Ss]tore|[Ss]ave|[Ss]ync|[Uu]pdate|[Pp]ush|[Ee]xport|[Ii]mport|[Ll]oad|[Pp]ull|[Cc]onnect|[Ll]og|[Pp]ut)s?\b.*\b(?:to|in|into|from|with|on)\s+(?:our |my |the |a )?[A-Z]\w*/,
    CONNECTOR,
  ],
  [/\bdashboards?\b/i, "a dashboard is not set up; it has to be made as `dashboard_template`"],
  [
    new RegExp(
      `\\b(?:(?:as|into|to) (?:an? )?|(?:${MAKES})s?\\b(?:(?! (?:of|from|about|in|for|with) ).){0,40} )(?:pdfs?|excel|xlsx?|powerpoint|pptx|slides?|docx|word (?:file|document))\\b`,
      "i",
    ),
    "no built-in tool makes this kind of file; it is only read",
  ],
  [/\b(?:scans?|scanned|ocr)\b/i, "no built-in tool reads the text of a picture"],
  [
    /\b(?:png|jpe?g|audio|voice|speech|videos?|images?|pictures?|photos?|screens?|screenshots?|recordings?)\b/i,
    "the built-in model sees and hears nothing, and makes no picture, speech or video; that needs a model of a vendor",
  ],
  [
    /\b(?:use|using|with|on) (?:the )?(?:claude|gpt|gemini|llama|mistral|qwen|[a-z]+ model)\b/i,
    "no model is set; name it by its id in the published list, as provider/name",
  ],
  [
    /\b(?:in|within) (?:under |less than )?(?:\d+|half an?|an?) (?:ms|milliseconds?|seconds?|minutes?)\b|\b(?:in|on) real ?time\b|\b(?:instantly|immediately)\b/i,
    "nothing of an agent promises how fast it answers",
  ],
  [
    /\b(?:compl(?:y|ies|iant|iance)|certified|gdpr|iso ?\d+|hipaa|soc ?2|guarantee\w*|100 ?%|perfect\w*|flawless\w*|error[- ]free|accurate|always (?:right|correct|available)|24\/7|around the clock)\b|100 ?%/i,
    PROMISE,
  ],
  [
    /\b(?:approv\w+|sign-?off|consent|permission) (?:of|from|by)\b|\brequires? (?:an? |the )?(?:sign-?off|approval|consent)\b|\b(?:sign-?off|approval) from\b/i,
    "approvals go to whoever owns the account, and to nobody by name",
  ],
  [
    /\baudit\b|\bretention\b|\bkeeps?\b.*\bfor \d+ (?:days|months|years)\b|\bfor (?:\w+ )?years\b/i,
    "how long runs are kept is the operator's setting, not the agent's",
  ],
  [
    /\b(?:o'clock|office hours|business hours|working hours|weekends?)\b|\bbetween \d{1,2}(?::\d\d)?(?: ?[ap]m)? and \d{1,2}(?::\d\d| ?[ap]m| ?h)\b/i,
    "nothing keeps an agent to hours or days; it stands in the skill as words only",
  ],
  [
    /\b(?:two|three|several|multiple|another|many) (?:\w+ )?(?:agents?|assistants?|bots?)\b|\ba second (?:one|agent|assistant|bot)\b|\b(?:each|one an)other\b/i,
    "one agent is made at a time",
  ],
  [
    /\b(?:secrets?|passwords?|credentials?|full access|access to everything|root|admin(?:istrator)? rights)\b/i,
    "no agent reads secrets or gets rights of that kind; a secret goes to a connector by its name",
  ],
  [
    /\b(?:delete|remove|erase|wipe|rename|move)s?\b.*\b(?:files?|folders?|workspace)\b/i,
    "no tool of an agent deletes, renames or moves files",
  ],
];
const LOOKS =
  /^(?:watch|monitor|track|remind|observe)(?:e?s)?\b|\bup[- ]to[- ]date\b|\bkeeps? (?:an eye|track)\b|\b(?:as soon as|whenever|when(?= (?:a |an |the |there )?(?:new|something|anything|it|one|price|error)s?\b))/i;
const ONLY_WORDS = "stands in the skill as words only, as no tool of the agent does it";

/** Whether a clause speaks of something that happens by itself. */
export function looksByItself(text: string): boolean {
  return LOOKS.test(text);
}

/** Why what a clause wants is not wholly done by an agent with its tools; undefined when it is. */
export function whatLacks(text: string): string | undefined {
  const found = BEYOND.filter(([words]) => words.test(text)).map(([, needs]) => needs);
  if (MAILS.test(text) && !WORDS_OF_MAILS.test(text) && !found.includes(CONNECTOR))
    found.push(CONNECTOR);
  return [...new Set(found)].join("; ") || undefined;
}

const SUBJECT =
  /\b(?:questions?|answers?|summar\w+|digests?|reports?|notes?|lists?|briefs?|analys\w+|research|prices?|news|data|texts?|tables?|documents?)\b/i;
/** What an agent handles: something that is read or written. */
const INFORMATION =
  /\b(?:files?|csv|tsv|json|pdfs?|xlsx?|docx|markdown|sheets?|spreadsheets?|columns?|rows?|lines?|figures?|numbers?|totals?|sums?|averages?|counts?|charts?|plans?|drafts?|overviews?|outlines?|agendas?|minutes|letters?|articles?|posts?|copy|headlines?|titles?|descriptions?|translations?|invoices?|receipts?|contracts?|tickets?|reviews?|feedback|comments?|surveys?|logs?|records?|entries|recipes?|quiz\w*|glossar\w+|pages?|web ?sites?|sources?|facts?|quotes?|dates?|deadlines?|tasks?|checklists?|to-?dos?|steps?|words?|sentences?|code|passages?|manuals?|handbooks?|polic\w+|guidelines?|stor(?:y|ies)|speech(?:es)?|essays?|poems?|names?|ideas?|suggestions?|recommendations?|decisions?|requirements?|specifications?|emails?|messages?|repl(?:y|ies)|web|internet|online|languages?|english|german|french|spanish|italian|portuguese|polish|czech|dutch|concepts?|topics?|terms?|arguments?|evidence|values?|results?|outliers?|trends?|patterns?|errors?|mistakes?|duplicates?|differences?|changes?|risks?|causes?|options?|products?|items?|orders?|customers?|companies|company|people|members?)\b|\.\p{L}{2,5}\b/iu;
/** Verbs that say little without what they are done to, which has to stand right behind them. */
const GENERIC =
  /^(?:make|keep|get|take|open|watch|visit|use|turn|give|look|help|work|find|follow|monitor|organi[sz]e|pick|pull|tell|transform|fix|save|store|load|answer|set|add|return|sort|collect|generate|produce|create|prepare|provide|present)$/;
const NO_TOOL = /\b(?:forecast|predict|train|neural|learn)(?:s|ed|ing)?\b/i;
/** A second verb within a clause: `check the queue and page the person`. */
const SECOND = /\b(?:and|then|or)\s+(\p{Ll}+)\s+(?:the|an?|me|us|it|them|my|our|his|her|your)\b/gu;

/** Whether what the verb of a clause is done to is something that is read or written. */
function handlesInformation(text: string): boolean {
  const words = text
    .replace(/[()“”"]/g, "")
    .split(/\s+/)
    .slice(1);
  const end = words.findIndex(
    (word, at) =>
      at > 0 &&
      /^(?:a|an|and|so|which|who|while|because|unless|until)$/i.test(word) &&
      !/^(?:for|from|in|of|into|to|with|on|as)$/i.test(words[at - 1] ?? ""),
  );
  const head = words.slice(0, end < 0 ? words.length : end).join(" ");
  return SUBJECT.test(head) || INFORMATION.test(head);
}

/**
 * Why a clause that was taken into the skill does nothing there, as far as can be told; undefined
 * when an agent can do it.
 */
export function whyOnlyWords(text: string): string | undefined {
  const words = text.split(/\s+/);
  const seconds = [...text.matchAll(SECOND)]
    .map(([, word = ""]) => word)
    .filter((word) => !isFunctionWord(word));
  if (NO_TOOL.test(text) || seconds.some((word) => !isWorkVerb(word))) return ONLY_WORDS;
  const verb = baseVerb(words[0] ?? "");
  if (isWorkVerb(words[0] ?? ""))
    return verb !== null && GENERIC.test(verb) && !handlesInformation(text)
      ? ONLY_WORDS
      : undefined;
  const isUnknown =
    words.length > 2 &&
    !words.some((word) => isFunctionWord(word.toLowerCase()) || baseVerb(word) !== null);
  if (isUnknown)
    return "it is not understood, as the built-in model reads plain English only, and stands in the skill as it was said";
  return verb === null && SUBJECT.test(text) && words.length <= 6 ? undefined : ONLY_WORDS;
}

export const WORK_NAMED = /\b(?:agent|assistant|bot|helper)\b/i;
/** Words that name no work. */
export const EMPTY =
  /^(?:something|anything|everything|stuff|things?|helps?|helping|works?|jobs?|agents?|assistants?|bots?|pls|plz|please|thanks?|you|good|best|nice|cool|great|smart|new|last|previous|other|one|like|just|same|again|fast|faster|better|more|usual|makes?|creates?|builds?|sets?|up|u|ur|smth|sth|idea|surprise|properly|time|know|whatever|kind|sort|maybe|really|very|hi|hello|hey|ok|yes|no|but|useful|helpful|simple|small|personal|ai)$/;
const NO_AGENT =
  /\b(?:i|we) (?:do not|don[’']t) (?:need|want) (?:an? |any )?agents?\s*(?:[.!]|$)|^(?:please\s+)?(?:do not|don't|never)\s+(?:create|make|build|set up)\b(?:(?! that | which | who ).)*\b(?:agents?|assistants?|bots?|anything|one)\b/i;
const FALSE_PAPER =
  "reviews?|passports?|invoices?|ids?|papers?|certificates?|documents?|receipts?|prescriptions?|diplomas?|references?|testimonials?|profiles?|accounts?|tickets?|votes?|signatures?|licen[cs]es?|permits?|records?|results?|evidence|statements?|labels?|news";
/** What is about agents that there are. */
const OF_OTHERS =
  /^(?:(?:please|pls|hi|hello|hey)[,!.]?\s+)*(?:(?:can|could|would|will) you (?:please )?)?(?:delete|remove|archive|stop|pause|rename|copy|duplicate|show|list|switch off|disable)\b(?!.*\.\w{2,5}\b)(?: me)?(?: the| my| our| all| an?)*\b[^.]{0,40}\bagents?\b|^(?:which|how many|what|who|when|did|do|does|are|is|have|has)\b[^.]*\bagents?\b[^.]*\?\s*$/i;
const HARM: RegExp[] = [
  /\b(?:steal\w*|phish\w*|malware|ransomware|keylogg\w*|ddos|blackmail\w*|launder\w*|(?:hack|break)(?:s|ing)? into|stalk\w*|dox+(?:ing|es)?|impersonat\w*|(?:build|make|making) (?:a )?(?:bombs?|weapons?|explosives?))\b/i,
  /\b(?:send|post|forward|upload|print|give|reveal|leak|show|tell)s?\b.{0,40}\b(?:secrets?|passwords?|credentials?|api keys?|system prompt)\b/i,
  new RegExp(
    `\\b(?:fake|forge[ds]?|forging|counterfeit(?:s|ed|ing)?|falsif(?:y|ies|ied|ying)) (?:[\\p{L}-]+ ){0,3}(?:${FALSE_PAPER})\\b`,
    "iu",
  ),
  /\b(?:put|puts|putting|exert) (?:\p{L}+ )?pressure on (?!the (?:tyres?|pump|valve|brakes?))|\b(?:intimidat|harass|extort|defraud|sabotag)\w*|\b(?:bully(?:ing)?|bullies|(?:spy(?:ing)?|spies) on|smuggl(?:e|es|ing)|brib(?:e|es|ing))\b/iu,
  /\b(?:look|looks|sound|sounds|seem|appear)s? (?:as if|like) (?:they|it|he|she|we) (?:came|come|comes|was sent|were sent|is|are|were) (?:from )?(?:(?:that|the|a|an|their|your|his|her) )?(?:\p{L}+ )?(?:bank|police|tax office|post office|government|insurer|insurance|boss|doctor|lawyer)\b|\bpretend(?:s|ing)? to be (?!a (?:customer|tourist|student|beginner))(?:[\p{L}'’]+ ){0,4}(?:bank|police\w*|officer|tax office|post office|government|insurer|boss|doctor|lawyer|child|girl|boy|son|daughter|grandchild|nephew|niece)\b|\b(?:talk|trick|lur|coax|persuad|convinc|fool|mak|get|push)\w* (?:them|him|her|people|\p{L}+) (?:into|to) (?:\p{L}+ ){0,2}(?:typ|giv|hand|enter|reveal|tell|shar|send)\w*.{0,30}\b(?:passwords?|pins?|cards?|card numbers?|codes?|account|savings)\b|\b(?:people|they|customers|users|visitors|he|she) (?:(?:must|should|have to|has to|need to|will|shall) )?(?:type|enter|give|reveal|hand over)s? (?:(?:us|me|in) )?(?:their|his|her) (?:passwords?|pins?|cards?|card numbers?|codes)\b/iu,
  /\b(?:tell|give|type|enter|send|reveal|share|hand over|read out|collect|get|gets|obtain)s?\b.{0,30}\b(?:their|his|her|people['’]s|customers['’]|victims?['’]?s?)\b.{0,20}\b(?:pins?|passwords?|card (?:numbers?|details)|bank (?:details|codes?)|savings|login details)\b|\bposing as (?!(?:a|the) (?:customer|tourist|student|beginner))|\bpassword reset(?:s)? (?:mail|page)s? that looks?/iu,
  /\bex(?:-| )?(?:girlfriend|boyfriend|wife|husband|partner)\b[\s\S]{0,200}\b(?:lives?|address|whereabouts|home alone|follow|posts|location)\b|\b(?:when|whether|if) (?:she|he)(?:'s| is) (?:home )?alone\b|\bwhere (?:she|he) (?:lives|sleeps|goes at night)\b/iu,
  /\bhome address(?:es)? of\b.{0,60}\b(?:women|girls|people|him|her|them|person|profiles?|ex)\b|\bso (?:that )?(?:i|we) can (?:follow|stalk|visit|surprise|hit|hurt|scare|confront|watch) (?:them|him|her)\b/iu,
  /\bwhere (?:my|her|his|their|that|this|the|our) (?:ex|girl|boy|wife|husband|daughter|neighbou?r|former)[\p{L}-]*(?: \p{L}+){0,2} (?:lives?|is|are|goes|sleeps|works)\b|\b(?:wait for|follow|surprise|visit) (?:her|him|them) (?:there|home|at night)\b|\bblocked me (?:everywhere|on)\b|\b(?:owners?|residents?|people|families|neighbou?rs) (?:are|is) (?:away|on holiday|not at home|out)\b.{0,80}\b(?:open|enter|get in|break|pick|lock)\b|\bopen (?:the|their|a|any) (?:(?:front|back|side) \p{L}+|locks?|safe|houses?|flats?)\b.{0,60}\b(?:without|before|unnoticed)\b.{0,20}\b(?:notic|owner|anybody|anyone|key|alarm)|\bwithout (?:him|her|them|the owners?|anybody|anyone|(?:my|the) (?:wife|husband|girlfriend|boyfriend|partner|staff|employees)) (?:knowing|noticing) (?:it )?(?:.{0,30}\b(?:messages?|phone|location|mails?)\b)?/iu,
  /\bthreaten(?:s|ing)? (?:them|him|her|people|us|me|\p{L}+ into)\b|\bwhere (?:\p{L}+ ){1,5}lives?\b.{0,60}\b(?:child|children|kids|school)|\bas if (?:it|they|he|she|we|you|i) (?:were|was|is|are) (?:their|the|a|an|your) (?:bank|police|tax office|boss|doctor|lawyer)\b|\bgets? (?:them|people|\p{L}+) to (?:give|hand|reveal|tell|share)\b.{0,40}\b(?:cards?|bank|account|pin|passwords?)\b|\bscam(?:s|ming)? (?:people|customers|them|the|our|old)\b|\bevad(?:e|es|ing) (?:tax\w*|customs|duty)|\bpoison(?:s|ing)? (?:him|her|them|someone|the neighbou?r\w*)\b/iu,
];

/** What is said and then said otherwise; a reader of one sentence after the other would do both. */
const TAKES_BACK =
  /\b(?:no,? (?:wait|sorry|hang on|hold on)|(?:wait|hang on|hold on),? no|sorry,? (?:no|i mean|make (?:it|that))|on (?:reflection|second thoughts?)|(?:scratch|strike) that|forget (?:what i (?:just )?said|the last|that last)|(?<!never |not |n['’]t )(?:forget (?:it|that|about it)|never ?mind)(?=\s*(?:[,.!;]|$))|[-–,.] ?no,? make (?:it|that)\b|i (?:meant|changed my mind)|correction:|(?:took|takes?|taking) (?:it|that|them|both|this|all of (?:it|that)) back|scrap (?:the|that|this)\b|(?:hmm+|actually|oh),? (?:no\b|leave|drop|scrap|cancel|make (?:it|that)|skip|not\b|let's (?:not|drop|leave))|leave (?:the |that |this )?[\p{L}_]+ out\b|(?:make|let's make) (?:it|that) \w+ instead)(?![^.]*\bin the (?:text|file|letter)\b)/iu;

/** What a request takes back, in its words; null where it stands by all that it says. */
export function takenBack(text: string): string | null {
  return TAKES_BACK.exec(text)?.[0] ?? null;
}

/** Why a request makes no agent: it forbids one, wants harm, or does not say what for. */
export function endOf(messages: readonly string[]): {
  question: string | null;
  refusal: string | null;
} {
  const text = messages.join("\n");
  if (NO_AGENT.test(messages.at(-1) ?? ""))
    return { question: null, refusal: "Nothing was created, as you said: no agent is to be made." };
  const wanted = text.replace(
    /\b(?:detect|prevent|report|against|avoid|recogni[sz]e|spot|block|stop|no|not|never)\w*\b[^.]{0,60}/gi,
    "",
  );
  const harm = HARM.map((words) => words.exec(wanted)?.[0]).find(Boolean);
  if (harm)
    return {
      question: null,
      refusal: `Nothing was created: an agent for this cannot be made here, as it would do harm (${quote(harm)}).`,
    };
  if (
    OF_OTHERS.test(text.trim()) &&
    !/\b(?:that|which|who)\b.*\bagent\b|\b(?:create|build|make|set up|(?:want|need|like)(?: to have)? (?:an?|one))\b/i.test(
      text,
    )
  )
    return {
      question:
        "This is about agents that there are, and here one is made: the console and the API show, change and delete them. What should a new agent do?",
      refusal: null,
    };
  const words = (text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []).filter(
    (word) => !isFunctionWord(word) && !EMPTY.test(word),
  );
  const isQuestion =
    /^(?:what|who|when|where|why|how|is|are|does|do|did|will)\b[\s\S]*\?\s*$/i.test(text.trim()) &&
    !WORK_NAMED.test(text);
  if (!isQuestion && words.length > 0) return { question: null, refusal: null };
  const asked = isQuestion ? "This is a question, and here agents are made. " : "";
  return {
    question: `${asked}What should the agent do? Please say its task, what it works on (files, pages, a text), and what it answers.`,
    refusal: null,
  };
}

export const NOT =
  /\b(?:never|not|without|no|none|nobody|nothing|avoid|neither|nor|nichts?|niemand|nie|rien|nada|nulla|niemals|keine?n?|ohne|sans|jamais|sin|nunca|senza|niente|mai|geen|nooit|zonder|sem|bez|utan|uden|ingen|inget|ikke|inte)\b|n[’']t\b/i;
const TIME = String.raw`(?:\s+(?:at|by)\s+\d{1,2}(?::\d\d)?(?:\s*(?:am|pm|o'clock)\b)?(?:\s+[A-Z]\p{L}+/[A-Z]\p{L}+|\s+[A-Z]\p{L}+ time)?)?`;
const DAY = "(?:mon|tues|wednes|thurs|fri|satur|sun)day";
/**
 * When it should run by itself: `every Monday at 9`, `on weekdays`, `the first of the month`,
 * `weekly`.
 */
const SCHEDULE = new RegExp(
  String.raw`(?:\s|^|\b)(?<!\b(?:for|per|of|than)\s+)((?:(?:every|each)\s+(?:(?:other|first|last)\s+)?(?:\d+\s+)?(?:${DAY}|morning|evening|noon|night|midnight|day|weekday|week|month|hour|minute|quarter|year)s?\b|on\s+(?:${DAY}|weekday|working day)s\b|(?:every|on the|each)?\s*(?:first|last|\d+(?:st|nd|rd|th)) (?:${DAY} |day |working day )?of (?:the|each|every) (?:month|week|quarter|year)|(?:hourly|daily|nightly|weekly|monthly|quarterly)(?=\s+(?:at|on|digest|report|summary|check|brief|overview|update|newsletter|list|mail)\b|\s*$|\s+and\b)|once an? (?:hour|day|week|month)|twice an? (?:day|week|month)|at midnight)(?!\s+(?:(?:on|in|for|during) which|when|where|that)\b)${TIME})`,
  "iu",
);
const SAYS_NOTHING =
  /^(?:hello|hi|hey|good|morning|day|afternoon|evening|thanks?|thank|you|very|much|lot|in|advance|cheers|best|kind|regards|greetings|please|it|this|the|an?|agent|and|may|must|should|has|have|to|can|will|also|then|but|so|ok|okay)$/i;

/** Greetings, and what is left of a sentence whose settings were taken out. */
export function saysNothing(clause: string): boolean {
  const words = clause.match(/[\p{L}\p{N}'’]+/gu) ?? [];
  return words.every((word) => SAYS_NOTHING.test(word));
}

const OF_SELF =
  /^(?:(?:so|ok|okay|um|well),? ){0,3}(?:(?:every|each|on|in|at|since|until|for|after|before|when|last|this)\b[^,.;]{0,40}?,? )?(?:i|we)(?:[’'](?:m|re|ve)\b| (?!want\b|need\b|would\b|wish\b|like\b|ask\b|expect\b|also want\b)\p{L}+)(?!.*\b(?:want|need|would like|[’']d like|agent|assistant|bot|it (?:should|must|has to)|must|should|please|output|inputs?|json)\b)/iu;

/**
 * Who asks, and what for there is to be an agent: it stands in the skill, and is no work of the
 * agent.
 */
export function isBackground(clause: string, isFirst: boolean, isEnglish: boolean): boolean {
  if (whatLacks(clause) !== undefined || looksByItself(clause) || NOT.test(clause)) return false;
  if (OF_SELF.test(clause)) return true;
  const words = clause.replace(/[.,;:!\s]+$/, "").split(/\s+/);
  const isNamed =
    words.length <= 5 &&
    words.every((word) => baseVerb(word) === null || /s$/.test(word)) &&
    baseVerb(words[0] ?? "") === null;
  return (
    isFirst &&
    isNamed &&
    words.some((word) => !isFunctionWord(word.toLowerCase()) && !EMPTY.test(word.toLowerCase())) &&
    !WORK_NAMED.test(clause) &&
    isEnglish &&
    /[.!]$/.test(clause) &&
    !HANDLED.test(clause) &&
    !/:|\b(?:inputs?|outputs?|fields?|json)\b/i.test(clause)
  );
}

/** A noun that is the whole of a request: `Meeting summaries.` */
const HANDLED =
  /\b(?:summar\w+|reports?|translat\w+|answers?|questions?|reviews?|drafts?|letters?|lists?|notes?|writer|reader|checker|finder|maker)\b/i;

/**
 * When it should run by itself, and not when something happens that it reads of: `the trains which
 * run every Monday`.
 */
export function scheduleIn(clause: string): string | null {
  const found = SCHEDULE.exec(clause);
  if (!found?.[1]) return null;
  const [, of = ""] =
    /(\p{L}+),?\s+(?:which|that|who)\s+(?:[\p{L}'’]+\s+){0,4}$/iu.exec(
      clause.slice(0, found.index + found[0].indexOf(found[1])),
    ) ?? [];
  // `Every Friday evening I sit …` tells of somebody.
  if (
    /^(?: (?:morning|noon|afternoon|evening|night))?\s*,?\s*(?:i|we|my|our|they|he|she|people|customers|visitors|guests|somebody|someone)\b/i.test(
      clause.slice(found.index + found[0].length),
    )
  )
    return null;
  return of === "" || /^(?:agent|assistant|bot|helper|one|something|it|reminder)$/i.test(of)
    ? found[1]
    : null;
}
