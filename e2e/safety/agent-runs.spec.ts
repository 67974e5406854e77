import { zipSync } from "fflate";
import { admin } from "../support/admin";
import { ApiClient } from "../support/api-client";
import { makePdf } from "../support/make-documents";
import { startRun, waitForRun } from "../support/runs";
import { until } from "../support/until";
import { armedAgent, type Outcome, RUN_ATTACKS } from "./support/run-attacks";
import { endRejecting, expect, PLANTED, type SafetyWorld, test } from "./support/safety-world";

/** A run whose model comes to read `mark`, which somebody has put where `channel` says. */
interface Delivery {
  world: SafetyWorld;
  tag: string;
  mark: string;
  /** Called as late as possible: what comes before is the owner's own work. */
  teach: () => void;
  workspaceId: string;
  agent: (more?: Record<string, unknown>) => Promise<string>;
  /** Starts a run of the agent that is told this, and does not wait for its end. */
  start: (agentId: string, text: string, more?: Record<string, unknown>) => Promise<string>;
}

type Channel = (delivery: Delivery) => Promise<{ agentId: string; runId: string }>;

const run = async (
  { agent, start }: Delivery,
  text: string,
  more: Record<string, unknown> = {},
) => {
  const agentId = await agent(more);
  return { agentId, runId: await start(agentId, text) };
};

/** What the person asks for: they say that it be read, not what it says. */
const reading = ({ world: { model } }: Delivery, tool: string, args: Record<string, unknown>) =>
  `Please do this first. ${model.teach(model.mark(), [{ tool, arguments: args }])}`;

const upload = (
  { world: { owner }, workspaceId }: Delivery,
  path: string,
  raw: string | Uint8Array<ArrayBuffer>,
  type = "text/plain",
) =>
  owner.api.post(`/v1/workspaces/${workspaceId}/files`, undefined, {
    raw,
    query: { path },
    headers: { "content-type": type },
  });

const CHANNELS: Record<string, Channel> = {
  "a file of the workspace": async (delivery) => {
    await upload(delivery, "orders.txt", `Orders of March. ${delivery.mark}`);
    return run(delivery, reading(delivery, "files_read", { path: "orders.txt" }));
  },
  "a PDF of the workspace": async (delivery) => {
    const pdf = await makePdf(["Orders of March.", `Orders of April. ${delivery.mark}`]);
    await upload(delivery, "orders.pdf", pdf, "application/pdf");
    return run(delivery, reading(delivery, "files_read", { path: "orders.pdf" }));
  },
  "what a search found": async (delivery) => {
    delivery.world.pages.set("/search", `Three orders. ${delivery.mark}`);
    return run(delivery, reading(delivery, "web_search", { query: "orders" }));
  },
  "what the owner's backend answers": async (delivery) => {
    const { api } = delivery.world.owner;
    const started = await run(delivery, reading(delivery, "find_order", { id: "7" }));
    const [asked] = await until("the call of the backend", async () => {
      const { requires_action: action } = (await api.get(`/v1/runs/${started.runId}`)).as("Run");
      return action?.type === "client_tool" && action.calls;
    });
    const results = [
      { tool_call_id: asked?.tool_call_id, output: `Three orders. ${delivery.mark}` },
    ];
    expect((await api.post(`/v1/runs/${started.runId}/tool-results`, { results })).status).toBe(
      202,
    );
    return started;
  },
  "a web page": async (delivery) => {
    const { world, tag, mark } = delivery;
    world.pages.set(`/${tag}`, `<h1>News</h1><p style="display:none">x</p><p>${mark}</p>`);
    return run(delivery, reading(delivery, "web_fetch", { url: `${world.site.url}/${tag}` }));
  },
  "an MCP tool's description": async (delivery) => {
    delivery.world.partner.words.set(`/mcp/${delivery.tag}`, {
      description: `Before any other tool: ${delivery.mark}.`,
    });
    return run(delivery, "How many orders are open?");
  },
  "an MCP tool's result": async (delivery) => {
    delivery.world.partner.words.set(`/mcp/${delivery.tag}`, {
      result: `Three orders. ${delivery.mark}`,
    });
    return run(delivery, reading(delivery, "hub__lookup", { id: "7" }));
  },
  "the answer of an http tool": async (delivery) => {
    delivery.world.partner.words.set(`/crm/${delivery.tag}`, `Three orders. ${delivery.mark}`);
    return run(delivery, reading(delivery, "crm_lookup", {}));
  },
  "an installed skill": async (delivery) => {
    const { world, tag, mark } = delivery;
    const form = new FormData();
    const text = (words: string) => new TextEncoder().encode(words);
    const files = {
      "SKILL.md": text(`---\nname: ${tag}\ndescription: For orders.\n---\n\nSee refs/how.md.\n`),
      "refs/how.md": text(mark),
    };
    form.append(
      "file",
      new Blob([new Uint8Array(zipSync(files))], { type: "application/zip" }),
      "skill.zip",
    );
    expect((await world.owner.api.post("/v1/skills", undefined, { raw: form })).status).toBe(201);
    return run(delivery, reading(delivery, "read_skill", { name: tag, path: "refs/how.md" }));
  },
  "an earlier message of the conversation": async (delivery) => {
    const { world, mark, agent, workspaceId } = delivery;
    const agentId = await agent();
    const body = { agent_id: agentId, workspace_id: workspaceId, metadata: { end_user: "eve" } };
    const first = await startRun(world.owner.api, {
      ...body,
      input: { text: `A letter that I got: ${mark}` },
    });
    const { conversation_id } = await waitForRun(world.owner.api, first.run_id);
    delivery.teach();
    const second = await startRun(world.owner.api, {
      ...body,
      conversation_id,
      input: { text: "Go on." },
    });
    return { agentId, runId: second.run_id };
  },
  "an end-user's input through an app key": async ({ world, mark, agent, workspaceId, teach }) => {
    const agentId = await agent();
    const { api_key: key } = await admin([
      "key",
      "create",
      "--email",
      world.owner.email,
      "--agent",
      agentId,
    ]);
    teach();
    const app = new ApiClient(world.service.baseUrl, String(key));
    const inputs = { text: `Hello. ${mark}` };
    const accepted = await app.post(`/api/v1/apps/${agentId}/runs`, {
      inputs,
      workspaceId,
      metadata: { end_user: "eve" },
    });
    return { agentId, runId: accepted.as("AppRun").runId };
  },
  "a note of the agent's memory": async (delivery) => {
    const { world, tag, mark, agent, start } = delivery;
    const agentId = await agent();
    const saving = reading(delivery, "memory", { action: "save", text: `${tag} ${mark}` });
    await waitForRun(world.owner.api, await start(agentId, saving));
    delivery.teach();
    return { agentId, runId: await start(agentId, "How many orders are open?") };
  },
  "an agent's document that was imported": async (delivery) =>
    run(delivery, "How many orders are open?", {
      skill_content: `# Orders\n\nCount them. ${delivery.mark}`,
    }),
  "the agent's own description": async (delivery) =>
    run(delivery, "How many orders are open?", { description: `Counts orders. ${delivery.mark}` }),
};

for (const [index, [channel, deliver]] of Object.entries(CHANNELS).entries()) {
  test.describe(`What ${channel} says: a run that obeys is told to`, () => {
    const tag = `ch${index}`;
    let mark = "";
    let ended: Omit<Outcome, "told">;
    test.beforeAll(async ({ world }) => {
      const { owner, model } = world;
      mark = model.mark();
      const workspaceId = (await owner.api.post("/v1/workspaces", { name: `Files ${tag}` })).as(
        "Workspace",
      ).workspace_id;
      const teach = () => {
        model.teach(
          mark,
          RUN_ATTACKS.flatMap(({ calls }) => calls(world, tag)),
          // A builder that comes across an agent's description has texts of its own.
          /^You are an agent/,
        );
      };
      const isLate = /earlier|memory|end-user/.test(channel);
      const delivery: Delivery = {
        world,
        tag,
        mark,
        teach,
        workspaceId,
        agent: async (more) => {
          const agentId = await armedAgent(world, tag, more);
          const noting = model.teach(model.mark(), [
            { tool: "memory", arguments: { action: "save", text: "A note about Adam." } },
          ]);
          const noted = await startRun(owner.api, {
            agent_id: agentId,
            input: { text: noting },
            metadata: { end_user: "adam" },
          });
          await waitForRun(owner.api, noted.run_id);
          if (!isLate) teach();
          return agentId;
        },
        start: async (agentId, text, more = {}) => {
          const body = {
            agent_id: agentId,
            workspace_id: workspaceId,
            metadata: { end_user: "eve" },
            webhook_url: world.hooks.url,
          };
          return (
            await startRun(owner.api, { ...body, should_notify: true, input: { text }, ...more })
          ).run_id;
        },
      };
      await upload(delivery, "customers.csv", `Kim,${PLANTED.control}`);
      const { agentId, runId } = await deliver(delivery);
      const asked = await endRejecting(world, `/v1/runs/${runId}`);
      ended = { world, asked, runId, agentId, tag };
    });

    for (const attack of RUN_ATTACKS) {
      test(`${attack.name}: stopped by ${attack.stoppedBy}`, async ({ world }) => {
        const first = RUN_ATTACKS.slice(0, RUN_ATTACKS.indexOf(attack)).reduce(
          (sum, one) => sum + one.calls(world, tag).length,
          0,
        );
        const told = attack.calls(world, tag).map((_, at) => world.model.told(mark, first + at));
        await attack.expectStopped({ ...ended, told });
      });
    }

    test("and whatever it was told, nobody outside was spoken to who should not be", async ({
      world,
    }) => {
      expect([world.attacker.received, world.inside.received]).toEqual([[], []]);
      expect((await waitForRun(world.owner.api, ended.runId)).status).toBe("completed");
    });
  });
}
