import { execFileSync } from "node:child_process";
import { expect, test } from "vitest";
import { sampleRun } from "@/lib/client/test/stub-service";
import { runAsCurl } from "@/lib/console/reference/run-as-curl";

const BASE = "https://lathe.example.test";

/** What a shell makes of the command: `curl`'s arguments. */
function argumentsOf(command: string | null): string[] {
  const script = `curl() { printf '%s\\0' "$@"; }\n${command}`;
  return execFileSync("sh", ["-c", script], {
    env: { ...process.env, LATHE_API_KEY: "from-the-shell" },
    encoding: "utf8",
  }).split("\0");
}

test("a run as curl is the request that starts it, with the shell's key", () => {
  const input = { question: `It's "quoted", $HOME \`id\` \\ and\nbroken` };
  const run = sampleRun({
    input,
    agent_id: "a",
    workspace_id: "w",
    metadata: { customer: "c" },
    status: "completed",
  });
  const command = runAsCurl(run, BASE);
  expect(command).toContain("$LATHE_API_KEY");
  const given = argumentsOf(command);
  expect(given).toContain(`${BASE}/v1/runs`);
  expect(given).toContain("Authorization: Bearer from-the-shell");
  const body = JSON.parse(given[given.indexOf("-d") + 1] ?? "");
  expect(body).toEqual({
    agent_id: "a",
    input,
    workspace_id: "w",
    model: "builtin/offline",
    metadata: { customer: "c" },
  });
});

test("a creation and an edit are their own requests; a run whose input is unknown is none", () => {
  const input = { text: "An agent that reads." };
  const creation = argumentsOf(runAsCurl(sampleRun({ kind: "agent_creation", input }), BASE));
  expect([creation.includes(`${BASE}/v1/agents`), JSON.parse(creation.at(-2) ?? "")]).toEqual([
    true,
    { input: input.text },
  ]);
  const edit = argumentsOf(
    runAsCurl(sampleRun({ kind: "agent_edit", agent_id: "a", input }), BASE),
  );
  expect(edit).toContain(`${BASE}/v1/agents/a/edits`);
  expect(runAsCurl(sampleRun(), BASE)).toBeNull();
  expect(runAsCurl(sampleRun({ kind: "super_agent", input }), BASE)).toBeNull();
});
