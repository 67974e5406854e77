import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { appSurface } from "@/lib/api/apps/app-surface";
import { type ApiSurface, dispatch } from "@/lib/api/http/dispatch";
import { accountSurface } from "@/lib/api/v1/account-surface";
import { deleteConversation } from "@/lib/domain/conversations/delete-conversation";
import type { Principal } from "@/lib/domain/principal";
import { cancelRun } from "@/lib/domain/runs/cancel-run";
import type { RunView } from "@/lib/domain/runs/run-view";
import { type DomainDatabase, openDomainDatabase } from "@/lib/domain/test/domain-database";
import { insertTestAgent } from "@/lib/domain/test/insert-test-agent";
import { startTestRun } from "@/lib/domain/test/start-test-run";
import { createWorkspace } from "@/lib/domain/workspaces/create-workspace";
import { deleteWorkspace } from "@/lib/domain/workspaces/delete-workspace";

let database: DomainDatabase;
let owner: Principal;
let agentId: string;

beforeAll(async () => {
  // A refusal that the document does not know is a failure.
  database = await openDomainDatabase({ env: { CHECK_RESPONSES: "true", LOG_LEVEL: "silent" } });
});
beforeEach(async () => {
  owner = await database.account({ superAgentAccess: true });
  agentId = (await insertTestAgent(owner)).id;
});
afterAll(() => database.close());

/** The three operations that take a message: what each shows, and by whose key. */
const ROUTES = {
  sendMessage: {
    kind: "agent",
    surface: accountSurface,
    pathOf: (runId: string) => `/v1/runs/${runId}/messages`,
  },
  sendSuperAgentMessage: {
    kind: "super_agent",
    surface: accountSurface,
    pathOf: (runId: string) => `/v1/super-agent/runs/${runId}/messages`,
  },
  sendAppMessage: {
    kind: "app",
    surface: appSurface,
    pathOf: (runId: string) => `/api/v1/apps/${agentId}/runs/${runId}/messages`,
  },
} as const;
type Route = (typeof ROUTES)[keyof typeof ROUTES];

/** A run at work, in a workspace. */
async function runAtWork({ kind }: Route): Promise<RunView> {
  const { id: workspaceId } = await createWorkspace(owner, { name: "Space", description: null });
  const isOfAgent = kind !== "super_agent";
  return startTestRun(owner, { agentId: isOfAgent ? agentId : null, workspaceId }, kind);
}

async function say(route: Route, { id }: RunView, body: object, more: Partial<Principal> = {}) {
  const principal = { ...owner, ...(route.kind === "app" && { agentId }), ...more };
  const surface: ApiSurface = {
    ...route.surface,
    authenticate: async () => ({ principal, budget: null }),
  };
  const answer = await dispatch(
    surface,
    new Request(`http://localhost${route.pathOf(id)}`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ input: "And the worst?", ...body }),
    }),
  );
  const { error, available } = (await answer.json()) as { error?: string; available?: number };
  return { said: [answer.status, error ?? null], available };
}

const stored = async () =>
  (
    await database.pool.query(
      `SELECT (SELECT count(*)::int FROM runs WHERE account_id = $1) AS runs,
         (SELECT count(*)::int FROM run_messages WHERE account_id = $1) AS messages`,
      [owner.accountId],
    )
  ).rows[0] as { runs: number; messages: number };

const LATER = { when: "after" };

test.each(Object.entries(ROUTES))(
  "%s: what is to come after a run is refused as its start would be, and nothing is stored",
  async (_, route) => {
    const run = await runAtWork(route);
    const before = await stored();
    expect(await say(route, run, LATER, { blocked: true })).toMatchObject({
      said: [403, "ACCOUNT_BLOCKED"],
    });
    await database.pool.query("UPDATE accounts SET available_micros = 0 WHERE id = $1", [
      owner.accountId,
    ]);
    expect(await say(route, run, LATER)).toEqual({
      said: [402, "INSUFFICIENT_CREDITS"],
      available: 0,
    });
    await deleteWorkspace(owner, run.workspaceId ?? "");
    expect((await say(route, run, LATER)).said).toEqual([404, "WORKSPACE_NOT_FOUND"]);
    expect(await stored()).toEqual(before);
    // To the run itself neither matters: what it costs is held already.
    expect((await say(route, run, {}, { blocked: true })).said).toEqual([202, null]);
  },
);

test.each(Object.entries(ROUTES))(
  "%s: after the end there is nothing that comes after, whatever else is gone or refused",
  async (_, route) => {
    const run = await runAtWork(route);
    await cancelRun(owner, run.id, [route.kind]);
    const before = await stored();
    // Whoever may start nothing learns first that it has ended.
    for (const more of [{}, { blocked: true }])
      expect((await say(route, run, LATER, more)).said).toEqual([409, "RUN_NOT_ACTIVE"]);
    await deleteConversation(owner, run.conversationId ?? "");
    expect((await say(route, run, LATER)).said).toEqual([409, "RUN_NOT_ACTIVE"]);
    expect((await say(route, run, {})).said).toEqual([409, "RUN_NOT_ACTIVE"]);
    expect(await stored()).toEqual(before);
  },
);
