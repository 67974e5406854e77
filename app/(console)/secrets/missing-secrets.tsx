import { Notice } from "@/components/ui/notice";
import type { Secret, SecretUse } from "@/lib/console/shapes/secret";

const NAMED_MAX = 5;

/** Says which secrets agents name that are not there: their calls fail. */
export function MissingSecrets({ secrets, uses }: { secrets: Secret[]; uses: SecretUse[] }) {
  const present = new Set(secrets.map((secret) => secret.name));
  const names = [...new Set(uses.map((use) => use.secret_name))].filter((name) => !present.has(name));
  const missing = names.map((name) => [name, uses.filter((use) => use.secret_name === name)] as const);
  if (missing.length === 0) return null;
  return (
    <Notice tone="warning" title="Agents name secrets that do not exist" className="mb-4">
      Calls of these connectors fail until they are added:
      <ul className="mt-1">
        {missing.slice(0, NAMED_MAX).map(([name, users]) => (
          <li key={name}>
            <code className="font-mono text-xs">{name}</code>, in{" "}
            {users
              .map((use) => use.agent_name)
              .slice(0, 3)
              .join(", ")}
            {users.length > 3 && ` and ${users.length - 3} more`}
          </li>
        ))}
      </ul>
      {missing.length > NAMED_MAX && `and ${missing.length - NAMED_MAX} more.`}
    </Notice>
  );
}
