import type { ExampleCall } from "@/lib/console/reference/example-call";

/** The whole address of a call, with its places filled in. */
export function callAddress({ baseUrl, path, places }: Pick<ExampleCall, "baseUrl" | "path" | "places">): string {
  return baseUrl + path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(places[name] ?? name));
}
