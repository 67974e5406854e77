import "server-only";
import { BUILT_IN_TOOL_NAMES } from "@/lib/model/agent-config/built-in-tools";
import { isJsonObject, type JsonValue } from "@/lib/model/json-schema/json-value";
import { NOT } from "./what-lacks";

/** What each tool is for, in the words of requests. */
const NEEDS: [tool: string, words: RegExp][] = [
  ["workspace_files", /./],
  [
    "web_search",
    /\b(?:web(?! ?(?:fetch\w*|pages?|sites?|address\w*))|internet|online|news|search for|research)\b/i,
  ],
  [
    "web_fetch",
    /\b(?:web|internet|online|urls?|links?|web ?(?:sites?|pages?)|news|research|https?:\/\/\S+|(?:fetch|open|visit|load)\w* (?:the |an? |any |each )?(?:\w+ )?pages?|pages? (?:at|on|of|from) (?:[\w-]+\.)+[a-z]{2,12}\b(?!\.))/i,
  ],
  [
    "run_javascript",
    /\b(?:runs?|running|with|using|by|use) (?:of )?code\b|\b(?:csv|tsv|json|xlsx?|excel|workbooks?|spreadsheets?|data|datasets?|tables?|numbers?|figures?|calculat\w*|comput\w*|averages?|means?|sums?|totals?|counts?|median|statistic\w*|percent\w*|prices?|costs?|sales|metrics?|highest|lowest|compare\w*|rank\w*)\b/i,
  ],
  [
    "artifacts",
    /\b(?:as|into|in|to) (?:an?|one|the|its own) (?:\w+ ){0,2}file\b|\b(?:to|can|could|may) download\b|\bdownloadable\b|\bartifacts?\b|\b(?:write|make|create|produce|prepare|draft|generate|save|export|draw)s?\b.{0,40}(?:\b(?:reports?|file|document|chart|svg|csv)\b|\.(?:md|csv|txt|json|html|svg)\b)/i,
  ],
];
const WEB = /\bweb|internet|online|brows/i;

/** Files that may not be read, behind the word that forbids it. */
const NO_FILES =
  /\b(?:file access|(?:access to|see) (?:any |the |my |our )?(?:files?|workspace))\b|\b(?:no|without(?: any)?) files?\b|\bnor (?:any |the |my |our )?files?\b|(?:\b(?:never|not|cannot|nothing)\b|n[’']t\b)(?:[^.,;]{0,40}?\b(?:to|need|ever|it|and|or))?\s+(?:read|open|touch|access|use|see|look at|look into|need|give it|have|get)s? (?:any (?:of )?)?(?:the |my |our )?(?:files|file ?system|workspace)\b/i;

/**
 * Files are always within reach, since a run may be given a workspace whatever its agent was made
 * for. What a clause forbids is not given.
 */
export function chooseTools(
  clauses: readonly string[],
  steps: number,
  leftOut: string[],
  set: JsonValue | undefined,
  asked: readonly string[],
): string[] {
  // What stands behind a "not" is forbidden, what stands before it is not.
  const parts = clauses.map((clause) => ({ clause, at: NOT.exec(clause)?.index ?? clause.length }));
  const wanted = parts.map(({ clause, at }) => clause.slice(0, at)).join("\n");
  const forbidden = parts.map(({ clause, at }) => clause.slice(at)).join("\n");
  // Searching alone may be forbidden, where pages are to be read.
  const noSearch =
    /\bsearch\w* (?:on |in )?(?:the )?(?:web|internet|online)\b/i.test(forbidden) &&
    /\b(?:pages?|links?|urls?|https?)\b/i.test(wanted);
  const noWeb = WEB.test(forbidden) && !noSearch;
  const noPages =
    /\b(?:open|read|fetch|visit|load|brows)\w* (?:(?:any|the|an?|other|whole|web) ?)*(?:pages?|sites?|links?|urls?)\b/i.test(
      forbidden,
    );
  const noCode = /\b(?:code|javascript)\b/i.test(forbidden);
  if (noWeb && WEB.test(wanted))
    leftOut.push("The web is both asked for and forbidden; it was left forbidden");
  const needed = new Set(
    NEEDS.filter(
      ([tool, words]) =>
        words.test(wanted) &&
        !(noWeb && tool.startsWith("web")) &&
        !(noSearch && tool === "web_search") &&
        !(noPages && tool === "web_fetch") &&
        !(noCode && tool === "run_javascript"),
    ).map(([tool]) => tool),
  );
  if (/\b(?:no|without(?: any)?) tools\b/i.test(forbidden)) return [];
  if (/\b(?:to-?dos?|check ?lists?|ticks?)\b/i.test(wanted)) needed.add("todo");
  const noFiles = NO_FILES.test(forbidden);
  const noWriting =
    noFiles ||
    /\b(?:no|never|not|without|nothing)\b[^.,;]{0,20}\bwrit(?:e|es|ing|ten)\b(?! (?:to|about|in|like) )/i.test(
      forbidden,
    );
  if (noWriting) needed.delete("artifacts");
  const noTodo = /\b(?:to-?dos?|check ?lists?)\b/i.test(forbidden);
  if (steps > 1 && !noTodo) needed.add("todo");
  if (noFiles && /\b(?:files?|workspace)\b|\.\w{2,4}\b/i.test(wanted))
    leftOut.push("Files are both asked for and forbidden; they were left forbidden");
  const own = isJsonObject(set) ? set : {};
  if (own.web !== undefined) needed.add("web_fetch");
  for (const tool of asked) needed.add(tool);
  // Clauses that are about tools alone have said which are off and on.
  if (Array.isArray(own.builtin))
    for (const tool of BUILT_IN_TOOL_NAMES) if (!own.builtin.includes(tool)) needed.delete(tool);
  if (noFiles) needed.delete("workspace_files");
  else needed.add("workspace_files");
  return BUILT_IN_TOOL_NAMES.filter((tool) => needed.has(tool)).sort(
    (a, b) => TOOL_ORDER.indexOf(a) - TOOL_ORDER.indexOf(b),
  );
}

const TOOL_ORDER = [
  "workspace_files",
  "web_search",
  "web_fetch",
  "run_javascript",
  "todo",
  "artifacts",
];

const TOOL_WORDS: [tool: string, word: RegExp][] = [
  ["workspace_files", /\bfiles?\b|\bworkspace\b|\bworkspace_files\b/i],
  ["web_search", /\bsearch\w*\b|\bweb\b(?! ?(?:fetch|pages?))|\bweb_search\b/i],
  ["web_fetch", /\bfetch\w*\b|\bpages?\b|\bweb_fetch\b/i],
  ["run_javascript", /\bcode\b|\bjavascript\b|\brun_javascript\b/i],
  ["todo", /\bto-?dos?\b/i],
  ["artifacts", /\bartifacts?\b/i],
];
const TOOL_LIST = String.raw`((?:\s*(?:,|\b(?:and|the|tools?|web|workspace|code|javascript|files?|search|fetch|pages?|to-?dos?|artifacts?|run_javascript|web_search|web_fetch|workspace_files|for|running|reading)\b))+?)`;
const ONLY_TOOLS = [
  new RegExp(
    String.raw`\bonly (?:these|this|the following) tools?(?: (?:is|are) allowed)?\s*:?${TOOL_LIST}(?=\s*(?:[.;\n]|$))`,
    "i",
  ),
  new RegExp(
    String.raw`\b(?:with|has|have|gets?|uses?|needs?)?\s*(?:exactly |just )?(?:one|two|three|four) tools?\s*[,:]${TOOL_LIST},?\s*(?:(?:\b(?:but|and)\s+)?(?:nothing else|no others?)|(?=[.;\n]|$))`,
    "i",
  ),
  new RegExp(
    String.raw`\b(?:needs?|uses?|has|gets?)?\s*no (?:other )?tools?(?: at all| whatsoever)?,? (?:except|but|other than|apart from|besides)${TOOL_LIST}(?=\s*(?:[.,;\n]|$))`,
    "i",
  ),
  new RegExp(
    String.raw`(?<=^|[.\n]\s*)(?:allowed tools|tools (?:allowed|permitted|enabled))\s*:${TOOL_LIST}(?=\s*(?:[.;\n]|$))`,
    "i",
  ),
  new RegExp(
    String.raw`\b(?:(?:give it|let it use|allow it|it (?:has|gets|needs|uses|(?:may|should|can|must)(?: only)? use)|may use|use|with)\b)${TOOL_LIST},?\s*(?:\b(?:but|and)\s+)?(?:nothing else|no other tools?(?: at all)?)\b`,
    "i",
  ),
  new RegExp(
    String.raw`\b(?:the |its )?only tools?(?: (?:is|are|it (?:has|gets|may use|needs|uses)))*\s*:?${TOOL_LIST}(?=\s*(?:[.;\n]|$))`,
    "i",
  ),
  new RegExp(
    String.raw`(?<=^|[.\n]\s*)tools\s*:${TOOL_LIST}(?:\s*\bonly\b)?(?=\s*(?:[.;\n]|$))`,
    "i",
  ),
];

/** `Give it code but nothing else`: the tools that it has, where a phrase names all of them. */
export function takeTools(text: string, settings: { onlyTools: string[] | null }): string {
  const found = ONLY_TOOLS.map((pattern) => pattern.exec(text)).find(Boolean);
  const named = TOOL_WORDS.filter(([, word]) => word.test(found?.[1] ?? "")).map(([tool]) => tool);
  const isNone =
    /(?<=^|[.\n]\s*)tools\s*:\s*(?:none|no|-)\s*(?=[.\n]|$)|(?:\b(?:it|the agent) )?(?:(?:must|may|should|shall|can) ?not|(?:do|does|must|may|should|can)n[’']t|never|cannot) (?:use|have|get|need|be given) any (?:built-in )?tools?(?: at all| whatsoever| of any kind)?(?=\s*[.;\n]|\s*$)/i.exec(
      text,
    );
  if (isNone) {
    settings.onlyTools = [];
    return text.replace(isNone[0], " ");
  }
  if (!found || named.length === 0) return text;
  settings.onlyTools = named;
  return text.replace(found[0], " ");
}
