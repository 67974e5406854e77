import "server-only";
import { BUILT_IN_TOOL_NAMES, MEMORY_TOOL_NAME } from "@/lib/model/agent-config/built-in-tools";
import { type Edit, objectAt, setConfig } from "./edited-agent";

/** From strict to loose; where an order says two of them the stricter holds. */
const AUTONOMY: [autonomy: string, words: RegExp][] = [
  [
    "blocked",
    /\bread[- ]only\b|\bblocked\b|\b(?:block|forbid|no|without) (?:(?:all|any|every|external|outside) )*writ(?:es?|ing)\b|\b(?:never|not|must not|may not|should not) (?:be able to )?(?:write|change|send|do) (?:(?:anything|something|to the) )?outside\b/i,
  ],
  [
    "approval_required",
    /\basks? (?:me |us |a person |somebody |someone )?(?:first|before (?:it writes|it acts|writing|acting|sending|each write|every write|any write|it does anything)|for (?:an? )?approval)\b|\brequires? (?:an? )?approvals?\b|\bwith approval\b|\bapproval[_ ]required\b|\b(?:a person|a human|somebody|someone|i|we) (?:has|have|must|needs?|wants?) (?:to )?approve (?:(?:all|any|every|each|its|the) )*(?:writes?|actions?|changes?)\b|\bnever (?:act|write|work) (?:on its own|alone|by itself)\b|\bnot (?:be allowed to )?(?:act|write) (?:on its own|alone|by itself|without (?:asking|approval))\b/i,
  ],
  [
    "full_auto",
    /\bon its own\b|\b(?:act|work|write) (?:alone|by itself)\b|\bwithout (?:asking|approvals?)(?: for approval| me| us| first| anyone| anybody)*\b|\bfully auto(?:matic|nomous)(?:ly)?\b|\bfull[_ ]auto\b/i,
  ],
];
const AUTONOMY_FILLERS = new Set(
  "let it may should can must shall make have set to be is change the its write writes autonomy act run work go and has have does anything always all every any action actions outside external from now on a in mode please everything agent this for with allow switch put when".split(
    " ",
  ),
);

export const editAutonomy: Edit = (agent, order) => {
  let rest = order;
  const named = AUTONOMY.flatMap(([autonomy, words]) => {
    const left = rest.replace(words, " ");
    if (left === rest) return [];
    rest = left;
    return [autonomy];
  });
  const [wanted] = named;
  const others = rest.toLowerCase().match(/[\p{L}\p{N}'_]+/gu) ?? [];
  // Every word counts: `never send mail without asking` is a rule.
  if (!wanted || !others.every((word) => AUTONOMY_FILLERS.has(word))) return null;
  if (named.includes("blocked") && named.includes("full_auto")) return { refused: "it says both to write and not to write" };
  agent.autonomy = wanted;
  return { done: `Its write autonomy is ${wanted}.` };
};

const TOOL_NAMES: [tool: string, pattern: RegExp][] = [
  ["web_search", /\bweb[_ ]search(?:es)?\b|\bsearch(?:ing)? (?:the )?(?:web|internet)\b/i],
  ["web_fetch", /\bweb[_ ]?fetch\b|\b(?:fetch|open|read)(?:ing)? (?:web )?pages\b|\bbrowsing\b/i],
  ["run_javascript", /\brun_javascript\b|\bjavascript\b|\b(?:run|execut)(?:e|ing)? code\b|\bcode execution\b/i],
  ["artifacts", /\bartifacts?\b|\b(?:write|writing|make|making|create|creating) files\b/i],
  ["workspace_files", /\bworkspace[_ ]files?\b|\bfile access\b|\b(?:read|reading) files\b/i],
  ["todo", /\bto-?dos?(?: list)?\b/i],
  [MEMORY_TOOL_NAME, /\b(?:the |its )?memory\b/i],
];
const TOOL_ON =
  /^(?:add|enable|allow(?: it(?: to)?)?|turn on|switch on|(?:let it|it (?:may|can|should)(?: also| now| again)?(?: be (?:able|allowed) to)?)(?: use)?|use|give it)\b/i;
const TOOL_OFF =
  /^(?:remove|disable|forbid|drop|take away|turn off|switch off|stop using|(?:do not|don't) (?:use|allow|let it(?: use)?)|never use|stop it from(?: using)?|without|(?:it|the agent) (?:shouldn't|mustn't|can't|cannot|may not|should not|must not|should no longer|may no longer|must no longer)(?: be (?:able|allowed) to)?(?: use)?)\b/i;

export const editTools: Edit = (agent, said) => {
  // `Turn memory off` is `turn off memory`.
  const order = said.replace(/^(turn|switch) (.+) (on|off)$/i, "$1 $3 $2");
  const isOff = TOOL_OFF.test(order);
  if (!isOff && !TOOL_ON.test(order)) return null;
  const isOn = !isOff;
  const bare = order.replace(isOn ? TOOL_ON : TOOL_OFF, "").replace(/\b(?:too|any ?more|again|as well|any longer)\b/gi, " ");
  let rest = bare;
  const all = TOOL_NAMES.flatMap(([tool, pattern]) => {
    const left = rest.replace(pattern, " ");
    if (left === rest) return [];
    rest = left;
    return [tool];
  });
  const named = all.filter((tool) => tool !== MEMORY_TOOL_NAME);
  if (all.length === 0 || /\w/.test(rest.replace(/\b(?:the|tools?|and|or|to|its?|access|a|an|for|of|use|using)\b/gi, " "))) return null;
  if (named.length < all.length) {
    const set = setConfig(agent, { tools: { ...objectAt(agent.config, "tools"), memory: isOn } }, `Its memory is ${isOn ? "on" : "off"}.`);
    if (named.length === 0 || "refused" in set) return set;
  }
  const tools = objectAt(agent.config, "tools");
  const present = Array.isArray(tools.builtin) ? tools.builtin : [...BUILT_IN_TOOL_NAMES];
  const others = present.filter((tool) => isOn || !named.some((name) => name === tool));
  const builtin = isOn ? [...others, ...named.filter((tool) => !present.includes(tool))] : others;
  return setConfig(
    agent,
    { tools: { ...tools, builtin } },
    `${isOn ? "It has" : "It no longer has"} the tool${named.length === 1 ? "" : "s"} ${named.join(", ")}.`,
  );
};
