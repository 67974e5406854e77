import "server-only";
import { call, type OfflineCall, type OfflineTurn, say } from "./offline-turn";
import type { PickedFiles } from "./pick-files";
import { quoteSources, type Source } from "./quote-sources";
import type { Job } from "./read-job";
import type { RunState } from "./run-state";
import { keywordsOf } from "./words";

const FILES_MAX = 4;
const PAGES_MAX = 8;
const PAGE_BYTES = 32_768;

/** Answers by quoting the text files of the workspace; null when there are none. */
export function answerFromTexts(job: Job, state: RunState, files: PickedFiles): OfflineTurn | null {
  if (files.texts.length === 0 || !job.hasWorkspace) return null;
  const question = questionOf(job);
  if (files.texts.length > FILES_MAX && state.matches === null && !files.named) {
    const query = [...new Set(keywordsOf(question))].slice(0, 12).join(" ");
    if (query !== "")
      return call([{ name: "workspace_files", input: { action: "search", query } }], "Look for the files that the question is about.");
  }
  const wanted = likeliest(files.texts, state).slice(0, FILES_MAX);
  const reads = nextReads(wanted, state);
  if (reads.length > 0) return call(reads);
  const sources = wanted.flatMap((path): Source[] => {
    const pages = state.pages.filter((page) => page.path === path);
    return pages.length > 0 ? [{ name: path, text: pages.map((page) => page.text).join(""), isWhole: pages.at(-1)?.next === null }] : [];
  });
  if (sources.length === 0) return say(`The text files could not be read: ${state.readErrors[0] ?? "no text"}`);
  return say(quoteSources(question, [...sources, ...job.material.map(({ name, text }) => ({ name, text, isWhole: true }))]));
}

/** What is asked: the request, after the conversation's last one when it leans on it; the skill when there is no request. */
export function questionOf(job: Job): string {
  const isFollowUp = /^(?:and|what about|how about|also|why)\b/i.test(job.request.trim());
  const spoken = isFollowUp ? `${job.earlier.at(-1) ?? ""}\n${job.request}` : job.request;
  const isBare = keywordsOf(spoken.replace(/\S+\.\w{2,5}\b/g, "")).length === 0 || /^Do what your skill says\.?$/.test(spoken);
  return isBare ? [spoken, job.purpose, ...job.steps].join("\n") : spoken;
}

function likeliest(paths: readonly string[], state: RunState): string[] {
  if (state.matches === null) return [...paths];
  const hits = new Map<string, number>();
  for (const { path } of state.matches) hits.set(path, (hits.get(path) ?? 0) + 1);
  const found = paths.filter((path) => hits.has(path)).sort((a, b) => (hits.get(b) ?? 0) - (hits.get(a) ?? 0));
  return found.length > 0 ? found : [...paths];
}

/** First pages of all files at once, then the next page of each until all is read or enough is. */
function nextReads(paths: readonly string[], state: RunState): OfflineCall[] {
  if (state.pages.length >= PAGES_MAX || state.readErrors.length > 0) return [];
  return paths
    .flatMap((path): OfflineCall[] => {
      const last = state.pages.filter((page) => page.path === path).at(-1);
      if (last && last.next === null) return [];
      return [{ name: "workspace_files", input: { action: "read", path, offset: last?.next ?? 0, max_bytes: PAGE_BYTES } }];
    })
    .slice(0, PAGES_MAX - state.pages.length);
}
