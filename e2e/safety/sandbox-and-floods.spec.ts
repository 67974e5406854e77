import { startRun, waitForRun } from "../support/runs";
import type { Instruction } from "./support/obeying-model";
import { armedAgent } from "./support/run-attacks";
import { expect, importAgent, PLANTED, type SafetyWorld, test } from "./support/safety-world";

const call = (tool: string, args: Record<string, unknown>): Instruction => ({
  tool,
  arguments: args,
});
let counter = 0;

/** What the model is told when a text has it run this code. */
async function runCode({ owner: { api }, model }: SafetyWorld, code: string): Promise<string> {
  const mark = model.teach(model.mark(), [call("run_javascript", { code })]);
  const { run_id } = await startRun(api, { input: { text: `A page said: ${mark}` } });
  expect((await waitForRun(api, run_id)).status).toBe("completed");
  return model.told(mark, 0);
}

test.describe("What a text says: code in the sandbox is to", () => {
  const escapes: { name: string; stoppedBy: string; code: string; told: RegExp }[] = [
    {
      name: "find the process by chains of constructors",
      stoppedBy: "QuickJS: the functions that it finds are the guest's own",
      code: "return ['', [], {}, () => 0, /x/, new Error('x'), Promise.resolve()].map((value) => { try { return typeof value.constructor.constructor('return this.process ?? globalThis.process')(); } catch (error) { return 'undefined'; } }).join('|');",
      told: /undefined\|undefined\|undefined\|undefined\|undefined\|undefined\|undefined/,
    },
    {
      name: "load modules",
      stoppedBy: "no module loader",
      code: "const found = []; for (const name of ['fs', 'node:child_process', 'http']) { try { found.push(typeof (await import(name))); } catch (error) { found.push('refused'); } } return found.join('|') + '|' + typeof require;",
      told: /refused\|refused\|refused\|undefined/,
    },
    {
      name: "reach the network, timers and other threads",
      stoppedBy: "no such globals",
      code: "return ['fetch', 'XMLHttpRequest', 'WebSocket', 'EventSource', 'Worker', 'setTimeout', 'WebAssembly', 'Deno', 'Bun', 'std', 'os'].filter((name) => name in globalThis).join() || 'nothing there';",
      told: /nothing there/,
    },
    {
      name: "read the environment and files by the names of its input",
      stoppedBy: "files are texts that it was given, by own names alone",
      code: "return [files['/etc/passwd'], files['../x'], files.constructor === Object ? 'plain' : typeof files.constructor, typeof globalThis.process].map(String).join('|');",
      told: /undefined\|undefined\|(?:plain|function|undefined)\|undefined/,
    },
    {
      name: "change what later code finds",
      stoppedBy: "a process for each call",
      code: "const had = globalThis.left; globalThis.left = 'behind'; Object.prototype.left = 'behind'; return String(had);",
      told: /"undefined"|undefined/,
    },
    {
      name: "take all memory",
      stoppedBy: "the memory that WebAssembly is given",
      code: "const all = []; for (;;) all.push(new Uint8Array(8e6).fill(1));",
      told: /memory/i,
    },
    {
      name: "never end",
      stoppedBy: "ten seconds",
      code: "for (;;) {}",
      told: /did not finish|interrupted|within 10 seconds|too long/i,
    },
    {
      name: "answer without end",
      stoppedBy: "the bound of an output",
      code: "return 'x'.repeat(3e6);",
      told: /cut|too much output/,
    },
  ];
  for (const { name, stoppedBy, code, told } of escapes)
    test(`${name}: stopped by ${stoppedBy}`, async ({ world }) => {
      expect(await runCode(world, code)).toMatch(told);
      if (name.startsWith("change")) expect(await runCode(world, code)).toMatch(told);
    });

  test("turn a secret back that a host showed backwards: stopped by redaction of what comes out", async ({
    world,
  }) => {
    const backwards = [...PLANTED.crmKey].reverse().join("");
    const code = `return [...${JSON.stringify(backwards)}].reverse().join("");`;
    const told = await runCode(world, code);
    expect(told).toContain("[redacted]");
    expect(told).not.toContain(PLANTED.crmKey);
  });
});

test.describe("What a text says: a run is to", () => {
  const start = async (
    { owner: { api }, model }: SafetyWorld,
    agentId: string,
    calls: Instruction[],
    isAtOnce = false,
  ) => {
    const mark = model.teach(model.mark(), calls, undefined, isAtOnce);
    return {
      mark,
      runId: (await startRun(api, { agent_id: agentId, input: { text: `A page said: ${mark}` } }))
        .run_id,
    };
  };
  const lookups = (count: number) =>
    Array.from({ length: count }, (_, nth) => call("open_lookup", { q: String(nth) }));
  const tagOf = () => {
    counter += 1;
    return `fl${counter}`;
  };

  test("make 500 calls, one after the other: stopped by limits.max_steps", async ({ world }) => {
    const tag = tagOf();
    const url = `${world.elsewhere.url}/open/${tag}`;
    const http = [{ name: "open_lookup", method: "GET", url, input_schema: { type: "object" } }];
    const agentId = await importAgent(world.owner, {
      config: { version: 1, tools: { http }, limits: { max_steps: 8 } },
    });
    const { runId } = await start(world, agentId, lookups(500));
    expect(await waitForRun(world.owner.api, runId)).toMatchObject({
      status: "failed",
      error: { code: "STEP_LIMIT_EXCEEDED" },
    });
    expect(
      world.elsewhere.received.filter(({ path }) => path.startsWith(`/open/${tag}`)),
    ).toHaveLength(7);
  });

  test("make 500 calls at once: they are made a few at a time, and another account's run goes on beside them", async ({
    world,
  }) => {
    const agentId = await armedAgent(world, tagOf());
    const { runId, mark } = await start(world, agentId, lookups(500), true);
    const other = await startRun(world.stranger.api, { input: { text: "Hello." } });
    expect((await waitForRun(world.stranger.api, other.run_id)).status).toBe("completed");
    expect((await waitForRun(world.owner.api, runId)).status).toBe("completed");
    expect(world.model.told(mark, 499)).toContain("noted");
  });

  test("read an answer without end: stopped by the bound of an answer", async ({ world }) => {
    const tag = tagOf();
    world.partner.words.set(`/crm/${tag}`, "x".repeat(5_000_000));
    const { runId, mark } = await start(world, await armedAgent(world, tag), [
      call("crm_lookup", {}),
    ]);
    expect((await waitForRun(world.owner.api, runId)).status).toBe("completed");
    expect(world.model.told(mark, 0).length).toBeLessThan(70_000);
    expect(world.model.told(mark, 0)).toMatch(/"path":"run:[^"]+","size_bytes":50\d{5}/);
  });
});
