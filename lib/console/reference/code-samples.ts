import type { ApiKeyKind, ExampleBody, ExampleCall } from "@/lib/console/reference/api-document";
export const SAMPLE_LANGUAGES = ["curl", "typescript", "python"] as const;
export type SampleLanguage = (typeof SAMPLE_LANGUAGES)[number];

/**
 * The call as code that runs when it is pasted, in each language, with the key from the environment
 * unless one is given.
 */
export function codeSamples(call: ExampleCall): Record<SampleLanguage, string> {
  return { curl: toCurl(call), typescript: toTypescript(call), python: toPython(call) };
}

/**
 * The call as a command. An answer that is no success ends it with a code of its own, the body
 * printed.
 */
function toCurl(call: ExampleCall): string {
  const key = call.apiKey ?? keyVariable(call.key, (name) => `$${name}`);
  const flags = [
    "--fail-with-body",
    ...(call.answer === "lines" ? ["-N"] : []),
    ...(call.method === "GET" ? [] : ["-X", call.method]),
  ];
  const lines = [
    `curl ${flags.join(" ")}`,
    shellQuote(callAddress(call)),
    ...(key ? [`-H "Authorization: Bearer ${key}"`] : []),
    ...Object.entries(call.headers).map(([name, value]) => `-H ${shellQuote(`${name}: ${value}`)}`),
    ...bodyFlags(call.body),
    ...(call.answer === "bytes" ? ["-o download.bin"] : []),
  ];
  return lines.join(" \\\n  ");
}

function bodyFlags(body: ExampleBody | null): string[] {
  if (!body) return [];
  if (body.kind === "json")
    return [
      `-H "Content-Type: application/json"`,
      `-d ${shellQuote(JSON.stringify(body.value, null, 2))}`,
    ];
  // `-d` would take the line breaks out.
  if (body.kind === "text")
    return [`-H "Content-Type: ${body.mediaType}"`, `--data-binary ${shellQuote(body.text)}`];
  const fields = Object.entries(body.fields).map(
    ([name, value]) => `-F ${shellQuote(`${name}=${value}`)}`,
  );
  return [...fields, `-F ${shellQuote(`file=@${body.fileName}`)}`];
}

interface PythonBody {
  imports: string[];
  before: string[];
  contentType: string;
  data: string;
}

/**
 * The call in Python, with its standard library alone. An answer that is no success raises
 * `HTTPError`.
 */
function toPython(call: ExampleCall): string {
  const body = bodyOf(call);
  const variable = call.apiKey ? null : keyVariable(call.key, (name) => name);
  const bearer = call.apiKey
    ? JSON.stringify(`Bearer ${call.apiKey}`)
    : variable && `f"Bearer {os.environ['${variable}']}"`;
  const answerImports = call.answer === "json" || call.answer === "lines" ? ["json"] : [];
  const imports = new Set([
    ...(variable ? ["os"] : []),
    ...answerImports,
    ...(body?.imports ?? []),
    "urllib.request",
  ]);
  const headers = [
    ...(bearer ? [`"Authorization": ${bearer}`] : []),
    ...Object.entries(call.headers).map(
      ([name, value]) => `${JSON.stringify(name)}: ${JSON.stringify(value)}`,
    ),
    ...(body ? [`"Content-Type": ${body.contentType}`] : []),
  ];
  return [
    ...[...imports].sort().map((name) => `import ${name}`),
    "",
    ...(body?.before ?? []),
    "request = urllib.request.Request(",
    `    ${JSON.stringify(callAddress(call))},`,
    ...(call.method === "GET" ? [] : [`    method="${call.method}",`]),
    ...(headers.length > 0
      ? ["    headers={", ...headers.map((header) => `        ${header},`), "    },"]
      : []),
    ...(body ? [`    data=${body.data},`] : []),
    ")",
    "with urllib.request.urlopen(request) as response:",
    ...READINGS[call.answer],
  ].join("\n");
}

const READINGS: Record<ExampleCall["answer"], string[]> = {
  json: ["    print(json.load(response))"],
  text: ["    print(response.read().decode())"],
  bytes: [`    with open("download.bin", "wb") as file:`, "        file.write(response.read())"],
  none: ["    print(response.status)"],
  lines: [
    "    for line in response:",
    "        event = json.loads(line)",
    `        if event["type"] == "output_text.delta":`,
    `            print(event["delta"], end="", flush=True)`,
    `        elif event["type"] == "run.failed":`,
    `            print(event["error"]["message"])`,
  ],
};

function bodyOf({ body }: ExampleCall): PythonBody | null {
  if (!body) return null;
  if (body.kind === "json") {
    const data = `json.dumps(${toLiteral(body.value, PYTHON_LITERAL, 1)}).encode()`;
    return { imports: ["json"], before: [], contentType: `"application/json"`, data };
  }
  if (body.kind === "text")
    return {
      imports: [],
      before: [...textBlock(body.text), ""],
      contentType: JSON.stringify(body.mediaType),
      data: "text.encode()",
    };
  const fields = Object.entries(body.fields).map(([name, value]) =>
    part(`name=\\"${name}\\"`, `${JSON.stringify(`${value}\r\n`)}.encode()`),
  );
  const file = part(
    `name=\\"file\\"; filename=\\"${body.fileName}\\"`,
    `Path(${JSON.stringify(body.fileName)}).read_bytes()`,
  );
  const before = [
    "boundary = uuid.uuid4().hex",
    `form = b"".join([`,
    ...[...fields, file].flat(),
    `    f"\\r\\n--{boundary}--\\r\\n".encode(),`,
    "])",
    "",
  ];
  return {
    imports: ["uuid", "pathlib"],
    before,
    contentType: `f"multipart/form-data; boundary={boundary}"`,
    data: "form",
  };
}

function part(disposition: string, content: string): string[] {
  return [
    `    f"--{boundary}\\r\\nContent-Disposition: form-data; ${disposition}\\r\\n\\r\\n".encode(),`,
    `    ${content.replace(/^Path/, "pathlib.Path")},`,
  ];
}

/** Its lines one below the other, each with its break. */
function textBlock(text: string): string[] {
  const lines = text.split(/(?<=\n)/).filter((line) => line !== "");
  return ["text = (", ...lines.map((line) => `    ${JSON.stringify(line)}`), ")"];
}

/**
 * The call in TypeScript, by the typed client; by `fetch` where no key is needed. An answer that is
 * no success is thrown.
 */
function toTypescript(call: ExampleCall): string {
  if (call.key === "none")
    return [
      `const response = await fetch(${JSON.stringify(callAddress(call))});`,
      "console.log(await response.json());",
    ].join("\n");
  const imports = [
    ...(call.body?.kind === "form" ? [`import { readFile } from "node:fs/promises";`] : []),
    ...(call.answer === "bytes" ? [`import { writeFile } from "node:fs/promises";`] : []),
    `import { createClient } from "./client/lathe-client";`,
  ];
  const client = [
    "const lathe = createClient({",
    "  apiKey: " +
      (call.apiKey
        ? JSON.stringify(call.apiKey)
        : keyVariable(call.key, (name) => `process.env.${name} ?? ""`)) +
      ",",
    `  baseUrl: ${JSON.stringify(call.baseUrl)},`,
    "});",
  ];
  return [
    ...imports,
    "",
    ...client,
    "",
    ...(SHORT_WAYS[call.operationId]?.(call) ?? plainWay(call)),
  ].join("\n");
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
  createRealtimeRun: (call) => [
    `const events = lathe.runs.stream(${argument(call)});`,
    ...READ_EVENTS,
  ],
  createSuperAgentRealtimeRun: (call) => [
    `const events = lathe.superAgentRuns.stream(${argument(call)});`,
    ...READ_EVENTS,
  ],
  listRunEvents: (call) => [`const events = lathe.runs.events(${place(call)});`, ...READ_EVENTS],
  listAppRunEvents: (call) => [
    `const events = lathe.apps.events(${Object.values(call.places)
      .map((id) => JSON.stringify(id))
      .join(", ")});`,
    ...READ_EVENTS,
  ],
  exportEndUser: (call) => [
    `const { body } = await lathe.endUsers.export(${place(call)});`,
    "if (body) for await (const bytes of body) process.stdout.write(bytes);",
  ],
  listSuperAgentRunEvents: (call) => [
    `const events = lathe.superAgentRuns.events(${place(call)});`,
    ...READ_EVENTS,
  ],
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
  return [
    `const run = await lathe.${runs}.create(${argument(call)}${options});`,
    "console.log(run.run_id, run.status);",
  ];
}

function argument({ body }: ExampleCall): string {
  return toLiteral(body?.kind === "json" ? body.value : {}, TYPESCRIPT_LITERAL);
}

function place({ places }: ExampleCall): string {
  return JSON.stringify(Object.values(places)[0] ?? "");
}

function plainWay(call: ExampleCall): string[] {
  const { before, init } = bodyInit(call.body);
  const params = [
    ...(Object.keys(call.places).length > 0 ? [`path: ${oneLine(call.places)}`] : []),
    ...(call.query ? [`query: ${oneLine(call.query)}`] : []),
  ];
  const path = params.length > 0 ? [`  params: { ${params.join(", ")} },`] : [];
  const reading =
    call.answer === "text"
      ? [`  parseAs: "text",`]
      : call.answer === "bytes"
        ? [`  parseAs: "arrayBuffer",`]
        : [];
  const members = [...path, ...init, ...reading];
  const options = members.length > 0 ? `, {\n${members.join("\n")}\n}` : "";
  const at = `(${JSON.stringify(call.path)}${options})`;
  if (call.isList)
    return [`for await (const row of lathe.list${at}) {`, "  console.log(row);", "}"];
  if (call.answer === "bytes")
    return [
      `const file = await lathe.get${at};`,
      `await writeFile("download.bin", Buffer.from(file));`,
    ];
  const request = `await lathe.${call.method.toLowerCase()}${at};`;
  return call.answer === "none"
    ? [...before, request]
    : [...before, `const answer = ${request}`, "console.log(answer);"];
}

function bodyInit(body: ExampleBody | null): { before: string[]; init: string[] } {
  if (!body) return { before: [], init: [] };
  if (body.kind === "json")
    return { before: [], init: [`  body: ${toLiteral(body.value, TYPESCRIPT_LITERAL, 1)},`] };
  // JSON is YAML.
  if (body.kind === "text")
    return {
      before: [],
      init: [
        `  headers: { "Content-Type": "${body.mediaType}" },`,
        `  body: ${toLiteral(body.value, TYPESCRIPT_LITERAL, 1)},`,
      ],
    };
  const before = [
    "const form = new FormData();",
    ...Object.entries(body.fields).map(
      ([name, value]) => `form.set(${JSON.stringify(name)}, ${JSON.stringify(value)});`,
    ),
    `form.set("file", new Blob([await readFile(${JSON.stringify(body.fileName)})]), ` +
      `${JSON.stringify(body.fileName)});`,
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

/** The whole address of a call, with its places filled in. */
function callAddress({
  baseUrl,
  path,
  places,
  query,
}: Pick<ExampleCall, "baseUrl" | "path" | "places" | "query">): string {
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) =>
    encodeURIComponent(places[name] ?? name),
  );
  return baseUrl + filled + (query ? `?${new URLSearchParams(query)}` : "");
}

/**
 * How code refers to the environment variable in which it expects the key; null where none is
 * needed.
 */
function keyVariable(key: ApiKeyKind, refer: (name: string) => string): string | null {
  if (key === "none") return null;
  return refer(key === "app" ? "LATHE_APP_KEY" : "LATHE_API_KEY");
}

/** A text as one word of a shell: in single quotes nothing is special but the quote itself. */
function shellQuote(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}

/** How a language writes a value down. */
interface LiteralStyle {
  pad: string;
  /** What it calls null, true and false. */
  words: { null: string; true: string; false: string };
  /** May names that need no quotes go without? */
  bareNames: boolean;
}

const PYTHON_LITERAL: LiteralStyle = {
  pad: "    ",
  words: { null: "None", true: "True", false: "False" },
  bareNames: false,
};
const TYPESCRIPT_LITERAL: LiteralStyle = {
  pad: "  ",
  words: { null: "null", true: "true", false: "false" },
  bareNames: true,
};

/**
 * A value of JSON as source text. `depth` is that of the line on which it begins. JSON's strings
 * and numbers are those of either language.
 */
function toLiteral(value: unknown, style: LiteralStyle, depth = 0): string {
  if (value === null || value === undefined) return style.words.null;
  if (typeof value === "boolean") return style.words[`${value}`];
  if (typeof value !== "object") return JSON.stringify(value);
  const entries = Array.isArray(value)
    ? value.map((item) => toLiteral(item, style, depth + 1))
    : Object.entries(value).map(
        ([key, item]) => `${nameOf(key, style)}: ${toLiteral(item, style, depth + 1)}`,
      );
  const [open, close] = Array.isArray(value) ? ["[", "]"] : ["{", "}"];
  if (entries.length === 0) return `${open}${close}`;
  const inner = style.pad.repeat(depth + 1);
  return (
    `${open}\n${entries.map((entry) => `${inner}${entry},`).join("\n")}\n` +
    `${style.pad.repeat(depth)}${close}`
  );
}

function nameOf(key: string, { bareNames }: LiteralStyle): string {
  return bareNames && /^[A-Za-z_$][\w$]*$/.test(key) ? key : JSON.stringify(key);
}
