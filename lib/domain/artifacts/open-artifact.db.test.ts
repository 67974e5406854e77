import { rm } from "node:fs/promises";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { openArtifact } from "@/lib/domain/artifacts/open-artifact";
import { artifactPort } from "@/lib/domain/execution/artifact-port";
import { artifactUrl } from "@/lib/domain/runs/artifact-url";
import { type DomainDatabase, openDomainDatabase } from "@/lib/domain/test/domain-database";
import type { ServiceError } from "@/lib/model/errors";
import { newId } from "@/lib/platform/ids";

// The environment is read when the modules above are loaded, so it has to stand before.
const folder = await vi.hoisted(async () => {
  const [{ mkdtemp }, { tmpdir }] = await Promise.all([import("node:fs/promises"), import("node:os")]);
  const folder = await mkdtemp(`${tmpdir()}/lathe-domain-`);
  vi.stubEnv("DATA_DIR", folder);
  vi.stubEnv("SIGNING_SECRET", "a secret of this test");
  return folder;
});

const BASE = "http://lathe.example.test";
const FIFTEEN_MINUTES_MS = 900_000;
let database: DomainDatabase;
let artifactId: string;

beforeAll(async () => {
  database = await openDomainDatabase();
  const { accountId } = await database.account();
  const made = { title: "Report", name: "report.md", type: "text/markdown", content: "# Report" };
  artifactId = (await artifactPort({ id: newId(), accountId }, "call").create(made)).id;
});
afterAll(async () => {
  vi.useRealTimers();
  await database.close();
  await rm(folder, { recursive: true, force: true });
});

const opened = (url: string) =>
  openArtifact(new URL(url), artifactId).then(
    (file) => file.name,
    (error: ServiceError) => error.code,
  );

test("an artifact's address works for 15 minutes and not longer, and the next fetch of its run gives one that works again", async () => {
  vi.useFakeTimers({ toFake: ["Date"], now: Date.now() });
  const url = artifactUrl(artifactId, BASE);
  expect(await opened(url)).toBe("report.md");
  vi.setSystemTime(Date.now() + FIFTEEN_MINUTES_MS - 1_000);
  expect(await opened(url)).toBe("report.md");
  // The end is rounded up to a whole second.
  vi.setSystemTime(Date.now() + 2_000);
  expect(await opened(url)).toBe("NOT_FOUND");
  expect(await opened(artifactUrl(artifactId, BASE))).toBe("report.md");
});
