import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { createAccount, type TestAccount } from "../support/accounts";
import { type ScriptTurn, textOfMessages, toolResultOf } from "../support/model-script";
import { startRun, waitForRun } from "../support/runs";
import { freePort } from "../support/servers";
import { startService } from "../support/start-service";
import { test as base, expect } from "../support/test";

// A service with models that make something: the suite's own has none.
const test = base.extend<object, { owner: TestAccount }>({
  owner: [
    async ({ modelUrl }, use) => {
      const folder = await mkdtemp(path.join(tmpdir(), "lathe-media-"));
      const dataDir = path.join(folder, "data");
      const environment = {
        OPENAI_COMPATIBLE_IMAGE_MODELS: "painter",
        OPENAI_COMPATIBLE_SPEECH_MODELS: "speaker",
        OPENAI_COMPATIBLE_VIDEO_MODELS: "filmer",
        OPENAI_COMPATIBLE_PRICES:
          '{"painter": {"unit": 30}, "speaker": {"unit": 0.02}, "filmer": {"unit": 10}}',
      };
      const service = await startService({
        port: await freePort(),
        dataDir,
        modelUrl,
        logFile: `${folder}.log`,
        environment,
      });
      await use(await createAccount(service.baseUrl, { credits: 10_000 }, { DATA_DIR: dataDir }));
      await service.stop();
      await rm(folder, { recursive: true, force: true });
    },
    { scope: "worker", timeout: 600_000 },
  ],
});
test.describe.configure({ mode: "default" });

const call = (name: string, args: Record<string, unknown>): ScriptTurn => ({
  tool_calls: [{ name, args: { title: `The ${name}`, ...args } }],
});

test("a run makes image, speech and video: files of the result, typed, and paid by piece", async ({
  owner: { api },
  script,
}) => {
  const one = await script(
    call("image", { prompt: "A lathe", size: "1024x1024" }),
    call("speech", { text: "Good day." }),
    call("video", { prompt: "It turns.", seconds: 3 }),
    { text: "Made." },
  );
  const { run_id } = await startRun(api, { input: { text: one.mark } });
  const run = await waitForRun(api, run_id);
  expect(run).toMatchObject({ status: "completed", result: { text: "Made." } });
  const made = run.result?.artifacts ?? [];
  expect(made.map(({ name, type }) => [name, type])).toEqual([
    ["the-image.png", "image/png"],
    ["the-speech.mp3", "audio/mpeg"],
    ["the-video.mp4", "video/mp4"],
  ]);
  for (const { url, type, size_bytes, name } of made) {
    const answer = await fetch(new URL(url, api.baseUrl));
    expect(answer.status).toBe(200);
    expect(answer.headers.get("content-type")).toBe(type);
    expect(answer.headers.get("content-disposition")).toContain(`attachment; filename="${name}"`);
    expect(answer.headers.get("x-content-type-options")).toBe("nosniff");
    expect((await answer.arrayBuffer()).byteLength).toBe(size_bytes);
  }
  const paid = run.usage.breakdown.filter(({ capability }) => capability !== "chat");
  expect(
    paid.map(({ model, capability, units, credits }) => [model, capability, units, credits]).sort(),
  ).toEqual([
    ["compatible/filmer", "video", 3, 30],
    ["compatible/painter", "image", 1, 30],
    ["compatible/speaker", "speech", 9, 0.18],
  ]);
});

test("a call that the vendor refuses costs nothing, and its model is told why", async ({
  owner: { api },
  script,
}) => {
  const one = await script(call("image", { prompt: "refuse this" }), {
    text: "It could not be made.",
  });
  const { run_id } = await startRun(api, { input: { text: one.mark } });
  const run = await waitForRun(api, run_id);
  expect(run).toMatchObject({
    status: "completed",
    result: { text: "It could not be made.", artifacts: [] },
  });
  expect(run.usage.breakdown.map(({ capability }) => capability)).toEqual(["chat"]);
  expect(toolResultOf((await one.calls()).at(-1))).toContain("the picture is not allowed");
});

test("what costs more than the run may spend is not made", async ({ owner: { api }, script }) => {
  const one = await script(call("image", { prompt: "A lathe" }), { text: "Without it." });
  const { run_id } = await startRun(api, { input: { text: one.mark }, max_credits: 25 });
  expect(await waitForRun(api, run_id)).toMatchObject({
    status: "completed",
    result: { text: "Without it.", artifacts: [] },
  });
  expect(toolResultOf((await one.calls()).at(-1))).toContain("would cost 30 credits");
});

test("without a model that makes them there are no such tools", async ({ api, script }) => {
  const one = await script({ text: "Nothing to draw with." });
  await waitForRun(api, (await startRun(api, { input: { text: one.mark } })).run_id);
  const [first] = await one.calls();
  const names = first?.body.tools?.map((tool) => tool.function.name) ?? [];
  expect(names).toContain("artifacts");
  expect(names.filter((name) => ["image", "speech", "video"].includes(name))).toEqual([]);
  expect(textOfMessages(first)).toContain(one.mark);
});
