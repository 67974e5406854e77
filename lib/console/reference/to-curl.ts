import { callAddress } from "@/lib/console/reference/call-address";
import type { ExampleBody, ExampleCall } from "@/lib/console/reference/example-call";
import { keyVariable } from "@/lib/console/reference/key-variable";
import { shellQuote } from "@/lib/console/snippets/shell-quote";

/** The call as a command. An answer that is no success ends it with a code of its own, the body printed. */
export function toCurl(call: ExampleCall): string {
  const variable = keyVariable(call.key);
  const flags = ["--fail-with-body", ...(call.answer === "lines" ? ["-N"] : []), ...(call.method === "GET" ? [] : ["-X", call.method])];
  const lines = [
    `curl ${flags.join(" ")}`,
    shellQuote(callAddress(call)),
    ...(variable ? [`-H "Authorization: Bearer $${variable}"`] : []),
    ...Object.entries(call.headers).map(([name, value]) => `-H ${shellQuote(`${name}: ${value}`)}`),
    ...bodyFlags(call.body),
    ...(call.answer === "bytes" ? ["-o download.bin"] : []),
  ];
  return lines.join(" \\\n  ");
}

function bodyFlags(body: ExampleBody | null): string[] {
  if (!body) return [];
  if (body.kind === "json") return [`-H "Content-Type: application/json"`, `-d ${shellQuote(JSON.stringify(body.value, null, 2))}`];
  // `-d` would take the line breaks out.
  if (body.kind === "text") return [`-H "Content-Type: ${body.mediaType}"`, `--data-binary ${shellQuote(body.text)}`];
  const fields = Object.entries(body.fields).map(([name, value]) => `-F ${shellQuote(`${name}=${value}`)}`);
  return [...fields, `-F ${shellQuote(`file=@${body.fileName}`)}`];
}
