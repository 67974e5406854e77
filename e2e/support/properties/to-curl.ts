import type { FilledRequest } from "./fill-request";

const BODY_SHOWN_BYTES = 4000;

/** The request as a command to copy; keys are replaced by `$KEY`. */
export function toCurl(baseUrl: string, { method, target, headers, body }: FilledRequest): string {
  const shown = headers.map(
    ([name, value]) => `-H ${quote(`${name}: ${value.replace(/^Bearer (svc_sk|appapi)_\w{20,}$/, "Bearer $KEY")}`)}`,
  );
  const data = body === null || body.length === 0 ? [] : [`--data-binary ${dataOf(body)}`];
  return ["curl -sS -i --path-as-is", method === "HEAD" ? "-I" : `-X ${method}`, ...shown, ...data, quote(`${baseUrl}${target}`)].join(" ");
}

function dataOf(body: Uint8Array): string {
  const text = Buffer.from(body).toString("latin1");
  const cut = text.length > BODY_SHOWN_BYTES ? `${text.slice(0, BODY_SHOWN_BYTES)}…(${text.length} bytes)` : text;
  if (/^[\x20-\x7e\n]*$/.test(cut)) return quote(cut);
  return `$'${cut.replace(/[^\x20-\x7e]|['\\]/g, (letter) => (letter === "…" ? letter : `\\x${letter.charCodeAt(0).toString(16).padStart(2, "0")}`))}'`;
}

function quote(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
