import { until } from "../../support/until";
import type { ModelPlan } from "./fault-model";
import { anyProcess, keyed, PATIENCE } from "./kinds";
import { newKey, type Started, startRun } from "./load";
import type { World } from "./world";

/**
 * The kinds of work in which people speak to a run, or want their next one, while it works; and the
 * end of all that is kept of a person. As in `kinds.ts` each resolves once nobody else's help is
 * wanted.
 */

const QUESTION = { question: "Which of them?" };

/** A run that is told two things while it works, both at once. */
export async function steeredRun(
  world: World,
  agentId: string,
  plan: ModelPlan = {},
  account = world.account,
): Promise<Started> {
  const run = await startRun(world, { account, agentId, ...plan, toolTurns: 3 });
  const texts = [1, 2].map((number) => `Say also ${run.key}-${number}.`);
  const heard = await Promise.all(texts.map((text) => say(world, run, text)));
  return { ...run, said: texts.filter((_, index) => heard[index]) };
}

/** A run that asks a person, who answers. */
export async function askingRun(
  world: World,
  agentId: string,
  plan: ModelPlan = {},
  account = world.account,
): Promise<Started> {
  const run = await startRun(world, {
    account,
    agentId,
    ...plan,
    toolTurns: 1,
    toolName: "ask_user",
    toolArgs: QUESTION,
  });
  await until(
    "the question to be answered",
    async () => {
      const seen = await anyProcess(world, account, "GET", `/v1/runs/${run.runId}`);
      if (seen?.status !== 200) return false;
      const { requires_action: action, status } = seen.as("Run");
      if (action?.type !== "question") return status === "completed";
      await say(world, run, `That of ${run.key}.`);
      return false;
    },
    PATIENCE,
  );
  return run;
}

/** An agent that asks people. */
export function newAskingAgent(world: World, account = world.account): Promise<string> {
  return world.newAgent(account, "full_auto", { builtin: ["ask_user"] });
}

/**
 * Two runs of one conversation, the second wanted while the first works: it waits for that one's
 * end, or ends it.
 * @param held the first one's model stops in the middle of its answer until the second is accepted
 */
export async function followedRun(
  world: World,
  ifBusy: "queue" | "interrupt",
  plan: ModelPlan = {},
  account = world.account,
  held: ModelPlan = {},
): Promise<[first: Started, second: Started]> {
  const first = await startRun(world, { account, ...plan, ...held });
  const { id } = await until(
    "the run's conversation to be read",
    () =>
      world
        .query<{ id: string }>("SELECT conversation_id AS id FROM runs WHERE id = $1", [
          first.runId,
        ])
        .then(
          ([row]) => row,
          () => null,
        ),
    PATIENCE,
  );
  const second = await startRun(world, { account, ...plan, conversationId: id, ifBusy });
  world.model.release(first.key);
  return [{ ...first, mayFail: ifBusy === "interrupt" }, second];
}

/**
 * A person for whom a run has made a file and another is at work, and whom their backend has
 * erased: nothing of them is left, wherever that is interrupted.
 */
export async function erasedPerson(
  world: World,
  agentId: string,
  plan: ModelPlan = {},
  account = world.account,
): Promise<void> {
  const endUser = newKey(world);
  const theirs = { account, ...plan, endUser, hasWebhook: false };
  const toolArgs = { name: "note.md", content: `# ${endUser}` };
  await startRun(world, { ...theirs, agentId, toolTurns: 1, toolName: "artifacts", toolArgs });
  await startRun(world, theirs);
  await until(
    "the file to be made",
    () => rowsOf(world, "artifacts", endUser).then((count) => count > 0),
    PATIENCE,
  );
  const path = `/v1/end-users/${endUser}`;
  await until(
    "the erasure to be asked for",
    async () =>
      [202, 410].includes((await anyProcess(world, account, "DELETE", path))?.status ?? 0),
    PATIENCE,
  );
  await until(
    "the receipt",
    async () => (await anyProcess(world, account, "GET", path))?.status === 410,
    PATIENCE,
  );
}

/** -1 while the database is away. */
async function rowsOf(world: World, table: "artifacts", endUser: string): Promise<number> {
  return world
    .query(`SELECT 1 FROM ${table} t JOIN runs r ON r.id = t.run_id WHERE r.end_user = $1`, [
      endUser,
    ])
    .then(
      (rows) => rows.length,
      () => -1,
    );
}

/**
 * Says something to a run until that is answered, once however often it is asked for.
 * @returns whether the run heard it; it may have ended before
 */
async function say(world: World, { runId, account }: Started, input: string): Promise<boolean> {
  const path = `/v1/runs/${runId}/messages`;
  const key = keyed(input.replaceAll(/[^a-z0-9]+/gi, "-"));
  const answer = await until(
    "a message to be answered",
    async () => {
      const given = await anyProcess(world, account, "POST", path, { input }, key);
      const isOver = given?.status === 202 || given?.text.includes("RUN_NOT_ACTIVE");
      return isOver && given;
    },
    PATIENCE,
  );
  return answer.status === 202;
}
