import { readFileSync } from "node:fs";
import { until } from "../support/until";
import { expect, test } from "./support/fault-test";
import { expectInvariants } from "./support/invariants";
import { startRun, untilQuiet } from "./support/load";
import type { World } from "./support/world";

/** The writes between a call that must wait for a person and a receiver that knows of it. */
const NAMES = [
  "approval.waiting",
  "approval.asked",
  "delivery.claimed",
  "delivery.sent",
  "delivery.stored",
];

for (const name of NAMES)
  test(`kill -9 at ${name}: whoever listens is told of the waiting run once, and approves`, async ({
    open,
  }) => {
    const world = await open({ environment: { FAILPOINT: name } });
    await listen(world);
    const agentId = await world.newAgent(world.account, "approval_required");
    const { service } = world.process(0);
    const run = await startRun(world, { agentId, toolTurns: 1, hasWebhook: false });
    await service.exited;
    expect(readFileSync(service.logFile, "utf8")).toContain(`FAILPOINT ${name}:`);
    world.note(name);
    await world.restart(0, {});
    const event = await until(
      "the event to arrive",
      async () => world.receiver.events.find(({ runId }) => runId === run.runId),
      { deadlineMs: 90_000, everyMs: 50 },
    );
    const page = await world.api().get("/v1/approvals", { query: { run_id: run.runId } });
    const [approval] = page.as("ApprovalPage").data;
    await world
      .api()
      .post(`/v1/approvals/${approval?.approval_id}/resolve`, { decision: "approve" });
    await untilQuiet(world, 90_000);
    await expectInvariants(world, [run]);
    const received = world.receiver.events.filter(({ runId }) => runId === run.runId);
    expect(new Set(received.map(({ id }) => id))).toEqual(new Set([event.id]));
    expect(new Set(received.map(({ type }) => type))).toEqual(new Set(["run.requires_action"]));
    expect(
      await world.query(
        `SELECT e.created_at = p.created_at AS at_once FROM account_events e
         JOIN approvals p ON p.run_id = (e.data ->> 'run_id')::uuid
         WHERE e.type = 'run.requires_action' AND p.run_id = $1`,
        [run.runId],
      ),
    ).toEqual([{ at_once: true }]);
  });

async function listen(world: World): Promise<void> {
  const url = world.webhookUrl.replace("/hooks", "/events");
  const events = ["run.requires_action"];
  const made = await world.api().post("/v1/webhook-endpoints", { url, events });
  expect(made.status).toBe(201);
}
