import "server-only";
import { keywordsOf } from "./language";

/** What a step is that asks for no figure and no quote: `read` the files, `overview` of them, `write` a file of what was found, `tell` it. */
export type Step = "read" | "overview" | "write" | "tell";

const FILE = "(?:files?|csv|tsv|json|data|data ?sets?|spreadsheets?|tables?|notes?|documents?|texts?|workspace|inputs?)";
const OTHER = "(?!(?:in|of|for|from|with|and|newest|latest|oldest|last|first)\\b)[\\p{L}\\p{N}_.-]+ ";
const READ = new RegExp(
  `^(?:(?:read|open|load|use|look at|import|inspect) (?:${OTHER}){0,4}${FILE}(?: files?)?|list (?:the |all )*files)(?: (?:of|with|about|from|in) .*)?$`,
  "iu",
);
const OVERVIEW = /^(?:please )?(?:summari[sz]e|describe|profile|analy[sz]e|give (?:me )?an overview of)\b/i;
const WRITE = /^(?:write|make|create|save|produce|export|put|prepare|draft|generate|build)\b/i;
const WRITE_WORDS =
  "writ mak creat sav produc export put prepar draft generat build short brief plain full report file artifact csv markdown md table summary document text result finding everything them";
const TELL = /^(?:answer|report|present|tell|return|give|reply|cite|name|show|state|say|provide)\b/i;
const TELL_WORDS =
  "answer question request report present tell return giv short brief plain clear result finding figur file sourc page rest nam cit person user reply final them quot";

/** The kind of a step, if every word of it says nothing else; null otherwise. */
export function readStep(text: string, fileNames: readonly string[] = []): Step | null {
  const bare = text.replace(/[.!\s]+$/, "");
  const only = (words: string) =>
    keywordsOf(bare.replace(/\b(?:as|with|in|from) (?:its|their|the|a|an)?\b/gi, " ")).every((word) => words.split(" ").includes(word));
  if (READ.test(bare)) return "read";
  if (OVERVIEW.test(bare)) {
    const names = keywordsOf(fileNames.join(" ").replace(/[-_./]/g, " "));
    const others = fileNames
      .reduce((rest, name) => rest.replaceAll(name, " "), bare.replace(OVERVIEW, ""))
      .replace(new RegExp(`\\b${FILE}\\b`, "gi"), "");
    return keywordsOf(others).every((word) => names.includes(word)) ? "overview" : null;
  }
  if (WRITE.test(bare) && only(WRITE_WORDS)) return "write";
  return TELL.test(bare) && only(TELL_WORDS) ? "tell" : null;
}
