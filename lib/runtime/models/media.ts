import "server-only";
import { setTimeout as wait } from "node:timers/promises";
import { createOpenAI } from "@ai-sdk/openai";
import { APICallError } from "@ai-sdk/provider";
import { z } from "zod";
import type { Env } from "@/lib/env";
import type { MediaToolName } from "@/lib/model/agent-config/built-in-tools";
import { RunFailure } from "@/lib/model/run/run-failure";
import { withoutTrailingSlashes } from "@/lib/model/text/trim";
import { log } from "@/lib/platform/log";
import { metrics } from "@/lib/platform/metrics/metrics";
import { toModelCallProblem } from "@/lib/runtime/models/model-call";
import { priceUnits } from "@/lib/runtime/models/prices";
import { compatibleServer } from "@/lib/runtime/models/providers/compatible";
import type { MediaModel } from "@/lib/runtime/models/providers/provider-adapter";

/** What a model is to make. */
export type MediaRequest =
  | { kind: "image"; prompt: string; size: `${number}x${number}` | null }
  | { kind: "speech"; text: string; voice: string | null }
  | { kind: "video"; prompt: string; seconds: number };

export interface MadeMedia {
  bytes: Uint8Array<ArrayBuffer>;
  /** As its bytes say. */
  mediaType: string;
  /** With its dot. */
  ending: string;
}

/** The most that is taken of a server's answer. */
const ANSWER_MAX_BYTES = 96 * 1024 * 1024;
const TRIES = 2;
const PAUSE_MS = 1_000;
const VIDEO_LOOK_MS = 2_000;

/** How many units a request has: an image, characters of speech, seconds of video. */
export function unitsOf(request: MediaRequest): number {
  return request.kind === "image"
    ? 1
    : request.kind === "speech"
      ? request.text.length
      : request.seconds;
}

/**
 * Sizes that most models take, with what an image of them costs in images: by its area, and never
 * less than one.
 */
const STANDARD_SIZES: Record<string, number> = {
  ...{ "256x256": 1, "512x512": 1, "1024x1024": 1 },
  ...{ "1024x1536": 1.5, "1536x1024": 1.5, "1024x1792": 1.75, "1792x1024": 1.75 },
};

/**
 * The sizes that a model takes, with credits each: a size that nobody has priced is not asked for,
 * since the vendor's bill grows with it.
 */
export function imageSizes({
  sizes,
  unit_price,
}: Pick<MediaModel, "sizes" | "unit_price">): Map<string, number> {
  if (sizes) return new Map(Object.entries(sizes));
  return new Map(
    Object.entries(STANDARD_SIZES).map(([size, images]) => [size, images * unit_price]),
  );
}

/**
 * What a request costs, in micros of credits. @throws RunFailure for a size that the model does not
 * take
 */
export function priceOfMedia(model: MediaModel, request: MediaRequest): bigint {
  const units = unitsOf(request);
  if (request.kind !== "image" || request.size === null) return priceUnits(model.unit_price, units);
  const sizes = imageSizes(model);
  const credits = sizes.get(request.size);
  if (credits === undefined)
    throw new RunFailure(
      "EXECUTION_FAILED",
      `${model.id} makes no image of ${request.size}. It takes ${[...sizes.keys()].join(", ")}.`,
    );
  return priceUnits(credits, units);
}

/**
 * The server has made something, and its operator will bill it, but it is not what was asked for.
 */
export class MediaUnusable extends RunFailure {}

/**
 * Has a model of an OpenAI-compatible server make something.
 * @param redact takes the account's secrets out of what the server says of a failure
 * @throws RunFailure when the server does not; MediaUnusable when it answers something else; the
 * signal's reason when it is aborted
 */
export async function makeMedia(
  { id, capability }: MediaModel,
  request: MediaRequest,
  env: Env,
  signal: AbortSignal,
  redact: (text: string) => string,
): Promise<MadeMedia> {
  const name = id.slice(id.indexOf("/") + 1);
  for (let tried = 1; ; tried++) {
    const startedAt = performance.now();
    const tell = (outcome: string) =>
      metrics()?.modelCalls.observe({ model: id, outcome }, (performance.now() - startedAt) / 1000);
    try {
      const made = recognise(await ask(name, request, env, signal), capability, id);
      tell("ok");
      return made;
    } catch (error) {
      if (signal.aborted) tell("aborted");
      signal.throwIfAborted();
      const problem = toModelCallProblem(error, id, redact);
      tell(problem.code);
      log.warn(
        { model: id, code: problem.code, cause: problem.cause, reason: problem.message },
        "a model call failed",
      );
      if (error instanceof MediaUnusable) throw error;
      if (!problem.retryable || tried >= TRIES) throw new RunFailure(problem.code, problem.message);
      await wait(PAUSE_MS, undefined, { signal });
    }
  }
}

async function ask(
  name: string,
  request: MediaRequest,
  env: Env,
  signal: AbortSignal,
): Promise<Uint8Array<ArrayBuffer>> {
  const { baseUrl, apiKey } = compatibleServer(env);
  const baseURL = withoutTrailingSlashes(baseUrl);
  // The provider wants a key; a server that asks for none does not look at it.
  const provider = createOpenAI({
    name: "compatible",
    baseURL,
    apiKey: apiKey || "none",
    fetch: boundedFetch,
  });
  const plain = { abortSignal: signal, providerOptions: {} };
  if (request.kind === "image") {
    const { prompt, size } = request;
    const options = {
      ...plain,
      prompt,
      n: 1,
      size: size ?? undefined,
      aspectRatio: undefined,
      seed: undefined,
    };
    const { images } = await provider
      .image(name)
      .doGenerate({ ...options, files: undefined, mask: undefined });
    return toBytes(images[0] ?? "");
  }
  if (request.kind === "speech") {
    const { text, voice } = request;
    const { audio } = await provider
      .speech(name)
      .doGenerate({ ...plain, text, ...(voice !== null && { voice }), outputFormat: "mp3" });
    return toBytes(audio);
  }
  return makeVideo(baseURL, apiKey, name, request, signal);
}

const videoSchema = z.object({
  id: z.string(),
  status: z.string(),
  error: z.object({ message: z.string() }).nullish(),
});

/** OpenAI's videos: a job that is looked at until it is done. */
async function makeVideo(
  baseURL: string,
  apiKey: string,
  model: string,
  { prompt, seconds }: Extract<MediaRequest, { kind: "video" }>,
  signal: AbortSignal,
): Promise<Uint8Array<ArrayBuffer>> {
  const headers = {
    "content-type": "application/json",
    ...(apiKey && { authorization: `Bearer ${apiKey}` }),
  };
  const get = async (path: string, init: RequestInit = {}) => {
    const url = `${baseURL}/videos${path}`;
    const response = await boundedFetch(url, { ...init, headers, signal });
    if (response.ok) return response;
    const { status: statusCode } = response;
    throw new APICallError({
      message: `status ${statusCode}`,
      url,
      requestBodyValues: {},
      statusCode,
      responseBody: await response.text(),
    });
  };
  const body = JSON.stringify({ model, prompt, seconds: String(seconds) });
  let job = videoSchema.parse(await (await get("", { method: "POST", body })).json());
  while (job.status !== "completed") {
    if (job.status === "failed")
      throw new RunFailure(
        "EXECUTION_FAILED",
        `The video was not made: ${job.error?.message ?? "no reason was given"}.`,
      );
    await wait(VIDEO_LOOK_MS, undefined, { signal });
    job = videoSchema.parse(await (await get(`/${encodeURIComponent(job.id)}`)).json());
  }
  return new Uint8Array(await (await get(`/${encodeURIComponent(job.id)}/content`)).arrayBuffer());
}

function toBytes(given: string | Uint8Array): Uint8Array<ArrayBuffer> {
  return typeof given === "string"
    ? new Uint8Array(Buffer.from(given, "base64"))
    : new Uint8Array(given);
}

/** The address is the operator's own; what comes back from it is still bounded. */
async function boundedFetch(...[input, init]: Parameters<typeof fetch>): Promise<Response> {
  const response = await fetch(input, init);
  let left = ANSWER_MAX_BYTES;
  const bound = new TransformStream<Uint8Array, Uint8Array>({
    transform(chunk, controller) {
      left -= chunk.byteLength;
      if (left < 0)
        controller.error(
          new RunFailure(
            "EXECUTION_FAILED",
            `The model's answer has more than ${ANSWER_MAX_BYTES} bytes.`,
          ),
        );
      else controller.enqueue(chunk);
    },
  });
  const { status, statusText, headers } = response;
  return new Response(response.body?.pipeThrough(bound) ?? null, { status, statusText, headers });
}

type Kind = [mediaType: string, ending: string, isIt: (bytes: Uint8Array, text: string) => boolean];

/** By their first bytes, whatever a server says that they are. */
const KINDS: Record<MediaToolName, Kind[]> = {
  image: [
    ["image/png", ".png", (_, text) => text.startsWith("\x89PNG\r\n\x1a\n")],
    ["image/jpeg", ".jpg", (_, text) => text.startsWith("\xff\xd8\xff")],
    ["image/webp", ".webp", (_, text) => text.startsWith("RIFF") && text.slice(8, 12) === "WEBP"],
    ["image/gif", ".gif", (_, text) => /^GIF8[79]a/.test(text)],
  ],
  speech: [
    [
      "audio/mpeg",
      ".mp3",
      (bytes, text) =>
        text.startsWith("ID3") || (bytes[0] === 0xff && ((bytes[1] ?? 0) & 0xe0) === 0xe0),
    ],
    ["audio/wav", ".wav", (_, text) => text.startsWith("RIFF") && text.slice(8, 12) === "WAVE"],
    ["audio/ogg", ".ogg", (_, text) => text.startsWith("OggS")],
    ["audio/flac", ".flac", (_, text) => text.startsWith("fLaC")],
  ],
  video: [
    ["video/mp4", ".mp4", (_, text) => text.slice(4, 8) === "ftyp"],
    ["video/webm", ".webm", (_, text) => text.startsWith("\x1a\x45\xdf\xa3")],
  ],
};
const HEAD_BYTES = 16;

function recognise(
  bytes: Uint8Array<ArrayBuffer>,
  capability: MediaToolName,
  model: string,
): MadeMedia {
  const head = Buffer.from(bytes.subarray(0, HEAD_BYTES)).toString("latin1");
  const kind = KINDS[capability].find(([, , isIt]) => isIt(bytes, head));
  if (!kind)
    throw new MediaUnusable(
      "EXECUTION_FAILED",
      `What ${model} answered is no ${capability} of a kind that is known here.`,
    );
  return { bytes, mediaType: kind[0], ending: kind[1] };
}
