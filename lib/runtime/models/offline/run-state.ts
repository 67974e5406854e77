import "server-only";
import { z } from "zod";
import type { DoneCall, ReadPrompt } from "./read-prompt";
import { profilesSchema } from "./table/table-profile";
import { answersSchema } from "./table/table-query";

const listingSchema = z.object({ files: z.array(z.object({ path: z.string(), size_bytes: z.number(), content_type: z.string() })) });
const pageSchema = z.object({ path: z.string(), text: z.string(), next_offset: z.number().nullable() });
const searchSchema = z.object({ matches: z.array(z.object({ path: z.string(), line: z.number(), text: z.string() })) });
const computedSchema = z.object({ result: z.unknown() });
const actionSchema = z.object({ action: z.string() });

export type ListedFile = z.infer<typeof listingSchema>["files"][number];
export interface TextPage {
  path: string;
  text: string;
  next: number | null;
}

/** What the calls since the request have brought. */
export interface RunState {
  /** Null until the files are listed; empty when that failed. */
  files: ListedFile[] | null;
  profiles: z.infer<typeof profilesSchema>["tables"] | null;
  answers: z.infer<typeof answersSchema> | null;
  /** Any other result of code. */
  value: { result: unknown } | null;
  pages: TextPage[];
  matches: z.infer<typeof searchSchema>["matches"] | null;
  /** What the last code that failed said. */
  codeError: string | null;
  readErrors: string[];
  todos: number;
  artifact: "made" | "failed" | null;
}

export function readState(prompt: ReadPrompt): RunState {
  const state: RunState = {
    files: null,
    profiles: null,
    answers: null,
    value: null,
    pages: [],
    matches: null,
    codeError: null,
    readErrors: [],
    todos: 0,
    artifact: null,
  };
  for (const done of prompt.done) takeCall(state, done);
  return state;
}

function takeCall(state: RunState, done: DoneCall): void {
  if (done.name === "todo") state.todos += 1;
  else if (done.name === "artifacts") state.artifact = done.failed ? "failed" : "made";
  else if (done.name === "run_javascript") takeCode(state, done);
  else if (done.name === "workspace_files") takeFiles(state, done);
}

function takeCode(state: RunState, { output, failed }: DoneCall): void {
  const computed = computedSchema.safeParse(output);
  if (failed || !computed.success) {
    state.codeError = errorOf(output);
    return;
  }
  const profiles = profilesSchema.safeParse(computed.data.result);
  const answers = answersSchema.safeParse(computed.data.result);
  if (profiles.success) state.profiles = profiles.data.tables;
  else if (answers.success) state.answers = answers.data;
  else state.value = { result: computed.data.result };
}

function takeFiles(state: RunState, { input, output, failed }: DoneCall): void {
  const action = actionSchema.safeParse(input).data?.action;
  if (action === "list") state.files = listingSchema.safeParse(output).data?.files ?? [];
  else if (action === "search") state.matches = searchSchema.safeParse(output).data?.matches ?? [];
  else if (action === "read") {
    const page = pageSchema.safeParse(output);
    if (failed || !page.success) state.readErrors.push(errorOf(output));
    else state.pages.push({ path: page.data.path, text: page.data.text, next: page.data.next_offset });
  }
}

function errorOf(output: unknown): string {
  const parsed = z.object({ error: z.string() }).safeParse(output);
  return parsed.data?.error ?? (typeof output === "string" ? output.slice(0, 200) : "The tool gave no usable result.");
}
