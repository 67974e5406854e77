import { SECRET_NAME } from "@/lib/model/secret/secret-limits";

/** The nearest name that a secret may have (`crm key` → `CRM_KEY`); null when nothing is left of it. */
export function proposeSecretName(typed: string): string | null {
  const name = typed
    .toUpperCase()
    .replaceAll(/[^A-Z0-9]+/g, "_")
    .replace(/^[_0-9]+/, "")
    .slice(0, 64)
    .replace(/_+$/, "");
  return SECRET_NAME.test(name) ? name : null;
}
