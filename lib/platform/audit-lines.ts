import "server-only";
import pino from "pino";
import { env } from "@/lib/env";
import { definePart } from "@/lib/service";

/** An act as it is told outside of the database. */
export interface AuditLine {
  audit_id: string;
  action: string;
  account_id: string | null;
  actor: {
    kind: string;
    id: string | null;
    label: string | null;
    address: string | null;
    user_agent: string | null;
  };
  object: { kind: string; id: string | null; label: string | null } | null;
  changes: unknown;
}

const DESTINATIONS = { stdout: 1, stderr: 2 } as const;

/**
 * Prints an act as one JSON line with `"audit": true`, whatever the log's level: who keeps these
 * lines elsewhere has them also when the account, or the database, is gone. `AUDIT_LOG` says where
 * to.
 */
export function printAuditLine(line: AuditLine): void {
  auditLines()(line);
}

export const auditLines = definePart("audit-lines", openLines);

function openLines(): (line: AuditLine) => void {
  const { AUDIT_LOG } = env();
  if (AUDIT_LOG === "off") return () => {};
  const lines = pino(
    { base: { audit: true }, timestamp: pino.stdTimeFunctions.isoTime },
    pino.destination(DESTINATIONS[AUDIT_LOG]),
  );
  return (line) => lines.info(line);
}
