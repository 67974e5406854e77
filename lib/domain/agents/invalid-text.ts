import "server-only";
import type { TextError } from "@/lib/model/agent-config/yaml/text-error";
import { ServiceError } from "@/lib/model/errors";

/**
 * A 400 about places of a YAML text, each with its line and column.
 * @param field the request's name of the text; empty where the body itself is the text
 */
export function invalidText(field: string, errors: readonly TextError[]): ServiceError {
  const details = errors.map(({ path, message, line, column }) => ({
    path: [field, path].filter(Boolean).join("."),
    message: `line ${line}, column ${column}: ${message}`,
    line,
    column,
  }));
  const message = details.map((detail) => (detail.path ? `${detail.path}: ${detail.message}` : detail.message)).join("; ");
  return new ServiceError("INVALID_INPUT", message, { details });
}
