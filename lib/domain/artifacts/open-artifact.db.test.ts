import { mkdtempSync } from "node:fs";
import { rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { openArtifact } from "@/lib/domain/artifacts/open-artifact";
import { artifactUrl, signArtifacts, signEventLine } from "@/lib/domain/artifacts/sign-artifacts";
import { artifactPort } from "@/lib/domain/execution/tools/dispatch-tool";
import { type DomainDatabase, openDomainDatabase } from "@/lib/domain/test/domain-database";
import type { ServiceError } from "@/lib/model/errors";
import { newId } from "@/lib/platform/ids";

const folder = mkdtempSync(join(tmpdir(), "lathe-domain-"));

const BASE = "http://lathe.example.test";
const FIFTEEN_MINUTES_MS = 900_000;
let database: DomainDatabase;
let artifactId: string;
let accountId: string;

beforeAll(async () => {
  database = await openDomainDatabase({
    env: { DATA_DIR: folder, SIGNING_SECRET: "a secret of this test" },
  });
  ({ accountId } = await database.account());
  const made = { title: "Report", name: "report.md", type: "text/markdown", content: "# Report" };
  artifactId = (await artifactPort({ id: newId(), accountId }, "call").create(made)).id;
});
afterAll(async () => {
  vi.useRealTimers();
  await database.close();
  await rm(folder, { recursive: true, force: true });
});

const links = (owner = accountId) => ({ accountId: owner, baseUrl: BASE });
const opened = (url: string) =>
  openArtifact(new URL(url), artifactId).then(
    (file) => file.name,
    (error: ServiceError) => error.code,
  );

test("an artifact's address works for 15 minutes; its run gives a fresh one", async () => {
  vi.useFakeTimers({ toFake: ["Date"], now: Date.now() });
  const url = artifactUrl(artifactId, links());
  expect(await opened(url)).toBe("report.md");
  vi.setSystemTime(Date.now() + FIFTEEN_MINUTES_MS - 1_000);
  expect(await opened(url)).toBe("report.md");
  // The end is rounded up to a whole second.
  vi.setSystemTime(Date.now() + 2_000);
  expect(await opened(url)).toBe("NOT_FOUND");
  expect(await opened(artifactUrl(artifactId, links()))).toBe("report.md");
});

test("a link signed for another account opens nothing, though the artifact is there", async () => {
  expect(await opened(artifactUrl(artifactId, links(newId())))).toBe("NOT_FOUND");
  const url = new URL(artifactUrl(artifactId, links(newId())));
  url.searchParams.set("scope", accountId);
  expect(await opened(url.href)).toBe("NOT_FOUND");
});

test("only an event's and a result's artifacts are signed, no words of a model", () => {
  const mine = {
    id: artifactId,
    title: "Report",
    type: "text/markdown",
    url: `artifact:${artifactId}`,
    name: "report.md",
    size_bytes: 8,
  };
  const written = {
    url: `artifact:${artifactId}`,
    more: [{ url: `artifact:${newId()}` }],
    artifacts: [mine],
  };
  const result = { text: JSON.stringify(written), artifacts: [mine], data: written };
  const signed = signArtifacts(result, links());
  expect(signed.artifacts[0]?.url).toContain("signature=");
  expect(JSON.stringify([signed.text, signed.data])).toBe(
    JSON.stringify([result.text, result.data]),
  );
  const line = JSON.stringify({
    type: "run.completed",
    sequence_number: 1,
    result,
    usage: { credits: 0, breakdown: [] },
  });
  const shown = JSON.parse(signEventLine(line, links())) as { result: typeof result };
  expect(shown.result.artifacts[0]?.url).toContain("signature=");
  expect(JSON.stringify(shown.result.data)).toBe(JSON.stringify(written));
  const delta = JSON.stringify({
    type: "output_text.delta",
    delta: "x",
    url: `artifact:${artifactId}`,
  });
  expect(signEventLine(delta, links())).toBe(delta);
});
