import "server-only";
import { z } from "zod";

const plain = z.union([z.string(), z.number(), z.boolean(), z.null()]);

const columnSchema = z.object({
  name: z.string(),
  kind: z.enum(["number", "date", "text", "flag", "empty", "nested"]),
  distinct: z.number(),
  missing: z.number(),
  min: plain,
  max: plain,
});
const hitSchema = z.object({
  column: z.string(),
  value: z.union([z.string(), z.number(), z.boolean()]),
  phrase: z.string(),
  count: z.number(),
});

/** A table as the first pass saw it. */
export const tableProfileSchema = z.object({
  path: z.string(),
  rows: z.number(),
  columns: z.array(columnSchema),
  hits: z.array(hitSchema),
});
export const profilesSchema = z.object({
  kind: z.literal("profile"),
  tables: z.array(z.union([tableProfileSchema, z.object({ path: z.string(), error: z.string() })])),
});

export type TableColumn = z.infer<typeof columnSchema>;
export type ValueHit = z.infer<typeof hitSchema>;
export type TableProfile = z.infer<typeof tableProfileSchema>;
