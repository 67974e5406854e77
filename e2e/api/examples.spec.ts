import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import {
  cpSync,
  existsSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { rm } from "node:fs/promises";
import path from "node:path";
import { createInterface } from "node:readline";
import { pathToFileURL } from "node:url";
import { build } from "esbuild";
import { parse } from "yaml";
import { admin } from "../support/admin";
import { findPython } from "../support/client-driver";
import { compileProject, newProject, ROOT, runProgram, runWell } from "../support/client-package";
import { freePort } from "../support/servers";
import { test as base, expect } from "../support/test";
import { until } from "../support/until";

const EXAMPLES = path.join(ROOT, "examples");

/** An example in a folder of its own, with the packed client installed. */
const test = base.extend<{ example: (name: string) => Promise<string> }>({
  // biome-ignore lint/correctness/noEmptyPattern: a fixture takes a pattern
  example: async ({}, use) => {
    const folders: string[] = [];
    await use(async (name) => {
      // The packages that npm would fetch are those of this repository; the client is the one that
      // was packed.
      const folder = await newProject({});
      folders.push(folder);
      const manifest = path.join(folder, "package.json");
      cpSync(path.join(EXAMPLES, name), folder, {
        recursive: true,
        filter: (file) => path.basename(file) !== "package.json",
      });
      writeFileSync(manifest, readFileSync(path.join(EXAMPLES, name, "package.json")));
      for (const each of ["next", "react", "react-dom", "@types"])
        symlinkSync(path.join(ROOT, "node_modules", each), path.join(folder, "node_modules", each));
      return folder;
    });
    for (const folder of folders) await rm(folder, { recursive: true, force: true });
  },
});

const BUILT = {
  name: "Prices",
  description: "Reads.",
  skill_content: "# Prices\n\nAnswer.",
  config: { version: 1 },
  write_autonomy: "full_auto",
};

test("every example is named in the list of examples, and has a text of its own", () => {
  const names = readdirSync(EXAMPLES, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map((entry) => entry.name);
  const list = readFileSync(path.join(EXAMPLES, "README.md"), "utf8");
  expect([...list.matchAll(/^\| \[([\w-]+)\]\(\1\)/gm)].map(([, name]) => name).sort()).toEqual(
    names.sort(),
  );
  for (const name of names)
    expect(readFileSync(path.join(EXAMPLES, name, "README.md"), "utf8")).toMatch(/^# .+\n\n.+/);
});

test("backend-typescript makes an agent with a file, and prints its answer or failure", async ({
  account,
  example,
  script,
  serviceUrl,
}) => {
  const folder = await example("backend-typescript");
  expect(compileProject(folder)).toEqual([]);
  const making = await script(
    { tool_calls: [{ name: "$only", args: BUILT, fill: true }] },
    { text: "Ready." },
  );
  const env = { LATHE_API_KEY: account.apiKey, LATHE_BASE_URL: serviceUrl };
  const answering = await script({ text: "The mean is 50." });
  const args = [
    "dist/main.js",
    `An agent for prices. ${making.mark}`,
    `The mean? ${answering.mark}`,
  ];
  expect(await runProgram(process.execPath, args, { cwd: folder, env })).toMatchObject({
    code: 0,
    stdout: "The mean is 50.\n",
  });
  const failing = await script({ status: 400 });
  const failed = await runProgram(process.execPath, ["dist/main.js", `An agent. ${failing.mark}`], {
    cwd: folder,
    env,
  });
  expect([failed.code, failed.stderr]).toEqual([1, expect.stringMatching(/^The run failed: /)]);
});

test("backend-python does the same", async ({ account, script, serviceUrl }) => {
  const python = await findPython();
  if (python === null)
    return void test.info().annotations.push({
      type: "skipped",
      description: "there is no python3 (3.10 or newer) with httpx",
    });
  const env = {
    LATHE_API_KEY: account.apiKey,
    LATHE_BASE_URL: serviceUrl,
    PYTHONPATH: path.join(ROOT, "clients/python/src"),
    PYTHONDONTWRITEBYTECODE: "1",
  };
  const cwd = path.join(EXAMPLES, "backend-python");
  const making = await script(
    { tool_calls: [{ name: "$only", args: BUILT, fill: true }] },
    { text: "Ready." },
  );
  const answering = await script({ text: "The mean is 50." });
  const good = await runProgram(
    python,
    ["main.py", `An agent for prices. ${making.mark}`, `The mean? ${answering.mark}`],
    { cwd, env },
  );
  expect(good).toMatchObject({ code: 0, stdout: "The mean is 50.\n" });
  const failing = await script({ status: 400 });
  const failed = await runProgram(python, ["main.py", `An agent. ${failing.mark}`], { cwd, env });
  expect([failed.code, failed.stderr]).toEqual([1, expect.stringMatching(/^The run failed: /)]);
});

/** The lines that a program writes, as they come; it ends with the test. */
function start(
  folder: string,
  args: string[],
  env: Record<string, string>,
): { child: ChildProcess; lines: string[]; text: () => string } {
  const child = spawn(process.execPath, args, {
    cwd: folder,
    env: { ...process.env, ...env },
    stdio: ["ignore", "pipe", "inherit"],
  });
  const lines: string[] = [];
  let text = "";
  child.stdout.on("data", (data: Buffer) => {
    text += data;
  });
  createInterface(child.stdout).on("line", (line) => lines.push(line));
  return { child, lines, text: () => text };
}

test("webhook-receiver believes a signed call once, and nobody else", async ({
  account,
  example,
  inbox,
  script,
}) => {
  const folder = await example("webhook-receiver");
  expect(compileProject(folder)).toEqual([]);
  const { webhook_secret } = await account.client.account.webhookSecret();
  const port = await freePort();
  const { child, lines } = start(folder, ["dist/main.js"], {
    LATHE_WEBHOOK_SECRET: webhook_secret,
    PORT: String(port),
  });
  try {
    await until("the receiver to listen", async () => lines.length > 0);
    const one = await script({ text: "news" });
    const run = await account.client.runs.create({
      input: { text: one.mark },
      webhook_url: inbox.url,
    });
    // As the service sent it: the tests' inbox is the one address that it may call.
    const [call] = await inbox.waitFor(1);
    const { body = "", headers = {} } = call ?? {};
    const signed = Object.fromEntries(
      Object.entries(headers).filter(([name]) => name.startsWith("webhook-")),
    );
    const post = async (text: string) =>
      (await fetch(`http://127.0.0.1:${port}/`, { method: "POST", body: text, headers: signed }))
        .status;
    expect([await post(body), await post(body), await post(body.replace("news", "lies"))]).toEqual([
      204, 204, 400,
    ]);
    expect(lines.slice(1).map((line) => JSON.parse(line) as unknown)).toEqual([
      { runId: run.run_id, said: "news" },
    ]);
  } finally {
    child.kill();
  }
});

test("resuming-stream goes on after its own death without a gap and without a duplicate", async ({
  account,
  example,
  script,
  serviceUrl,
}) => {
  const folder = await example("resuming-stream");
  expect(compileProject(folder)).toEqual([]);
  const answer = "one two three four five six seven eight nine ten ".repeat(4).trim();
  const one = await script({ text: answer, chunk_size: 4, hold_after: 20 });
  const env = { LATHE_API_KEY: account.apiKey, LATHE_BASE_URL: serviceUrl };
  const first = start(folder, ["dist/main.js", one.mark], env);
  const file = path.join(folder, "place.json");
  // As the example writes it.
  const place = () => JSON.parse(readFileSync(file, "utf8")) as { runId: string; after: number };
  await until("the run", async () => existsSync(file));
  const { runId } = place();
  for await (const event of account.client.runs.events(runId, { startingAfter: -1 })) {
    if (event.type !== "output_text.delta") continue;
    await until(
      "the beginning of the answer to be kept",
      async () => place().after >= event.sequence_number,
    );
    break;
  }
  first.child.kill("SIGKILL");
  await once(first.child, "close"); // and all that it wrote is read
  const kept = place().after;
  await one.release();
  const rest = await runWell(process.execPath, ["dist/main.js"], { cwd: folder, env });
  const [before, after]: [string[], string[]] = [[], []];
  for await (const event of account.client.runs.events(runId, { startingAfter: -1 }))
    if (event.type === "output_text.delta")
      (event.sequence_number <= kept ? before : after).push(event.delta);
  expect(before.join("") + after.join("")).toBe(answer);
  expect(rest).toBe(`${after.join("")}\n`);
  // Killed between showing an event and keeping its place, it has shown that one, too.
  expect([before.join(""), before.join("") + (after[0] ?? "")]).toContain(first.text());
  expect(before.length).toBeGreaterThan(0);
  expect(await one.calls()).toHaveLength(1);
});

test("nextjs-embed compiles, asks its agent by the app key, and answers a page that asks", async ({
  account,
  example,
  newAgent,
  script,
  serviceUrl,
}) => {
  const folder = await example("nextjs-embed");
  expect(compileProject(folder)).toEqual([]);
  const agent = await newAgent();
  const { api_key: key } = await admin([
    "key",
    "create",
    "--email",
    account.email,
    "--agent",
    agent.agent_id,
  ]);
  const before = { ...process.env };
  Object.assign(process.env, {
    LATHE_BASE_URL: serviceUrl,
    LATHE_AGENT_ID: agent.agent_id,
    LATHE_APP_KEY: key,
  });
  try {
    // Next.js itself is left out: its route handlers are functions of a request.
    const routes = { ask: "app/api/ask/route.ts", run: "app/api/ask/[runId]/route.ts" };
    const entryPoints = Object.fromEntries(
      Object.entries(routes).map(([name, file]) => [name, path.join(folder, file)]),
    );
    await build({
      entryPoints,
      bundle: true,
      format: "esm",
      platform: "node",
      outdir: path.join(folder, "out"),
      outExtension: { ".js": ".mjs" },
    });
    const load = (name: string): Promise<unknown> =>
      import(pathToFileURL(path.join(folder, "out", `${name}.mjs`)).href);
    // The example's.
    const { POST } = (await load("ask")) as { POST(request: Request): Promise<Response> };
    const { GET } = (await load("run")) as {
      GET(request: Request, context: { params: Promise<{ runId: string }> }): Promise<Response>;
    }; // the example's
    const one = await script({ text: "We open at nine." });
    const body = JSON.stringify({
      question: `When do you open? ${one.mark}`,
      id: crypto.randomUUID(),
    });
    const ask = () => POST(new Request("http://site/api/ask", { method: "POST", body }));
    const started = await ask();
    const { runId } = (await started.json()) as { runId: string }; // the example's
    expect(((await (await ask()).json()) as { runId: string }).runId).toBe(runId);
    const look = (cookie: string, of = runId) =>
      GET(new Request("http://site", { headers: { cookie } }), {
        params: Promise.resolve({ runId: of }),
      });
    const cookie = String(started.headers.get("set-cookie")).split(";")[0] ?? "";
    const answer = await until("the answer", async () => {
      const said = (await (await look(cookie)).json()) as { status: string }; // the example's
      return said.status === "completed" && said;
    });
    const other = "0197a0d2-0000-7000-8000-000000000001";
    for (const [strange, of] of [
      ["", runId],
      [`asked=${runId}.x`, runId],
      [cookie, other],
      [cookie.replace(runId, other), other],
    ])
      expect((await look(strange ?? "", of)).status).toBe(404);
    expect(answer).toEqual({ status: "completed", answer: "We open at nine.", error: null });
    const wrong = await POST(
      new Request("http://site/api/ask", { method: "POST", body: JSON.stringify({ question: 1 }) }),
    );
    expect(wrong.status).toBe(400);
  } finally {
    process.env = before;
  }
});

interface Workflow {
  jobs: { agents: { steps: { if?: string; run?: string }[] } };
}

test("agents-in-git: its workflow previews a pull request, pushes a merge, keeps work", async ({
  example,
  newAccount,
  serviceUrl,
}) => {
  const account = await newAccount();
  const folder = await example("agents-in-git");
  const { jobs } = parse(
    readFileSync(path.join(folder, ".github/workflows/agents.yml"), "utf8"),
  ) as Workflow; // the example's
  const ci = async (event: "pull_request" | "push") => {
    let said = "";
    for (const { run, if: when } of jobs.agents.steps) {
      if (!run || run === "npm ci" || (when && !when.includes(`'${event}'`))) continue;
      const { code, stdout, stderr } = await runProgram("sh", ["-e", "-c", run], {
        cwd: folder,
        env: { LATHE_API_KEY: account.apiKey, LATHE_BASE_URL: serviceUrl },
      });
      said += `${stdout}${stderr}`;
      if (code !== 0) return { code, said };
    }
    // A runner begins with a fresh clone, and commits nothing.
    rmSync(path.join(folder, "agents/.lathe.json"), { force: true });
    return { code: 0, said };
  };
  const file = path.join(folder, "agents/reporter.yaml");
  const edit = (from: string, to: string) =>
    writeFileSync(file, readFileSync(file, "utf8").replace(from, to));
  expect(await ci("pull_request")).toMatchObject({
    code: 0,
    said: expect.stringContaining("would be created"),
  });
  expect(await ci("push")).toMatchObject({
    code: 0,
    said: expect.stringContaining("No differences."),
  });
  for (const [from, to] of [
    ["five", "six"],
    ["six", "seven"],
  ] as const) {
    edit(from, to);
    expect(await ci("pull_request")).toMatchObject({
      code: 0,
      said: expect.stringContaining("would be changed (skill_content)"),
    });
    expect(await ci("push")).toMatchObject({
      code: 0,
      said: expect.stringContaining("reporter.yaml: changed"),
    });
  }
  const agents = [];
  for await (const agent of account.client.agents.list()) agents.push(agent.agent_id);
  expect(agents).toHaveLength(1);
  await account.client.agents.update(agents[0] ?? "", { skill_content: "# By hand\n" });
  edit("seven", "eight");
  expect(await ci("push")).toMatchObject({
    code: 1,
    said: expect.stringContaining("changed elsewhere"),
  });
  expect((await account.client.agents.get(agents[0] ?? "")).skill_content).toBe("# By hand\n");
});
