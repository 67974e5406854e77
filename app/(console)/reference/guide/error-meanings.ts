import type { ApiDocument } from "@/lib/console/reference/api-document";

/** When each code is answered, as the document says it. */
export function errorMeanings(document: ApiDocument): Map<string, string> {
  const meanings = new Map<string, string>();
  for (const { allOf = [], description = "" } of Object.values(document.components.schemas)) {
    const code = allOf.map((part) => part.properties?.error?.const).find((value) => typeof value === "string");
    if (typeof code === "string") meanings.set(code, description);
  }
  return meanings;
}
