import { afterAll, beforeAll, expect, test } from "vitest";
import { requireAgent } from "@/lib/domain/agents/agent-store";
import { updateAgent } from "@/lib/domain/agents/update-agent";
import type { Principal } from "@/lib/domain/principal";
import { createSchedule } from "@/lib/domain/schedules/create-schedule";
import { requireSchedule } from "@/lib/domain/schedules/schedule-record";
import { updateSchedule } from "@/lib/domain/schedules/update-schedule";
import { createSecret } from "@/lib/domain/secrets/create-secret";
import { getSecret } from "@/lib/domain/secrets/secret-view";
import { updateSecret } from "@/lib/domain/secrets/update-secret";
import { type DomainDatabase, openDomainDatabase } from "@/lib/domain/test/domain-database";
import { newAgent } from "@/lib/domain/test/new-agent";
import { createWorkspace } from "@/lib/domain/workspaces/create-workspace";
import { updateWorkspace } from "@/lib/domain/workspaces/update-workspace";
import { requireWorkspace } from "@/lib/domain/workspaces/workspace-record";

let database: DomainDatabase;
let owner: Principal;
const ROUNDS = 5;

beforeAll(async () => {
  database = await openDomainDatabase({
    env: {
      ENCRYPTION_KEYS: JSON.stringify([{ id: "k1", key: Buffer.alloc(32, 7).toString("base64") }]),
    },
  });
  owner = await database.account();
});
afterAll(() => database.close());

interface Changed {
  /** Two changes of different fields, and what the thing says when both hold. */
  both: [() => Promise<unknown>, () => Promise<unknown>];
  read: () => Promise<unknown>;
  expected: object;
}

const KINDS: Record<string, (round: number) => Promise<Changed>> = {
  "a workspace": async (round) => {
    const { id } = await createWorkspace(owner, { name: "old", description: "old" });
    return {
      both: [
        () => updateWorkspace(owner, id, { name: `n${round}` }),
        () => updateWorkspace(owner, id, { description: `d${round}` }),
      ],
      read: () => requireWorkspace(owner, id),
      expected: { name: `n${round}`, description: `d${round}` },
    };
  },
  "an agent": async (round) => {
    const { id } = await newAgent(owner);
    return {
      both: [
        () => updateAgent(owner, id, { name: `n${round}` }),
        () => updateAgent(owner, id, { description: `d${round}` }),
      ],
      read: () => requireAgent(owner, id),
      expected: { name: `n${round}`, description: `d${round}` },
    };
  },
  "a schedule": async (round) => {
    const agent = await newAgent(owner);
    const { id } = await createSchedule(owner, agent.id, {
      cron: "0 9 * * *",
      timezone: "UTC",
      input: {},
      enabled: true,
    });
    return {
      both: [
        () => updateSchedule(owner, agent.id, id, { cron: `${round} 5 * * *` }),
        () => updateSchedule(owner, agent.id, id, { input: { round } }),
      ],
      read: () => requireSchedule(owner, agent.id, id),
      expected: { cron: `${round} 5 * * *`, input: { round } },
    };
  },
  "a secret": async (round) => {
    const name = `S_${round}`;
    await createSecret(owner, {
      name,
      value: "x",
      description: "old",
      allowedHosts: ["old.example.com"],
    });
    return {
      both: [
        () => updateSecret(owner, name, { value: "y", description: `d${round}` }),
        () => updateSecret(owner, name, { value: "z", allowedHosts: ["new.example.com"] }),
      ],
      read: () => getSecret(owner, name),
      expected: { description: `d${round}`, allowedHosts: ["new.example.com"] },
    };
  },
};

test.each(Object.entries(KINDS))(
  "of two changes of %s at once, of different fields, none is lost",
  async (_, make) => {
    for (let round = 0; round < ROUNDS; round += 1) {
      const { both, read, expected } = await make(round);
      await Promise.all(both.map((change) => change()));
      expect(await read()).toMatchObject(expected);
    }
  },
);
