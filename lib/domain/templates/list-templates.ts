import "server-only";
import type { Page } from "@/lib/domain/page";
import { invalidInput, ServiceError } from "@/lib/model/errors";
import { findTemplate, type Template, templates } from "@/lib/templates/templates";

/**
 * The templates in the order in which they are offered, those of one category where it is given.
 * They are the same for everybody, so this verb takes no principal.
 * @throws ServiceError INVALID_INPUT for a cursor that no list gave out
 */
export function listTemplates({
  limit,
  cursor,
  category,
}: {
  limit: number;
  cursor: string | null;
  category?: string;
}): Page<Template> {
  const name = cursor === null ? null : Buffer.from(cursor, "base64url").toString("utf8");
  if (name !== null && findTemplate(name) === null)
    throw invalidInput("cursor", "must be a next_cursor of this list");
  const all = templates();
  const rest = all.slice(all.findIndex((template) => template.name === name) + 1);
  const rows = rest.filter((template) => category === undefined || template.category === category);
  const data = rows.slice(0, limit);
  return {
    data,
    nextCursor:
      rows.length > limit ? Buffer.from(data.at(-1)?.name ?? "").toString("base64url") : null,
  };
}

/** One template with its document. @throws ServiceError TEMPLATE_NOT_FOUND */
export function getTemplate(name: string): Template {
  const template = findTemplate(name);
  if (template === null)
    throw new ServiceError(
      "TEMPLATE_NOT_FOUND",
      "There is no such template; GET /v1/templates lists them.",
    );
  return template;
}
