import { callAddress } from "@/lib/console/reference/call-address";
import type { ExampleBody, ExampleCall } from "@/lib/console/reference/example-call";
import { keyVariable } from "@/lib/console/reference/key-variable";
import { TYPESCRIPT_LITERAL, toLiteral } from "@/lib/console/snippets/to-literal";

/** The call in TypeScript, by the typed client; by `fetch` where no key is needed. An answer that is no success is thrown. */
export function toTypescript(call: ExampleCall): string {
  if (call.key === "none")
    return [`const response = await fetch(${JSON.stringify(callAddress(call))});`, "console.log(await response.json());"].join("\n");
  const imports = [
    ...(call.body?.kind === "form" ? [`import { readFile } from "node:fs/promises";`] : []),
    ...(call.answer === "bytes" ? [`import { writeFile } from "node:fs/promises";`] : []),
    `import { createClient } from "./client/lathe-client";`,
  ];
  const client = [
    "const lathe = createClient({",
    `  apiKey: process.env.${keyVariable(call.key)} ?? "",`,
    `  baseUrl: ${JSON.stringify(call.baseUrl)},`,
    "});",
  ];
  return [...imports, "", ...client, "", ...(SHORT_WAYS[call.operationId]?.(call) ?? plainWay(call))].join("\n");
}

/** What the client does in fewer words, or better, than by path. */
const SHORT_WAYS: Record<string, (call: ExampleCall) => string[]> = {
  createAgent: (call) => [
    `const { run_id } = await lathe.agents.create(${argument(call)});`,
    "const agentId = await lathe.agents.waitForAgent(run_id);",
    "console.log(agentId);",
  ],
  createAgentEdit: (call) => [
    `const edit = await lathe.agents.edit(${place(call)}, ${argument(call)});`,
    `console.log(edit.run_id, edit.status);`,
  ],
  createRun: (call) => created("runs", call),
  createSuperAgentRun: (call) => created("superAgentRuns", call),
  createRealtimeRun: (call) => [`const events = lathe.runs.stream(${argument(call)});`, ...READ_EVENTS],
  createSuperAgentRealtimeRun: (call) => [`const events = lathe.superAgentRuns.stream(${argument(call)});`, ...READ_EVENTS],
  listRunEvents: (call) => [`const events = lathe.runs.events(${place(call)});`, ...READ_EVENTS],
  listSuperAgentRunEvents: (call) => [`const events = lathe.superAgentRuns.events(${place(call)});`, ...READ_EVENTS],
};

const READ_EVENTS = [
  "for await (const event of events) {",
  `  if (event.type === "output_text.delta") process.stdout.write(event.delta);`,
  `  if (event.type === "run.failed") console.error(event.error.message);`,
  "}",
];

function created(runs: string, call: ExampleCall): string[] {
  const key = call.headers["Idempotency-Key"];
  const options = key ? `, { idempotencyKey: ${JSON.stringify(key)} }` : "";
  return [`const run = await lathe.${runs}.create(${argument(call)}${options});`, "console.log(run.run_id, run.status);"];
}

function argument({ body }: ExampleCall): string {
  return toLiteral(body?.kind === "json" ? body.value : {}, TYPESCRIPT_LITERAL);
}

function place({ places }: ExampleCall): string {
  return JSON.stringify(Object.values(places)[0] ?? "");
}

function plainWay(call: ExampleCall): string[] {
  const { before, init } = bodyInit(call.body);
  const path = Object.keys(call.places).length > 0 ? [`  params: { path: ${oneLine(call.places)} },`] : [];
  const reading = call.answer === "text" ? [`  parseAs: "text",`] : call.answer === "bytes" ? [`  parseAs: "arrayBuffer",`] : [];
  const members = [...path, ...init, ...reading];
  const options = members.length > 0 ? `, {\n${members.join("\n")}\n}` : "";
  const at = `(${JSON.stringify(call.path)}${options})`;
  if (call.isList) return [`for await (const row of lathe.list${at}) {`, "  console.log(row);", "}"];
  if (call.answer === "bytes") return [`const file = await lathe.get${at};`, `await writeFile("download.bin", Buffer.from(file));`];
  const request = `await lathe.${call.method.toLowerCase()}${at};`;
  return call.answer === "none" ? [...before, request] : [...before, `const answer = ${request}`, "console.log(answer);"];
}

function bodyInit(body: ExampleBody | null): { before: string[]; init: string[] } {
  if (!body) return { before: [], init: [] };
  if (body.kind === "json") return { before: [], init: [`  body: ${toLiteral(body.value, TYPESCRIPT_LITERAL, 1)},`] };
  // JSON is YAML.
  if (body.kind === "text")
    return {
      before: [],
      init: [`  headers: { "Content-Type": "${body.mediaType}" },`, `  body: ${toLiteral(body.value, TYPESCRIPT_LITERAL, 1)},`],
    };
  const before = [
    "const form = new FormData();",
    ...Object.entries(body.fields).map(([name, value]) => `form.set(${JSON.stringify(name)}, ${JSON.stringify(value)});`),
    `form.set("file", new Blob([await readFile(${JSON.stringify(body.fileName)})]), ${JSON.stringify(body.fileName)});`,
    "",
  ];
  // The document says of a form only that a file is a string: what is sent is the form.
  return { before, init: [`  body: { file: "" },`, "  bodySerializer: () => form,"] };
}

function oneLine(places: Record<string, string>): string {
  return `{ ${Object.entries(places)
    .map(([name, value]) => `${name}: ${JSON.stringify(value)}`)
    .join(", ")} }`;
}
