import "server-only";
import { z } from "zod";

const ANSWER_MAX_BYTES = 4 * 1024 * 1024;

/** Words in the names of models that make something else than an answer in text. */
const OTHER_KINDS = [
  ...[
    "embedding",
    "tts",
    "whisper",
    "dall-e",
    "image",
    "audio",
    "realtime",
    "transcribe",
    "moderation",
    "sora",
    "live",
    "veo",
    "imagen",
  ],
  ...[
    "lyria",
    "robotics",
    "computer-use",
    "davinci",
    "babbage",
    "aqa",
    "search-api",
    "deep-research",
    "native-audio",
  ],
];

/** Whether a model answers in text, as its name says. */
export function chatsByName(name: string): boolean {
  return !OTHER_KINDS.some((word) => name.includes(word));
}

/** A number of tokens; null where the list says something else. */
export function toCount(value: number | null | undefined): number | null {
  return typeof value === "number" && Number.isInteger(value) && value > 0 ? value : null;
}

/** Epoch seconds of a time; null where it is none. */
export function toSeconds(text: string | null): number | null {
  const at = text === null ? Number.NaN : Date.parse(text);
  return Number.isNaN(at) ? null : Math.floor(at / 1000);
}

/** An RFC 3339 date; null where it is none. */
export function toDate(text: string | null): string | null {
  return text !== null && z.iso.date().safeParse(text).success ? text : null;
}

/**
 * The JSON of a vendor's list, at most 4 MiB of it. The address is the operator's own, so not the
 * guarded way out; redirects are not followed, as the key would go with them.
 * @throws where the vendor answers with something else
 */
export async function getJson(
  url: string,
  headers: Record<string, string>,
  signal: AbortSignal,
): Promise<unknown> {
  const response = await fetch(url, {
    headers: { accept: "application/json", ...headers },
    signal,
    redirect: "error",
  });
  if (!response.ok || response.body === null) {
    await response.body?.cancel();
    throw new Error(`the list of models was answered with status ${response.status}`);
  }
  const chunks: Uint8Array[] = [];
  let size = 0;
  const reader = response.body.getReader();
  for (;;) {
    const { done, value } = await reader.read();
    if (done) break;
    size += value.byteLength;
    if (size > ANSWER_MAX_BYTES) {
      await reader.cancel();
      throw new Error("the list of models is too long");
    }
    chunks.push(value);
  }
  return JSON.parse(Buffer.concat(chunks).toString("utf8"));
}
