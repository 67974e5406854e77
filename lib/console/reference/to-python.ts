import { callAddress } from "@/lib/console/reference/call-address";
import type { ExampleCall } from "@/lib/console/reference/example-call";
import { keyVariable } from "@/lib/console/reference/key-variable";
import { PYTHON_LITERAL, toLiteral } from "@/lib/console/snippets/to-literal";

interface PythonBody {
  imports: string[];
  before: string[];
  contentType: string;
  data: string;
}

/** The call in Python, with its standard library alone. An answer that is no success raises `HTTPError`. */
export function toPython(call: ExampleCall): string {
  const body = bodyOf(call);
  const variable = keyVariable(call.key);
  const answerImports = call.answer === "json" || call.answer === "lines" ? ["json"] : [];
  const imports = new Set([...(variable ? ["os"] : []), ...answerImports, ...(body?.imports ?? []), "urllib.request"]);
  const headers = [
    ...(variable ? [`"Authorization": f"Bearer {os.environ['${variable}']}"`] : []),
    ...Object.entries(call.headers).map(([name, value]) => `${JSON.stringify(name)}: ${JSON.stringify(value)}`),
    ...(body ? [`"Content-Type": ${body.contentType}`] : []),
  ];
  return [
    ...[...imports].sort().map((name) => `import ${name}`),
    "",
    ...(body?.before ?? []),
    "request = urllib.request.Request(",
    `    ${JSON.stringify(callAddress(call))},`,
    ...(call.method === "GET" ? [] : [`    method="${call.method}",`]),
    ...(headers.length > 0 ? ["    headers={", ...headers.map((header) => `        ${header},`), "    },"] : []),
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
    return { imports: [], before: [...textBlock(body.text), ""], contentType: JSON.stringify(body.mediaType), data: "text.encode()" };
  const fields = Object.entries(body.fields).map(([name, value]) =>
    part(`name=\\"${name}\\"`, `${JSON.stringify(`${value}\r\n`)}.encode()`),
  );
  const file = part(`name=\\"file\\"; filename=\\"${body.fileName}\\"`, `Path(${JSON.stringify(body.fileName)}).read_bytes()`);
  const before = [
    "boundary = uuid.uuid4().hex",
    `form = b"".join([`,
    ...[...fields, file].flat(),
    `    f"\\r\\n--{boundary}--\\r\\n".encode(),`,
    "])",
    "",
  ];
  return { imports: ["uuid", "pathlib"], before, contentType: `f"multipart/form-data; boundary={boundary}"`, data: "form" };
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
