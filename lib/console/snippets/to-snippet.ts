import { shellQuote } from "@/lib/console/snippets/shell-quote";
import type { SnippetCall, SnippetLanguage } from "@/lib/console/snippets/snippet";
import { PYTHON_LITERAL, toLiteral } from "@/lib/console/snippets/to-literal";

const KEY_VARIABLE = "LATHE_API_KEY";

/** The call as code that runs when it is pasted: quoted for its language, with the key from the environment unless one is given. */
export function toSnippet(language: SnippetLanguage, call: SnippetCall): string {
  if (language === "curl") return toCurl(call);
  return language === "typescript" ? toTypeScript(call) : toPython(call);
}

function toCurl({ method, path, body, stream, baseUrl, apiKey, keyVariable = KEY_VARIABLE }: SnippetCall): string {
  const flags = [stream ? "-N " : "", method === "GET" ? "" : `-X ${method} `].join("");
  const lines = [`curl ${flags}${shellQuote(baseUrl + path)}`, `-H "Authorization: Bearer ${apiKey ?? `$${keyVariable}`}"`];
  if (body !== undefined)
    lines.push(`-H "Content-Type: application/json"`, `-d ${shellQuote(indent(JSON.stringify(body, null, 2), "  "))}`);
  return lines.join(" \\\n  ");
}

function toTypeScript({ method, path, body, stream, baseUrl, apiKey, keyVariable = KEY_VARIABLE }: SnippetCall): string {
  const key = apiKey ? `Bearer ${apiKey}` : `Bearer \${process.env.${keyVariable}}`;
  const quote = apiKey ? `"` : "`";
  const lines = [
    `const response = await fetch(${JSON.stringify(baseUrl + path)}, {`,
    ...(method === "GET" ? [] : [`  method: "${method}",`]),
    "  headers: {",
    `    Authorization: ${quote}${key}${quote},`,
    ...(body === undefined ? [] : [`    "Content-Type": "application/json",`]),
    "  },",
    ...(body === undefined ? [] : [`  body: JSON.stringify(${indent(JSON.stringify(body, null, 2), "  ")}),`]),
    "});",
    "if (!response.ok) throw new Error(await response.text());",
    "",
    ...(stream ? TYPESCRIPT_STREAM : ["console.log(await response.json());"]),
  ];
  return lines.join("\n");
}

const TYPESCRIPT_STREAM = [
  `let rest = "";`,
  "for await (const chunk of response.body.pipeThrough(new TextDecoderStream())) {",
  `  const lines = (rest + chunk).split("\\n");`,
  `  rest = lines.pop() ?? "";`,
  "  for (const line of lines) {",
  "    const event = JSON.parse(line);",
  `    if (event.type === "output_text.delta") process.stdout.write(event.delta);`,
  "  }",
  "}",
];

function toPython({ method, path, body, stream, baseUrl, apiKey, keyVariable = KEY_VARIABLE }: SnippetCall): string {
  const key = apiKey ? JSON.stringify(`Bearer ${apiKey}`) : `f"Bearer {os.environ['${keyVariable}']}"`;
  const imports = [...(stream ? ["import json"] : []), ...(apiKey ? [] : ["import os"]), "import requests"];
  const lines = [
    ...imports,
    "",
    `response = requests.${method.toLowerCase()}(`,
    `    ${JSON.stringify(baseUrl + path)},`,
    `    headers={"Authorization": ${key}},`,
    ...(body === undefined ? [] : [`    json=${toLiteral(body, PYTHON_LITERAL, 1)},`]),
    ...(stream ? ["    stream=True,"] : []),
    ")",
    "response.raise_for_status()",
    "",
    ...(stream ? PYTHON_STREAM : ["print(response.json())"]),
  ];
  return lines.join("\n");
}

const PYTHON_STREAM = [
  "for line in response.iter_lines():",
  "    event = json.loads(line)",
  `    if event["type"] == "output_text.delta":`,
  `        print(event["delta"], end="", flush=True)`,
];

function indent(text: string, pad: string): string {
  return text.replaceAll("\n", `\n${pad}`);
}
