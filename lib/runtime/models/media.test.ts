import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, expect, it } from "vitest";
import { type Env, envSchema } from "@/lib/env";
import {
  imageSizes,
  type MediaRequest,
  MediaUnusable,
  makeMedia,
  priceOfMedia,
  unitsOf,
} from "@/lib/runtime/models/media";
import type { MediaModel } from "@/lib/runtime/models/providers/provider-adapter";

// Against a server that speaks OpenAI's public wire format: what is sent, and what is read.

const closers: (() => void)[] = [];
afterEach(() => {
  for (const close of closers.splice(0)) close();
});

interface Sent {
  line: string;
  key: string | undefined;
  body: Record<string, unknown> | null;
}
type Answer = { status?: number; json?: object; bytes?: Uint8Array };

async function server(...answers: Answer[]): Promise<{ env: Env; sent: Sent[] }> {
  const sent: Sent[] = [];
  const listening = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      const text = Buffer.concat(chunks).toString();
      sent.push({
        line: `${request.method} ${request.url}`,
        key: request.headers.authorization,
        body: text === "" ? null : JSON.parse(text),
      });
      const answer = answers[sent.length - 1] ?? answers.at(-1);
      response.writeHead(answer?.status ?? 200, {
        "content-type": answer?.json ? "application/json" : "application/octet-stream",
      });
      response.end(answer?.json ? JSON.stringify(answer.json) : answer?.bytes);
    });
  });
  await new Promise<void>((resolve) => listening.listen(0, "127.0.0.1", resolve));
  closers.push(() => {
    listening.closeAllConnections();
    listening.close();
  });
  const { port } = listening.address() as AddressInfo; // listens on TCP
  return {
    env: envSchema.parse({
      OPENAI_COMPATIBLE_BASE_URL: `http://127.0.0.1:${port}/v1`,
      OPENAI_COMPATIBLE_API_KEY: "k",
    }),
    sent,
  };
}

const make = (env: Env, request: MediaRequest, signal = new AbortController().signal) =>
  makeMedia(
    { id: "compatible/maker", capability: request.kind, unit_price: 1 },
    request,
    env,
    signal,
    (text) => text.replaceAll("hush", "[redacted]"),
  );
const PNG = Buffer.from("89504e470d0a1a0a0000000d49484452", "hex");
const MP3 = Buffer.from("4944330400000000000054495432", "hex");
const MP4 = Buffer.from("000000206674797069736f6d0000020069736f6d", "hex");
const IMAGE: MediaRequest = { kind: "image", prompt: "A lathe", size: "1024x1024" };

it("an image is asked for as bytes, and known by them", async () => {
  const { env, sent } = await server({
    json: { created: 1, data: [{ b64_json: PNG.toString("base64") }] },
  });
  const made = await make(env, IMAGE);
  expect(made).toMatchObject({ mediaType: "image/png", ending: ".png" });
  expect(Buffer.from(made.bytes)).toEqual(PNG);
  expect(sent).toMatchObject([
    {
      line: "POST /v1/images/generations",
      key: "Bearer k",
      body: {
        model: "maker",
        prompt: "A lathe",
        n: 1,
        size: "1024x1024",
        response_format: "b64_json",
      },
    },
  ]);
});

it("speech is asked for as MP3, in the voice that is wanted", async () => {
  const { env, sent } = await server({ bytes: MP3 });
  expect(await make(env, { kind: "speech", text: "Good day", voice: "nova" })).toMatchObject({
    mediaType: "audio/mpeg",
    ending: ".mp3",
  });
  expect(sent).toMatchObject([
    {
      line: "POST /v1/audio/speech",
      body: { model: "maker", input: "Good day", voice: "nova", response_format: "mp3" },
    },
  ]);
});

it("a video is a job that is looked at until it is done", async () => {
  const job = (status: string) => ({ json: { id: "video_1", object: "video", status } });
  const { env, sent } = await server(job("queued"), job("completed"), { bytes: MP4 });
  expect(await make(env, { kind: "video", prompt: "It turns", seconds: 4 })).toMatchObject({
    mediaType: "video/mp4",
    ending: ".mp4",
  });
  expect(sent.map(({ line }) => line)).toEqual([
    "POST /v1/videos",
    "GET /v1/videos/video_1",
    "GET /v1/videos/video_1/content",
  ]);
  expect(sent[0]?.body).toEqual({ model: "maker", prompt: "It turns", seconds: "4" });
  const failed = await server({
    json: { id: "video_2", status: "failed", error: { message: "not allowed" } },
  });
  await expect(make(failed.env, { kind: "video", prompt: "It turns", seconds: 4 })).rejects.toThrow(
    "not allowed",
  );
});

it("what is no image, whatever the server says, is refused", async () => {
  const { env } = await server({
    json: { data: [{ b64_json: Buffer.from("<script>").toString("base64") }] },
  });
  await expect(make(env, IMAGE)).rejects.toMatchObject({
    code: "EXECUTION_FAILED",
    message: expect.stringContaining("is no image"),
  });
});

it("a refusal is told in the server's words, redacted, and tried again if passing", async () => {
  const refused = await server({ status: 400, json: { error: { message: "no hush pictures" } } });
  await expect(make(refused.env, IMAGE)).rejects.toThrow("no [redacted] pictures");
  expect(refused.sent).toHaveLength(1);
  const busy = await server(
    { status: 503, json: { error: { message: "busy" } } },
    { json: { data: [{ b64_json: PNG.toString("base64") }] } },
  );
  expect(await make(busy.env, IMAGE)).toMatchObject({ mediaType: "image/png" });
  expect(busy.sent).toHaveLength(2);
});

it("what a model was paid for and cannot be used is told apart from what it refused", async () => {
  const { env } = await server({
    json: { data: [{ b64_json: Buffer.from("<script>").toString("base64") }] },
  });
  await expect(make(env, IMAGE)).rejects.toBeInstanceOf(MediaUnusable);
  const refused = await server({ status: 400, json: { error: { message: "no" } } });
  await expect(make(refused.env, IMAGE)).rejects.not.toBeInstanceOf(MediaUnusable);
});

it("an image is priced by its listed size, or by area unless set otherwise", () => {
  const model = { id: "compatible/i", capability: "image" as const, unit_price: 40 };
  const price = (size: `${number}x${number}` | null, more: Partial<MediaModel> = {}) =>
    Number(priceOfMedia({ ...model, ...more }, { kind: "image", prompt: "A lathe", size })) /
    1_000_000;
  expect([
    price(null),
    price("256x256"),
    price("1024x1024"),
    price("1536x1024"),
    price("1024x1792"),
  ]).toEqual([40, 40, 40, 60, 70]);
  const sizes = { "2048x2048": 200, "64x64": 1 };
  expect([
    price("2048x2048", { sizes }),
    price("64x64", { sizes }),
    price(null, { sizes }),
  ]).toEqual([200, 1, 40]);
  expect([...imageSizes({ ...model, sizes }).keys()]).toEqual(["2048x2048", "64x64"]);
  expect(() => price("9999x9999")).toThrow("no image of 9999x9999");
  expect(() => price("1024x1024", { sizes })).toThrow("no image of 1024x1024");
  expect(
    Number(
      priceOfMedia(
        { ...model, capability: "video", unit_price: 100 },
        { kind: "video", prompt: "x", seconds: 7 },
      ),
    ),
  ).toBe(700_000_000);
});

it("a request has its units: an image, characters, seconds", () => {
  expect(unitsOf(IMAGE)).toBe(1);
  expect(unitsOf({ kind: "speech", text: "Good day", voice: null })).toBe(8);
  expect(unitsOf({ kind: "video", prompt: "It turns", seconds: 7 })).toBe(7);
});
