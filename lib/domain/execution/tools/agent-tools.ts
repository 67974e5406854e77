import "server-only";
import type { LoadedRun } from "@/lib/domain/execution/run/loaded-run";
import { childRuns } from "@/lib/domain/execution/tools/child-runs";
import { accountPrincipal } from "@/lib/domain/principal";
import { requestRun } from "@/lib/domain/runs/request-run";
import { requireRunWorkspace } from "@/lib/domain/workspaces/workspace-record";
import type { AgentConfig } from "@/lib/model/agent-config/agent-config-schema";
import { type AgentTool, effectiveConfig } from "@/lib/model/agent-config/effective-config";
import { ServiceError } from "@/lib/model/errors";
import { CHILD_DEPTH_MAX, CHILD_RUNS_MAX } from "@/lib/model/limits";
import { toMicros } from "@/lib/model/run/run-result";
import type { Transaction } from "@/lib/platform/postgres";
import { type CallableAgent, createAgentTools } from "@/lib/runtime/tools/agent-tool";
import { type RuntimeTool, ToolFailure } from "@/lib/runtime/tools/tool";
import { prisma } from "@/lib/storage/prisma";

/**
 * The agents that a run's config lets it call. What is not the account's, or was archived, is none
 * of them: its model goes without.
 */
export async function agentTools(
  run: LoadedRun,
  listed: readonly AgentTool[],
): Promise<RuntimeTool[]> {
  if (listed.length === 0) return [];
  const agents = await prisma().agent.findMany({
    where: {
      accountId: run.accountId,
      id: { in: listed.map(({ agent_id: id }) => id) },
      status: "active",
    },
    select: { id: true, name: true, description: true, config: true },
  });
  const callable = listed.flatMap(({ agent_id: id, name: toolName }): CallableAgent[] => {
    const agent = agents.find((one) => one.id === id);
    if (!agent) return [];
    const { name, description, config } = agent;
    // Stored only after validation.
    const { inputs } = effectiveConfig(config as unknown as AgentConfig);
    return [{ agentId: id, toolName, name, description, inputs }];
  });
  return createAgentTools(callable, (context) => {
    const { start, read } = childRuns(run, context, async () => {
      const principal = await accountPrincipal(run.accountId);
      if (!principal) throw new ToolFailure("The account can start no runs any more.");
      return principal;
    });
    return {
      readRun: read,
      run: ({ agentId, toolName }, input) =>
        start({ agentId, input }, async (principal, child, idempotency) => {
          // By the tool: one agent may be listed under several names, each with a limit of its own.
          const most = listed.find(({ name }) => name === toolName)?.max_credits ?? null;
          return requestRun(
            principal,
            "agent",
            {
              ...{ agentId, input, parent: child.parent },
              // A call that has a limit of its own fails at it; of the others the run above waits
              // for credits, or does not, and their agent's config has no word in it.
              onBudget: most === null ? child.onBudget : "fail",
              maxCreditsMicros: lesser(
                child.maxCreditsMicros,
                most === null ? null : toMicros(most),
              ),
              workspaceId: await workspaceFor(run, agentId),
              // What it notes, it notes of whom the run above it serves.
              metadata: run.endUser === null ? {} : { end_user: run.endUser },
              claim: (tx) => requireRoomBelow(tx, run),
            },
            idempotency,
          );
        }),
    };
  });
}

function lesser(a: bigint | null, b: bigint | null): bigint | null {
  if (a === null || b === null) return a ?? b;
  return a < b ? a : b;
}

/** The run's own workspace, where the agent may use it. */
async function workspaceFor(run: LoadedRun, agentId: string): Promise<string | null> {
  if (run.workspaceId === null) return null;
  try {
    await requireRunWorkspace({ accountId: run.accountId }, run.workspaceId, agentId);
    return run.workspaceId;
  } catch (error) {
    if (error instanceof ServiceError) return null;
    throw error;
  }
}

/**
 * Whether a run may start one more. Those of one run are counted one after another, so that none is
 * one too many.
 * @throws ToolFailure
 */
async function requireRoomBelow(
  tx: Transaction,
  { id, accountId }: Pick<LoadedRun, "id" | "accountId">,
): Promise<void> {
  await tx.query("SELECT pg_advisory_xact_lock(hashtextextended('children:' || $1, 0))", [id]);
  const { rows } = await tx.query<{ above: number; beside: number }>(
    `SELECT (SELECT count(*)::int - 1 FROM runs_above($1, $2)) AS above,
       (SELECT count(*)::int FROM runs WHERE parent_run_id = $1 AND account_id = $2) AS beside`,
    [id, accountId],
  );
  const [counted] = rows;
  if (!counted) throw new Error("counting gives a row");
  if (counted.above >= CHILD_DEPTH_MAX)
    throw new ToolFailure(
      `Nothing was started: runs may stand ${CHILD_DEPTH_MAX} deep below each other, and this ` +
        "one is the last. Do it yourself, or say that it was not done.",
    );
  if (counted.beside >= CHILD_RUNS_MAX)
    throw new ToolFailure(
      `Nothing was started: a run may start ${CHILD_RUNS_MAX} others, and this one has. Go on ` +
        "with what they gave.",
    );
}
