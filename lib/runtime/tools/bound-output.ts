import "server-only";
import { isJsonObject, type JsonObject, type JsonValue } from "@/lib/model/json-schema/json-value";
import { shownRunPath } from "@/lib/model/run/run-file-path";
import { tokensAtMost } from "@/lib/runtime/models/read-turn";
import type { FilesPort } from "@/lib/runtime/tools/tool-ports";

/**
 * The most that one tool call may put into a model's context, in characters of JSON, however large
 * its window is: each later turn pays for it again.
 */
const TOOL_OUTPUT_MAX_CHARACTERS = 80_000;
/** The beginning of a stored result that the model is shown at once. */
const PREVIEW_MAX_CHARACTERS = 8_000;

interface Bounds {
  files: Pick<FilesPort, "write">;
  toolCallId: string;
  /** What is left for it in the model's window; absent: no window to speak of. */
  outputMaxTokens?: number;
}

/** What of a tool decides what becomes of a long output. */
interface Source {
  name: string;
  inputSchema: JsonObject;
  isPaged?: true;
}

/**
 * The output as it is; one for which there is no room is stored whole as a file of the run, and the
 * model is shown its beginning and the handle by which it reads on. What cannot be stored is cut,
 * with a note that says so, how much there was and how to have the rest.
 */
export async function boundOutput(
  tool: Source,
  output: JsonValue,
  { files, toolCallId, outputMaxTokens = Number.POSITIVE_INFINITY }: Bounds,
): Promise<JsonValue> {
  const text = typeof output === "string" ? output : JSON.stringify(output);
  if (text.length <= TOOL_OUTPUT_MAX_CHARACTERS && fits(output, outputMaxTokens)) return output;
  if (tool.isPaged) return cutOutput(text, outputMaxTokens, howToHaveTheRest(tool));
  const whole = toStored(output, text);
  const name =
    `results/${tool.name}-${toolCallId.replace(/[^\w-]/g, "").slice(-60)}.` + `${whole.ending}`;
  const path = shownRunPath(name);
  try {
    await files.write(path, whole.text);
  } catch (error) {
    // Its words are for the model; a fault of ours is not.
    if (!(error instanceof Error && error.name === "ToolFailure")) throw error;
    const rest = `${howToHaveTheRest(tool)} It could not be stored: ${error.message}`;
    return cutOutput(text, outputMaxTokens, rest);
  }
  const note =
    `The output had ${text.length} characters, for which there is no room. It is stored whole: ` +
    "read it on with files_read and this handle, look for something in it with files_search and " +
    "it as the prefix, or compute on it with run_javascript.";
  const about = { stored: true, handle: path, characters: text.length, note, ...whole.rest };
  return { ...about, preview: shorten(whole.text, outputMaxTokens, PREVIEW_MAX_CHARACTERS) };
}

interface Stored {
  text: string;
  ending: "txt" | "json";
  /** What stands beside the text. */
  rest: { beside?: JsonValue };
}

/** A text is most of the output, if it is so much of it. */
const MOST_SHARE = 0.9;
const BESIDE_MAX_CHARACTERS = 2_000;

/** One long text is stored as the text that it is, with its lines; all else as JSON. */
function toStored(output: JsonValue, text: string): Stored {
  if (typeof output === "string") return { text: output, ending: "txt", rest: {} };
  const longest = longestText(output);
  const beside = JSON.stringify(output, (_, value: unknown) =>
    value === longest ? undefined : value,
  );
  if (
    JSON.stringify(longest).length > MOST_SHARE * text.length &&
    beside.length <= BESIDE_MAX_CHARACTERS
  )
    // Made of JSON.
    return { text: longest, ending: "txt", rest: { beside: JSON.parse(beside) as JsonValue } };
  return { text: JSON.stringify(output, null, 1), ending: "json", rest: {} };
}

function longestText(value: JsonValue): string {
  if (typeof value === "string") return value;
  if (typeof value !== "object" || value === null) return "";
  return Object.values(value).reduce<string>((longest, item) => {
    const found = longestText(item ?? null);
    return found.length > longest.length ? found : longest;
  }, "");
}

function cutOutput(text: string, maxTokens: number, howToGoOn: string): JsonObject {
  const shown = shorten(text, maxTokens, TOOL_OUTPUT_MAX_CHARACTERS);
  const note =
    `The output had ${text.length} characters; only the first ${shown.length} are shown, for ` +
    `which there is room. ${howToGoOn}`;
  return { cut: true, note, text: shown };
}

/** How much of a text stays that is too long, until it fits. */
const CUT_SHARE = 0.8;

function shorten(text: string, maxTokens: number, maxCharacters: number): string {
  let shown = text.slice(0, maxCharacters);
  // Quoted again the text is longer, by its escapes.
  while (shown !== "" && !fits(shown, maxTokens))
    shown = shown.slice(0, Math.floor(shown.length * CUT_SHARE));
  return withoutHalfCharacter(shown);
}

function fits(value: JsonValue, maxTokens: number): boolean {
  const text = JSON.stringify(value);
  return text.length <= 2 * TOOL_OUTPUT_MAX_CHARACTERS && tokensAtMost(text) <= maxTokens;
}

/** Names of arguments by which a tool gives a part of what it has. */
const PART_ARGUMENT =
  /^(?:offset|limit|cursor|page|per_?page|page_?(?:size|token)|max_?\w+|start\w*|end\w*|from|to|first|last|after|before|since|until|skip|take|top|count|head|tail|lines?|range|prefix|fields?|columns?|select|filters?|query|search|where|sort)$/i;
const PARTS_NAMED_MAX = 6;

function howToHaveTheRest({ name, inputSchema }: Source): string {
  const { properties } = inputSchema;
  const parts = Object.keys(isJsonObject(properties) ? properties : {}).filter((key) =>
    PART_ARGUMENT.test(key),
  );
  const named = parts.slice(0, PARTS_NAMED_MAX).join(", ");
  return named === ""
    ? `It cannot be read on: to have the rest, call ${name} again so that it gives less at once.`
    : `To have the rest, or only what you need, call ${name} again with other arguments: ${named}.`;
}

/** Postgres takes no lone surrogate, and a cut can make one. */
function withoutHalfCharacter(text: string): string {
  const last = text.charCodeAt(text.length - 1);
  return last >= 0xd800 && last <= 0xdbff ? text.slice(0, -1) : text;
}
