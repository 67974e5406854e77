import type { ApiKeyKind } from "@/lib/console/reference/list-operations";

/** The environment variable in which code expects the key; null where none is needed. */
export function keyVariable(key: ApiKeyKind): string | null {
  if (key === "none") return null;
  return key === "app" ? "LATHE_APP_KEY" : "LATHE_API_KEY";
}
