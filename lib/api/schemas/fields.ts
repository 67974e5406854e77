import "server-only";
import { z } from "zod";
import { LIST_DEFAULT_ROWS, LIST_MAX_ROWS } from "@/lib/model/limits";

/** Fields that many nouns share; the tables of fields take them from where they stand. */
export {
  creditsField,
  EXAMPLE_IDS,
  idField,
  nullableTime,
  timeField,
  webhookUrlField,
} from "@/lib/model/fields/shared-fields";

export const listQuery = {
  limit: z
    .string()
    .regex(/^\d{1,3}$/, `must be a whole number from 1 to ${LIST_MAX_ROWS}`)
    .transform(Number)
    .pipe(
      z
        .number()
        .int()
        .min(1, `must be 1 to ${LIST_MAX_ROWS}`)
        .max(LIST_MAX_ROWS, `must be 1 to ${LIST_MAX_ROWS}`),
    )
    .default(LIST_DEFAULT_ROWS)
    .meta({
      type: "integer",
      minimum: 1,
      maximum: LIST_MAX_ROWS,
      default: LIST_DEFAULT_ROWS,
      description: "Rows a page.",
      examples: [LIST_DEFAULT_ROWS],
      override: {
        type: "integer",
        minimum: 1,
        maximum: LIST_MAX_ROWS,
        default: LIST_DEFAULT_ROWS,
        pattern: undefined,
      },
    }),
  cursor: z
    .string()
    .min(1, "must be a next_cursor of this list")
    .max(200)
    .nullable()
    .default(null)
    .meta({
      description: "`next_cursor` of the page before.",
      override: {
        type: "string",
        minLength: 1,
        maxLength: 200,
        anyOf: undefined,
        default: undefined,
      },
    }),
};

const pages = new WeakMap<z.ZodType, z.ZodObject>();

/** A page of rows. Rows with a name of their own in the document give the page one: `RunPage`. */
export function listOf<T extends z.ZodType>(row: T) {
  const known = pages.get(row);
  const id = z.globalRegistry.get(row)?.id;
  const page =
    known ??
    named(
      z.object({ data: z.array(row), has_more: z.boolean(), next_cursor: nextCursor }),
      id && `${id}Page`,
    );
  pages.set(row, page);
  return page;
}

const nextCursor = z
  .string()
  .nullable()
  .meta({ description: "`cursor` of the next page; null on the last." });

/** One schema object a name: the document's generator refuses a second. */
function named(page: z.ZodObject, id: string | undefined): z.ZodObject {
  return id ? page.meta({ id }) : page;
}

/** The answer of a list with one row. */
export function examplePage<T>(row: T) {
  return { list: { data: [row], has_more: false, next_cursor: null } };
}
