import { mkdtempSync } from "node:fs";
import { rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { type OauthMcpServer, startOauthMcpServer } from "@/e2e/support/oauth-mcp-server";
import { updateAccount } from "@/lib/domain/account/update-account";
import { archiveAgent } from "@/lib/domain/agents/archive-agent";
import { duplicateAgent } from "@/lib/domain/agents/duplicate-agent";
import { getAgentVersion } from "@/lib/domain/agents/get-agent-version";
import { FIRST_VERSION, insertAgent } from "@/lib/domain/agents/insert-agent";
import { listAgentVersions } from "@/lib/domain/agents/list-agent-versions";
import { restoreAgentVersion } from "@/lib/domain/agents/restore-agent-version";
import { updateAgent } from "@/lib/domain/agents/update-agent";
import { storeBytes } from "@/lib/domain/blobs/stored-bytes";
import { requestAgentCreation } from "@/lib/domain/builds/request-agent-creation";
import { beginSignIn } from "@/lib/domain/connections/begin-sign-in";
import { deleteConnection } from "@/lib/domain/connections/delete-connection";
import { deleteConversation } from "@/lib/domain/conversations/delete-conversation";
import { deleteFile } from "@/lib/domain/files/delete-file";
import { commitFile } from "@/lib/domain/files/save-file";
import type { Principal } from "@/lib/domain/principal";
import { requestRun } from "@/lib/domain/runs/request-run";
import { createSchedule } from "@/lib/domain/schedules/create-schedule";
import { deleteSchedule } from "@/lib/domain/schedules/delete-schedule";
import { createSecret } from "@/lib/domain/secrets/create-secret";
import { deleteSecret } from "@/lib/domain/secrets/delete-secret";
import { deleteSkill } from "@/lib/domain/skills/delete-skill";
import { installSkill } from "@/lib/domain/skills/install-skill";
import { type DomainDatabase, openDomainDatabase } from "@/lib/domain/test/domain-database";
import { newAgent } from "@/lib/domain/test/new-agent";
import { createWorkspace } from "@/lib/domain/workspaces/create-workspace";
import { deleteWorkspace } from "@/lib/domain/workspaces/delete-workspace";
import type { CapName, CountedRows } from "@/lib/model/limits";
import { newId } from "@/lib/platform/ids";
import { transaction } from "@/lib/platform/postgres";

const folder = mkdtempSync(join(tmpdir(), "lathe-domain-"));

let database: DomainDatabase;
let owner: Principal;
let server: OauthMcpServer;

beforeAll(async () => {
  server = await startOauthMcpServer();
  database = await openDomainDatabase({
    env: {
      DATA_DIR: folder,
      EGRESS_ALLOW: server.host,
      ENCRYPTION_KEYS: JSON.stringify([{ id: "k1", key: Buffer.alloc(32, 7).toString("base64") }]),
    },
  });
  // Who waits for a lock that nobody gives back fails, and does not hang.
  database.pool.on("connect", (client) => void client.query("SET lock_timeout = '5s'"));
});
beforeEach(async () => {
  owner = await database.account();
});
afterAll(async () => {
  await database.close();
  await server.stop();
  await rm(folder, { recursive: true, force: true });
});

const setCap = (name: CapName, cap: number | null) =>
  updateAccount(owner, { caps: { [name]: cap } });

async function countOf(name: CountedRows): Promise<number> {
  const { rows } = await database.pool.query(
    "SELECT count FROM row_counts WHERE account_id = $1 AND name = $2",
    [owner.accountId, name],
  );
  return rows[0]?.count ?? 0;
}

/** One thing of each kind, by the verb that makes it; gives the verb that takes it away again. */
const MAKERS: Record<Exclude<CountedRows, "agents">, () => Promise<() => Promise<unknown>>> = {
  workspaces: async () => {
    const { id } = await createWorkspace(owner, { name: "w", description: null });
    return () => deleteWorkspace(owner, id);
  },
  files: async () => {
    const workspaceId = await theWorkspace();
    const stored = await storeBytes(owner.accountId, Readable.from([Buffer.from("text")]));
    const { file } = await commitFile(owner, workspaceId, {
      path: `${newId()}.txt`,
      contentType: null,
      stored,
      countsAsWrite: true,
    });
    return () => deleteFile(owner, workspaceId, file.id);
  },
  schedules: async () => {
    const agentId = await theAgent();
    const { id } = await createSchedule(owner, agentId, {
      cron: "0 9 * * *",
      timezone: "UTC",
      input: {},
      enabled: true,
    });
    return () => deleteSchedule(owner, agentId, id);
  },
  conversations: async () => {
    const run = await requestRun(owner, "agent", PLAIN_RUN);
    if ("replayed" in run) throw new Error("it has no key");
    return async () => {
      await database.pool.query("UPDATE conversations SET active_run_id = NULL WHERE id = $1", [
        run.conversationId,
      ]);
      await deleteConversation(owner, run.conversationId ?? "");
    };
  },
  secrets: async () => {
    const name = `S${newId().replaceAll("-", "").toUpperCase()}`;
    await createSecret(owner, {
      name,
      value: "x",
      description: null,
      allowedHosts: ["example.com"],
    });
    return () => deleteSecret(owner, name);
  },
  connections: async () => {
    const { connection } = await beginSignIn(owner, {
      serverUrl: `${server.serverUrl}?${newId()}`,
      client: null,
      scopes: null,
    });
    return () => deleteConnection(owner, connection.id);
  },
  end_user_secrets: async () => {
    const endUser = newId();
    await createSecret(owner, {
      ...{ name: "S", endUser, value: "x", description: null },
      allowedHosts: ["example.com"],
    });
    return () => deleteSecret(owner, "S", endUser);
  },
  end_user_connections: async () => {
    const { connection } = await beginSignIn(owner, {
      serverUrl: server.serverUrl,
      endUser: newId(),
      client: null,
      scopes: null,
    });
    return () => deleteConnection(owner, connection.id);
  },
  skills: async () => {
    const name = `s${newId()}`;
    const skill = { name, description: "d", content: "c" } as Parameters<
      typeof installSkill
    >[1]["skill"]; // what the row needs of it
    const { id } = await installSkill(owner, { skill, files: [] }, false);
    return () => deleteSkill(owner, id);
  },
};

const PLAIN_RUN = {
  agentId: null,
  workspaceId: null,
  webhookUrl: null,
  shouldNotify: false,
  model: null,
  metadata: {},
  maxCreditsMicros: null,
  input: { text: "x" },
  conversationId: null,
};

const places = new Map<string, Promise<string>>();
const once = (key: string, make: () => Promise<{ id: string }>): Promise<string> => {
  const place = places.get(`${key}:${owner.accountId}`) ?? make().then(({ id }) => id);
  places.set(`${key}:${owner.accountId}`, place);
  return place;
};
const theWorkspace = () =>
  once("workspace", () => createWorkspace(owner, { name: "w", description: null }));
const theAgent = () => once("agent", () => newAgent(owner));

describe.each(Object.entries(MAKERS))("the cap of %s", (key, make) => {
  const name = key as CountedRows; // Object.entries forgets the literal keys

  test("of many made at once with room for one, one stays, the others leave nothing", async () => {
    await make();
    await setCap(name, 2);
    const made = await Promise.allSettled(Array.from({ length: 8 }, () => make()));
    expect(made.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
    for (const each of made)
      if (each.status === "rejected")
        expect(each.reason).toMatchObject({
          code: "CONFLICT",
          message: expect.stringMatching(/ may have at most 2 .*Nothing was stored\./),
        });
    expect(await countOf(name)).toBe(2);
  });

  test("what is taken away makes room, beside others made too, and counts right", async () => {
    await setCap(name, 100);
    const gone = await Promise.all(Array.from({ length: 6 }, () => make()));
    await Promise.all(gone.flatMap((takeAway) => [takeAway(), make()]));
    expect(await countOf(name)).toBe(6);
  });
});

describe("the cap of agents", () => {
  test("of agents imported, copied and built at once with room for one, one stays", async () => {
    const first = await newAgent(owner);
    await setCap("agents", 2);
    const draft = {
      ...first,
      config: { version: 1 },
      writeAutonomy: "blocked",
      dashboardTemplate: null,
    } as unknown as Parameters<typeof insertAgent>[2];
    const build = () => {
      const built = {
        agentId: newId(),
        accountId: owner.accountId,
        runId: newId(),
        version: FIRST_VERSION,
        releaseNote: null,
      };
      return transaction((tx) => insertAgent(tx, built, draft));
    };
    const made = await Promise.allSettled([
      newAgent(owner),
      duplicateAgent(owner, first.id),
      build(),
      newAgent(owner),
      build(),
    ]);
    expect(made.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
    expect(await countOf("agents")).toBe(2);
  });

  test("a creation without room is refused at once, or fails at its end and says so", async () => {
    await setCap("agents", 0);
    const request = { text: "An agent that greets.", conversationId: null, webhookUrl: null };
    await expect(requestAgentCreation(owner, request)).rejects.toMatchObject({ code: "CONFLICT" });
    const { rows } = await database.pool.query("SELECT 1 FROM runs WHERE account_id = $1", [
      owner.accountId,
    ]);
    expect(rows).toEqual([]);
    const built = {
      agentId: newId(),
      accountId: owner.accountId,
      runId: newId(),
      version: FIRST_VERSION,
      releaseNote: null,
    };
    const draft = {
      name: "x",
      description: null,
      skillContent: "x",
      config: { version: 1 as const },
      configContent: "version: 1",
      keyOrder: null,
    };
    const stored = transaction((tx) =>
      insertAgent(tx, built, { ...draft, dashboardTemplate: null, writeAutonomy: "blocked" }),
    );
    await expect(stored).rejects.toMatchObject({
      name: "RunFailure",
      code: "AGENT_BUILD_FAILED",
      message: expect.stringContaining("at most 0 active agents"),
    });
  });

  test("archived agents do not count; archiving twice makes room once", async () => {
    const agent = await newAgent(owner);
    await setCap("agents", 1);
    await archiveAgent(owner, agent.id);
    await archiveAgent(owner, agent.id);
    expect(await countOf("agents")).toBe(0);
    await newAgent(owner);
    await expect(newAgent(owner)).rejects.toMatchObject({ code: "CONFLICT" });
  });
});

describe("the cap of an agent's versions", () => {
  const numbers = async (agentId: string) =>
    (await listAgentVersions(owner, agentId, { limit: 50, cursor: null })).data.map(
      (each) => each.number,
    );

  test("beyond it the oldest go, never the current one, and read ones are restored", async () => {
    await setCap("versions", 3);
    const agent = await newAgent(owner);
    const first =
      (await listAgentVersions(owner, agent.id, { limit: 1, cursor: null })).data[0]?.id ?? "";
    await updateAgent(owner, agent.id, { name: "second" });
    await updateAgent(owner, agent.id, { name: "third" });
    expect(await numbers(agent.id)).toEqual([3, 2, 1]);
    expect(await restoreAgentVersion(owner, agent.id, first, null)).toMatchObject({
      name: "Helper",
    });
    expect(await numbers(agent.id)).toEqual([4, 3, 2]);
    await expect(getAgentVersion(owner, agent.id, first)).rejects.toMatchObject({
      code: "VERSION_NOT_FOUND",
    });
  });

  test("one that is lowered to nothing still keeps the current version", async () => {
    const agent = await newAgent(owner);
    await setCap("versions", 0);
    const stored = await updateAgent(owner, agent.id, { name: "second" });
    const { data } = await listAgentVersions(owner, agent.id, { limit: 50, cursor: null });
    expect(data.map(({ id, number }) => [id, number])).toEqual([[stored.currentVersionId, 2]]);
  });
});

test("an account's own cap is taken back by default: the service's holds again", async () => {
  await setCap("workspaces", 0);
  await expect(createWorkspace(owner, { name: "w", description: null })).rejects.toMatchObject({
    code: "CONFLICT",
  });
  expect(await setCap("workspaces", null)).toMatchObject({ max: {} });
  await createWorkspace(owner, { name: "w", description: null });
});

test("a file that replaces another needs no room", async () => {
  const workspaceId = await theWorkspace();
  const put = async () => {
    const stored = await storeBytes(owner.accountId, Readable.from([Buffer.from("text")]));
    return commitFile(owner, workspaceId, {
      path: "a.txt",
      contentType: null,
      stored,
      countsAsWrite: true,
    });
  };
  await put();
  await setCap("files", 1);
  expect(await put()).toMatchObject({ replaced: true });
});

test("an account that is deleted takes its counts with it", async () => {
  await createWorkspace(owner, { name: "w", description: null });
  await newAgent(owner);
  await database.pool.query("DELETE FROM accounts WHERE id = $1", [owner.accountId]);
  const { rows } = await database.pool.query("SELECT 1 FROM row_counts WHERE account_id = $1", [
    owner.accountId,
  ]);
  expect(rows).toEqual([]);
});
