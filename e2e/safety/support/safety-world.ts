import { randomBytes } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { test as base } from "@playwright/test";
import { z } from "zod";
import { createAccount, type TestAccount } from "../../support/accounts";
import { openAdminSession } from "../../support/admin";
import type { Approval } from "../../support/api-document";
import { type MailServer, startMailServer } from "../../support/mail-server";
import { startRun, waitForRun } from "../../support/runs";
import { freePort } from "../../support/servers";
import { type Service, startService } from "../../support/start-service";
import { until } from "../../support/until";
import { ObeyingModel } from "./obeying-model";
import { Partner } from "./partner";
import { type GivenAnswer, RecordingServer } from "./recording-server";

const statusShape = z.looseObject({ status: z.string() });
const hex = (bytes: number) => randomBytes(bytes).toString("hex");

/**
 * Values that must never be found, and one that must, so that a search that finds nothing says
 * something.
 */
export const PLANTED = {
  /** Sent by the connectors to `partner`. */
  crmKey: `sk-canary-${hex(16)}+/=%`,
  /** Sent by nobody. */
  vaultKey: `vault-canary-${hex(16)}`,
  /** Another account's secret. */
  strangersKey: `theirs-canary-${hex(16)}`,
  /** No secret: it stands in what is written and shown. */
  control: `found-canary-${hex(12)}`,
};

/** What a model says that turns the secret back which `partner` shows it backwards. */
export const TURNED_BACK = "{{turned:%=/\\+[0-9a-f]{32}-yranac-ks}}";

/**
 * One service with everything that can keep or send something, two accounts, and whoever is around
 * them, all of it on loopback.
 */
export interface SafetyWorld {
  service: Service;
  dataDir: string;
  model: ObeyingModel;
  owner: TestAccount;
  stranger: TestAccount;
  /** What the stranger has, by kind. */
  theirs: {
    agentId: string;
    workspaceId: string;
    runId: string;
    artifactId: string;
    conversationId: string;
    skill: string;
  };
  /** The host that the secret may go to. */
  partner: Partner;
  /** A site that the agent's owner lets it read. */
  site: RecordingServer;
  /** A host that a connector names and the secret may not go to. */
  elsewhere: RecordingServer;
  /** A host that only an attack names. The service could reach it. */
  attacker: RecordingServer;
  /** What the service must not reach: it stands for everything inside the operator's network. */
  inside: RecordingServer;
  hooks: RecordingServer;
  collector: RecordingServer;
  mail: MailServer;
  /** What `site` answers, by path; under `/search` the excerpt of what a search finds. */
  pages: Map<string, string>;
}

async function openWorld(): Promise<{ world: SafetyWorld; close: () => Promise<void> }> {
  const folder = await mkdtemp(path.join(tmpdir(), "lathe-safety-"));
  const dataDir = path.join(folder, "data");
  const [model, mail, port] = [
    await ObeyingModel.start(),
    await startMailServer(),
    await freePort(),
  ];
  const pages = new Map<string, string>();
  const partner = await Partner.start();
  const [elsewhere, attacker, inside, hooks, collector] = await Promise.all([
    RecordingServer.start(() => ({ body: "noted" })),
    RecordingServer.start(() => ({ body: "thank you" })),
    RecordingServer.start(() => ({ body: "internal" })),
    RecordingServer.start(),
    RecordingServer.start(() => ({ headers: { "content-type": "application/json" }, body: "{}" })),
  ]);
  const site = await RecordingServer.start(({ path: asked }): GivenAnswer => {
    if (asked === "/leads-inside") return { status: 302, headers: { location: `${inside.url}/` } };
    if (asked.startsWith("/search"))
      return {
        headers: { "content-type": "application/json" },
        body: searched(site.url, pages.get("/search")),
      };
    return {
      headers: { "content-type": "text/html" },
      body: pages.get(asked) ?? "<p>Nothing.</p>",
    };
  });
  const reachable = [partner.server, site, elsewhere, attacker, hooks];
  const service = await startService({
    port,
    dataDir,
    modelUrl: model.url,
    logFile: path.join(folder, "service.log"),
    environment: {
      EGRESS_ALLOW: reachable.map(({ host }) => host).join(","),
      NEXTAUTH_URL: `http://127.0.0.1:${port}`,
      SMTP_URL: mail.url,
      MAIL_FROM: "Lathe <no-reply@example.test>",
      LOG_LEVEL: "trace",
      OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
      OTEL_BSP_SCHEDULE_DELAY: "200",
      SEARCH_PROVIDER: "searxng",
      SEARCH_URL: `${site.url}/search`,
      OPENAI_COMPATIBLE_IMAGE_MODELS: "painter",
      OPENAI_COMPATIBLE_SPEECH_MODELS: "speaker",
    },
  });
  const session = await openAdminSession(dataDir);
  // This worker serves the tests of this folder alone, so its accounts are made in this world.
  process.env.E2E_ADMIN_SESSION = session.url;
  const options = { credits: 1_000_000, superAgent: true };
  const [owner, stranger] = [
    await createAccount(service.baseUrl, options),
    await createAccount(service.baseUrl, options),
  ];
  const hosts = { crm: [partner.server.host], vault: ["vault.example.com"] };
  await owner.api.post("/v1/secrets", {
    name: "CRM_KEY",
    value: PLANTED.crmKey,
    allowed_hosts: hosts.crm,
  });
  await owner.api.post("/v1/secrets", {
    name: "VAULT_KEY",
    value: PLANTED.vaultKey,
    allowed_hosts: hosts.vault,
  });
  const theirs = await furnish(stranger, model);
  const around = { partner, site, elsewhere, attacker, inside, hooks, collector, mail, pages };
  const close = async () => {
    await session.stop();
    await service.stop();
    for (const each of [...reachable, inside, collector, model]) each.stop();
    await mail.stop();
    await rm(folder, { recursive: true, force: true });
  };
  return { world: { service, dataDir, model, owner, stranger, theirs, ...around }, close };
}

/**
 * What a search finds, in the words of SearXNG: one page, whose excerpt somebody else has written.
 */
const searched = (url: string, content = "Nothing.") =>
  JSON.stringify({ results: [{ title: "Orders", url: `${url}/orders`, content }] });

/** One object of each kind that an attack tries to reach. */
async function furnish({ api }: TestAccount, model: ObeyingModel): Promise<SafetyWorld["theirs"]> {
  await api.post("/v1/secrets", {
    name: "CRM_KEY",
    value: PLANTED.strangersKey,
    allowed_hosts: ["api.example.com"],
  });
  const skill = `theirs-${hex(4)}`;
  await api.post("/v1/skills", {
    content: `---\nname: ${skill}\ndescription: x\n---\n\nTheir words.\n`,
  });
  const agent = await importAgent(
    { api },
    { name: "Their agent", config: { version: 1, tools: { memory: true } } },
  );
  const workspaceId = (await api.post("/v1/workspaces", { name: "Their files" })).as(
    "Workspace",
  ).workspace_id;
  await api.post(`/v1/workspaces/${workspaceId}/files`, undefined, {
    raw: "their words",
    query: { path: "theirs.txt" },
  });
  const note = model.teach(model.mark(), [
    { tool: "memory", arguments: { action: "save", text: "their words" } },
    { tool: "files_write", arguments: { path: "run:theirs.md", content: "their words" } },
    { tool: "artifacts", arguments: { from: "run:theirs.md" } },
  ]);
  const started = await startRun(api, {
    agent_id: agent,
    input: { text: note },
    metadata: { end_user: "eve" },
  });
  const run = await waitForRun(api, started.run_id);
  return {
    agentId: agent,
    workspaceId,
    runId: run.run_id,
    artifactId: run.result?.artifacts[0]?.id ?? "",
    conversationId: run.conversation_id ?? "",
    skill,
  };
}

/** An agent by its document, as an owner brings one in. */
export async function importAgent(
  { api }: Pick<TestAccount, "api">,
  document: Record<string, unknown>,
): Promise<string> {
  const whole = {
    kind: "agent",
    format: 1,
    name: "Agent",
    skill_content: "Answer.",
    write_autonomy: "approval_required",
    ...document,
  };
  // JSON is YAML too.
  const made = await api.post("/v1/agents/import", undefined, {
    raw: JSON.stringify(whole),
    headers: { "content-type": "application/yaml" },
  });
  return made.as("Agent").agent_id;
}

/**
 * Waits until the run has ended, and says no to whatever a person is asked meanwhile. @returns what
 * was asked, oldest first
 */
export async function endRejecting(
  { owner: { api } }: SafetyWorld,
  runPath: string,
): Promise<Approval[]> {
  const asked = new Map<string, Approval>();
  return until("the run to end", async () => {
    const { status } = (await api.get(runPath)).fitting(statusShape);
    const { data } = (
      await api.get("/v1/approvals", { query: { status: "pending", limit: 100 } })
    ).as("ApprovalPage");
    for (const approval of data) {
      asked.set(approval.approval_id, approval);
      await api.post(`/v1/approvals/${approval.approval_id}/resolve`, { decision: "reject" });
    }
    return data.length === 0 && ENDED.includes(status) && [...asked.values()];
  });
}

const ENDED = ["completed", "failed", "cancelled"];

export const test = base.extend<object, { world: SafetyWorld }>({
  world: [
    // biome-ignore lint/correctness/noEmptyPattern: it uses no other fixture
    async ({}, use) => {
      const { world, close } = await openWorld();
      await use(world);
      const { promptFaults } = world.model;
      await close();
      if (promptFaults.length > 0) throw new Error(`${promptFaults.length}: ${promptFaults[0]}`);
    },
    { scope: "worker", timeout: 600_000 },
  ],
});

export { expect } from "@playwright/test";
