import { test } from "./support/fault-test";
import { expectInvariants } from "./support/invariants";
import { startRuns, untilQuiet } from "./support/load";

test("@short runs in good weather end once, each with its webhook, and all sums agree", async ({ open }) => {
  const world = await open({ processes: 2 });
  const agentId = await world.newAgent();
  const runs = [...(await startRuns(world, 6, { pieceMs: 5 })), ...(await startRuns(world, 6, { agentId, toolTurns: 2 }))];
  await untilQuiet(world);
  await expectInvariants(world, runs);
});
