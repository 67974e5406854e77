import type { ExampleCall } from "@/lib/console/reference/example-call";
import { toCurl } from "@/lib/console/reference/to-curl";
import { toPython } from "@/lib/console/reference/to-python";
import { toTypescript } from "@/lib/console/reference/to-typescript";
import type { SnippetLanguage } from "@/lib/console/snippets/snippet";

/** The call as code to copy, in each language. */
export function toReferenceSnippets(call: ExampleCall): Record<SnippetLanguage, string> {
  return { curl: toCurl(call), typescript: toTypescript(call), python: toPython(call) };
}
