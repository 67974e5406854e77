import "server-only";
import { StreamCut } from "../to-model-call-problem";

const LINE_MAX_CHARACTERS = 8 * 1024 * 1024;

export interface EventDataReader {
  /** The data of the events that these bytes complete. */
  take(bytes: Uint8Array): string[];
  /** The data of an event that the end of the stream completes. */
  end(): string[];
}

/**
 * The `data` of server-sent events, out of bytes that may be cut anywhere, within a character too. Lines may end with LF, CRLF or
 * CR LF cut apart; comments and other fields are skipped. Each `data` line counts by itself, as chat completions use them.
 */
export function readEventData(): EventDataReader {
  const decoder = new TextDecoder();
  let rest = "";
  const read = (text: string, isEnd: boolean): string[] => {
    const lines = (rest + text).split("\n");
    rest = isEnd ? "" : (lines.pop() ?? "");
    if (rest.length > LINE_MAX_CHARACTERS) throw new StreamCut("a line without an end");
    return lines.flatMap(dataOf);
  };
  return { take: (bytes) => read(decoder.decode(bytes, { stream: true }), false), end: () => read(decoder.decode(), true) };
}

function dataOf(line: string): string[] {
  if (!line.startsWith("data:")) return [];
  const data = line.slice(5).trim();
  return data === "" ? [] : [data];
}
