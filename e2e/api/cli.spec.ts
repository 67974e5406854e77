import { spawn } from "node:child_process";
import { existsSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { chmod, mkdir, rm, symlink } from "node:fs/promises";
import path from "node:path";
import { type Finished, newProject, ROOT, runProgram } from "../support/client-package";
import { test as base, expect } from "../support/test";
import { until } from "../support/until";

interface Cli {
  /** The folder that commands are given in. */
  folder: string;
  run(...args: string[]): Promise<Finished>;
  runWith(
    options: { env?: Record<string, string>; input?: string },
    ...args: string[]
  ): Promise<Finished>;
  read(file: string): string;
  write(file: string, text: string): void;
}

/**
 * The command as it was installed from the packed client, signed in by the environment, in a folder
 * of the test's own.
 */
const test = base.extend<{ cli: Cli }, { installed: string }>({
  installed: [
    // biome-ignore lint/correctness/noEmptyPattern: a fixture takes a pattern
    async ({}, use) => {
      const folder = await newProject({});
      await use(folder);
      await rm(folder, { recursive: true, force: true });
    },
    { scope: "worker", timeout: 300_000 },
  ],
  cli: async ({ installed, newAccount, serviceUrl }, use, { testId }) => {
    const { apiKey } = await newAccount();
    const folder = path.join(installed, testId);
    await mkdir(folder);
    const home = { XDG_CONFIG_HOME: path.join(folder, "config") };
    const signedIn = { LATHE_API_KEY: apiKey, LATHE_BASE_URL: serviceUrl };
    const runWith: Cli["runWith"] = ({ env, input }, ...args) =>
      runProgram(path.join(installed, "node_modules/.bin/lathe"), args, {
        cwd: folder,
        env: { ...home, ...(env ?? signedIn) },
        input,
      });
    await use({
      folder,
      runWith,
      run: (...args) => runWith({}, ...args),
      read: (file) => readFileSync(path.join(folder, file), "utf8"),
      write: (file, text) => writeFileSync(path.join(folder, file), text),
    });
  },
});

const AGENT = `kind: agent
format: 1
name: Reporter
description: null
version: "1.0.0"
write_autonomy: full_auto
skill_content: |
  # Reporter

  Answer.
config: # mine
  version: 1
  starters: [Go] # soon
dashboard_template: null
`;

test("each command has help, and a command that is not there is told with those that are", async ({
  cli,
}) => {
  const all = await cli.run("--help");
  expect(all.code).toBe(0);
  const names = [...all.stdout.matchAll(/^ {2}(agents \w+|\w+) {2}/gm)].map(
    ([, name = ""]) => name,
  );
  const guide = readFileSync(path.join(ROOT, "docs/cli.md"), "utf8");
  const described = [...guide.matchAll(/^\|.*\|$/gm)].flatMap(([row]) =>
    [...row.matchAll(/`lathe (agents \w+|\w+)/g)].map(([, name]) => name),
  );
  expect([...names].sort()).toEqual(described.sort());
  for (const name of names)
    expect((await cli.run(...name.split(" "), "--help")).stdout).toMatch(
      new RegExp(`^lathe ${name}`),
    );
  const wrong = await cli.run("agents", "fetch");
  expect([wrong.code, wrong.stderr]).toEqual([
    2,
    expect.stringContaining("There is no command “agents fetch”"),
  ]);
  const option = await cli.run("run", "x", "y", "--loud");
  expect([option.code, option.stderr]).toEqual([
    2,
    expect.stringContaining("Usage: lathe run AGENT"),
  ]);
});

test("login reads the key from standard input, keeps it private, and sends it nowhere", async ({
  cli,
  account,
  serviceUrl,
}) => {
  const none = await cli.runWith({ env: {} }, "agents", "list");
  expect([none.code, none.stderr]).toEqual([1, expect.stringContaining("lathe login")]);
  const wrong = await cli.runWith(
    { env: {}, input: "svc_sk_wrong\n" },
    "login",
    "--base-url",
    serviceUrl,
  );
  expect([wrong.code, wrong.stderr]).toEqual([1, expect.stringContaining("not valid")]);
  expect(existsSync(path.join(cli.folder, "config/lathe/config.json"))).toBe(false);
  const good = await cli.runWith(
    { env: {}, input: `${account.apiKey}\n` },
    "login",
    "--base-url",
    serviceUrl,
  );
  expect([good.code, good.stdout, good.stderr.includes(account.apiKey)]).toEqual([0, "", false]);
  expect(statSync(path.join(cli.folder, "config/lathe/config.json")).mode & 0o777).toBe(0o600);
  expect((await cli.runWith({ env: {} }, "agents", "list")).code).toBe(0);
  const elsewhere = await cli.runWith(
    { env: { LATHE_BASE_URL: "http://127.0.0.1:9" } },
    "agents",
    "list",
  );
  expect([elsewhere.code, elsewhere.stderr]).toEqual([
    1,
    expect.stringContaining(`for ${serviceUrl}`),
  ]);
  // Another file each time: who had an older one open, under whatever mode, does not see the new
  // key.
  const config = path.join(cli.folder, "config/lathe/config.json");
  await chmod(config, 0o644);
  const before = statSync(config).ino;
  const again = await cli.runWith(
    { env: {}, input: `${account.apiKey}\n` },
    "login",
    "--base-url",
    serviceUrl,
  );
  expect([again.code, statSync(config).mode & 0o777, statSync(config).ino === before]).toEqual([
    0,
    0o600,
    false,
  ]);
  await cli.runWith({ env: {} }, "logout");
  const elsewhereFile = path.join(cli.folder, "elsewhere.json");
  await symlink(elsewhereFile, config);
  const linked = await cli.runWith(
    { env: {}, input: `${account.apiKey}\n` },
    "login",
    "--base-url",
    serviceUrl,
  );
  expect([linked.code, linked.stderr, existsSync(elsewhereFile)]).toEqual([
    1,
    expect.stringContaining("is a link"),
    false,
  ]);
  await cli.runWith({ env: {} }, "logout");
  expect((await cli.runWith({ env: {} }, "agents", "list")).code).toBe(1);
});

test("agents are files: new ones are created, changes shown, pushed, pulled the same", async ({
  cli,
}) => {
  await mkdir(path.join(cli.folder, "agents"));
  cli.write("agents/reporter.yaml", AGENT);
  expect((await cli.run("agents", "push", "--dry-run")).stderr).toContain("would be created");
  expect((await cli.run("agents", "list")).stdout).toBe("");
  expect((await cli.run("agents", "diff")).code).toBe(1);
  expect(await cli.run("agents", "push")).toMatchObject({
    code: 0,
    stderr: expect.stringContaining("reporter.yaml: created"),
  });
  expect(await cli.run("agents", "diff")).toMatchObject({
    code: 0,
    stdout: "",
    stderr: "No differences.\n",
  });
  expect((await cli.run("agents", "push")).stderr).toContain("unchanged");
  cli.write(
    "agents/reporter.yaml",
    AGENT.replace("Answer.", "Answer in German.").replace("# soon", "# later"),
  );
  const diff = await cli.run("agents", "diff");
  expect([diff.code, diff.stdout.split("\n")]).toEqual([
    1,
    expect.arrayContaining(["-  Answer.", "+  Answer in German."]),
  ]);
  const dry = await cli.run("agents", "push", "--dry-run");
  expect([dry.code, dry.stderr]).toEqual([
    0,
    expect.stringContaining("would be changed (skill_content, config_content)"),
  ]);
  expect((await cli.run("agents", "diff")).code).toBe(1);
  expect((await cli.run("agents", "push")).code).toBe(0);
  expect((await cli.run("agents", "diff")).code).toBe(0);
  const cases = "cases:\n  - {name: Greets, input: {}, checks: [{value: moin, type: contains}]}\n";
  cli.write("agents/reporter.yaml", cli.read("agents/reporter.yaml") + cases);
  expect((await cli.run("agents", "push")).stderr).toContain("changed (cases)");
  expect((await cli.run("agents", "push")).stderr).toContain("unchanged");
  await cli.run("agents", "pull", "--dir", "other");
  for (const part of ["Answer in German.", "# mine", "# later", "Greets"])
    expect(cli.read("other/reporter.yaml")).toContain(part);
});

test("what others wrote into a clone leads no file out of the folder of agents", async ({
  cli,
}) => {
  await mkdir(path.join(cli.folder, "agents"));
  cli.write("agents/reporter.yaml", AGENT);
  await cli.run("agents", "push");
  cli.write(
    "agents/.lathe.json",
    cli.read("agents/.lathe.json").replace('"reporter.yaml"', '"../../pwned.yaml"'),
  );
  for (const verb of ["pull", "diff", "push"]) {
    const refused = await cli.run("agents", verb);
    expect([refused.code, refused.stderr]).toEqual([
      1,
      expect.stringContaining("no name of a *.yaml file in this folder"),
    ]);
  }
  expect(existsSync(path.join(cli.folder, "../pwned.yaml"))).toBe(false);
  await rm(path.join(cli.folder, "agents"), { recursive: true });
  await mkdir(path.join(cli.folder, "elsewhere"));
  await symlink("elsewhere", path.join(cli.folder, "agents"));
  const linked = await cli.run("agents", "pull");
  expect([linked.code, linked.stderr]).toEqual([1, expect.stringContaining("is a link")]);
  expect(existsSync(path.join(cli.folder, "elsewhere/reporter.yaml"))).toBe(false);
});

test("an agent changed elsewhere is not overwritten: push and pull show the difference", async ({
  cli,
}) => {
  await mkdir(path.join(cli.folder, "agents"));
  cli.write("agents/reporter.yaml", AGENT);
  await cli.run("agents", "push");
  await cli.run("agents", "pull", "--dir", "colleague");
  cli.write(
    "colleague/reporter.yaml",
    cli.read("colleague/reporter.yaml").replace("Answer.", "Answer briefly."),
  );
  expect((await cli.run("agents", "push", "--dir", "colleague")).code).toBe(0);
  cli.write("agents/reporter.yaml", AGENT.replace("Answer.", "Answer at length."));
  const refused = await cli.run("agents", "push");
  expect([refused.code, refused.stderr, refused.stdout]).toEqual([
    1,
    expect.stringContaining("changed elsewhere"),
    expect.stringContaining("-  Answer briefly."),
  ]);
  const kept = await cli.run("agents", "pull");
  expect([kept.code, kept.stderr]).toEqual([
    1,
    expect.stringContaining("kept, as it was changed here"),
  ]);
  expect(cli.read("agents/reporter.yaml")).toContain("at length");
  // In CI git says what is newest: what another push made may be replaced.
  expect(await cli.run("agents", "push", "--over-pushed")).toMatchObject({
    code: 0,
    stderr: expect.stringContaining("changed (skill_content)"),
  });
  await cli.run("agents", "pull", "--dir", "colleague", "--force");
  expect(cli.read("colleague/reporter.yaml")).toContain("at length");
});

test("what a person changed in the console is not overwritten by CI either", async ({
  cli,
  newAccount,
}) => {
  const owner = await newAccount();
  const env = { LATHE_API_KEY: owner.apiKey, LATHE_BASE_URL: owner.api.baseUrl };
  await mkdir(path.join(cli.folder, "agents"));
  cli.write("agents/reporter.yaml", AGENT);
  await cli.runWith({ env }, "agents", "push");
  for await (const { agent_id } of owner.client.agents.list())
    await owner.client.agents.update(agent_id, { skill_content: "# By hand\n" });
  cli.write("agents/reporter.yaml", AGENT.replace("Answer.", "Answer at length."));
  expect((await cli.runWith({ env }, "agents", "push", "--over-pushed")).code).toBe(1);
  expect((await cli.runWith({ env }, "agents", "push", "--force")).code).toBe(0);
});

test("a file that is no agent is told with its place, and nothing of the folder is pushed", async ({
  cli,
}) => {
  await mkdir(path.join(cli.folder, "agents"));
  cli.write("agents/a.yaml", AGENT);
  cli.write("agents/b.yaml", "kind: agent\nname: [broken\n");
  const push = await cli.run("agents", "push");
  expect([push.code, push.stderr]).toEqual([
    1,
    expect.stringMatching(/b\.yaml cannot be read: .*line \d/s),
  ]);
  expect((await cli.run("agents", "list")).stdout).toBe("");
});

test("run writes the answer alone to standard output; stream and logs tell of it later", async ({
  cli,
  script,
}) => {
  await mkdir(path.join(cli.folder, "agents"));
  cli.write(
    "agents/reporter.yaml",
    AGENT.replace("  version: 1\n", "  version: 1\n  model: compatible/test-model\n"),
  );
  await cli.run("agents", "push");
  const one = await script({ text: "Grüße\u001b[2J!", usage: { input: 10, output: 5 } });
  const run = await cli.run("run", "Reporter", `Say it. ${one.mark}`);
  // The terminal's own commands are taken out of what a model says.
  expect([run.code, run.stdout]).toEqual([0, "Grüße[2J!\n"]);
  const [, runId = ""] = /^Run (\S+)$/m.exec(run.stderr) ?? [];
  expect(run.stderr).toMatch(/Done for [\d.]+ credits/);
  const events = (await cli.run("stream", runId, "--json")).stdout
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as { type: string });
  expect([events[0]?.type, events.at(-1)?.type]).toEqual(["run.created", "run.completed"]);
  const logs = await cli.run("logs", runId);
  expect(logs.stdout).toMatch(
    /^\d\d:\d\d:\d\d\.\d+ .*model compatible\/test-model \([\d.]+ s, [\d.e-]+ credits\)$/m,
  );
  const bad = await script({ status: 400 });
  expect(await cli.run("run", "Reporter", `{"request": "${bad.mark}"}`)).toMatchObject({
    code: 1,
    stderr: expect.stringContaining("Failed: EXECUTION_FAILED"),
  });
  const nobody = await cli.run("run", "Nobody", "x");
  expect([nobody.code, nobody.stderr]).toEqual([
    1,
    expect.stringContaining("no active agent with the id or the name “Nobody”"),
  ]);
});

test("an awaited approval is named with its command; approve and deny decide it", async ({
  cli,
  account,
  inbox,
  newAgent,
  script,
}) => {
  const env = { LATHE_API_KEY: account.apiKey, LATHE_BASE_URL: account.api.baseUrl };
  const http = [
    { name: "send", method: "POST", url: `${inbox.url}/send`, input_schema: { type: "object" } },
  ];
  const agent = await newAgent({ autonomy: "approval_required", config: { tools: { http } } });
  const one = await script({ tool_calls: [{ name: "send", args: {} }] }, { text: "Not sent." });
  const running = cli.runWith({ env }, "run", agent.agent_id, `{"text": "${one.mark}"}`);
  const found = await until("an approval to be asked for", async () => {
    for await (const approval of account.client.approvals.list({ status: "pending" }))
      if (approval.agent_id === agent.agent_id) return approval.approval_id;
    return null;
  });
  expect(await cli.runWith({ env }, "deny", found, "--message", "Not now.")).toMatchObject({
    code: 0,
    stderr: expect.stringContaining("rejected"),
  });
  const { code, stdout, stderr } = await running;
  expect([code, stdout, stderr]).toEqual([
    0,
    "Not sent.\n",
    expect.stringContaining(`lathe approve ${found}`),
  ]);
  const again = await cli.runWith({ env }, "approve", found);
  expect([again.code, again.stderr]).toEqual([1, expect.stringContaining("CONFLICT")]);
});

test("attach follows a run in a terminal, and what is typed answers its question", async ({
  installed,
  account,
  newAgent,
  script,
}) => {
  // biome-ignore lint/suspicious/noSkippedTests: other systems have another program of that name
  test.skip(process.platform !== "linux", "the program that makes the terminal is Linux's");
  const agent = await newAgent({ config: { tools: { builtin: ["ask_user"] } } });
  const ask = { name: "ask_user", args: { question: "Which region?" } };
  const one = await script({ tool_calls: [ask] }, { text: "It is the south." });
  const { run_id: runId } = await account.client.runs.create({
    agent_id: agent.agent_id,
    input: { text: one.mark },
  });
  const command = `${path.join(installed, "node_modules/.bin/lathe")} attach ${runId}`;
  const terminal = spawn("script", ["-qefc", command, "/dev/null"], {
    env: {
      ...process.env,
      LATHE_API_KEY: account.apiKey,
      LATHE_BASE_URL: account.api.baseUrl,
    },
  });
  let screen = "";
  terminal.stdout.setEncoding("utf8").on("data", (text: string) => {
    screen += text;
  });
  const ended = new Promise<number | null>((resolve) => terminal.once("exit", resolve));
  try {
    await until("the question to be shown", async () => screen.includes("Which region?"));
    terminal.stdin.write("/approve\n");
    await until("the refusal", async () => screen.includes("asks for no approval"));
    terminal.stdin.write("South\n");
    expect(await ended).toBe(0);
    expect(screen).toContain("It is the south.");
  } finally {
    terminal.kill();
  }
});

test("attach knows the approval waited for, asked before the first line shown", async ({
  installed,
  account,
  newAgent,
  inbox,
  script,
}) => {
  // biome-ignore lint/suspicious/noSkippedTests: other systems have another program of that name
  test.skip(process.platform !== "linux", "the program that makes the terminal is Linux's");
  const http = [
    { name: "send", method: "POST", url: `${inbox.url}/send`, input_schema: { type: "object" } },
  ];
  const agent = await newAgent({ autonomy: "approval_required", config: { tools: { http } } });
  const one = await script({ tool_calls: [{ name: "send", args: {} }] }, { text: "It is sent." });
  const { run_id: runId } = await account.client.runs.create({
    agent_id: agent.agent_id,
    input: { text: one.mark },
  });
  let last = -1;
  for await (const event of account.client.runs.events(runId)) {
    last = event.sequence_number;
    if (event.type === "approval.requested") break;
  }
  const command =
    `${path.join(installed, "node_modules/.bin/lathe")} attach ${runId} --after ` + `${last}`;
  const terminal = spawn("script", ["-qefc", command, "/dev/null"], {
    env: {
      ...process.env,
      LATHE_API_KEY: account.apiKey,
      LATHE_BASE_URL: account.api.baseUrl,
    },
  });
  let screen = "";
  terminal.stdout.setEncoding("utf8").on("data", (text: string) => {
    screen += text;
  });
  const ended = new Promise<number | null>((resolve) => terminal.once("exit", resolve));
  try {
    await until("it to be attached", async () => screen.includes("Attached to"));
    terminal.stdin.write("/approve\n");
    expect(await ended).toBe(0);
    expect(screen).toContain("It is sent.");
    expect(screen).not.toContain("asks for no approval");
  } finally {
    terminal.kill();
  }
});
