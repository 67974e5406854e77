import { z } from "zod";
import {
  type DraftOf,
  field,
  givenKeysOf,
  nullable,
  type RowOf,
  text,
  time,
  unsaidOf,
  uuid,
} from "@/lib/model/fields/field-table";
import { EXAMPLE_IDS, idField, timeField } from "@/lib/model/fields/shared-fields";
import { DESCRIPTION_MAX_CHARACTERS, NAME_MAX_CHARACTERS } from "@/lib/model/limits";
import { textOf } from "@/lib/model/text-of";

/** What a workspace is made of, beside its files and agents. */
export const WORKSPACE_FIELDS = {
  id: field(uuid, { wire: "workspace_id", shown: idField, example: EXAMPLE_IDS.workspace_id }),
  accountId: field(uuid),
  name: field(text(), {
    shown: z.string(),
    example: "Sales",
    given: textOf(NAME_MAX_CHARACTERS, {
      min: 1,
      message: `must have 1 to ${NAME_MAX_CHARACTERS} characters`,
    }),
  }),
  description: field(nullable(text()), {
    shown: z.string().nullable(),
    example: "Tables of the sales team.",
    given: textOf(DESCRIPTION_MAX_CHARACTERS).nullable(),
    absent: null,
  }),
  createdAt: field(time, { shown: timeField, example: "2026-01-31T09:00:00.000Z" }),
  updatedAt: field(time, { shown: timeField, example: "2026-01-31T09:00:00.000Z" }),
};

/** A workspace as verbs hand it out. */
export type WorkspaceRecord = RowOf<typeof WORKSPACE_FIELDS>;
/** What the account itself says of a workspace. */
export type WorkspaceDraft = DraftOf<typeof WORKSPACE_FIELDS>;
export const WORKSPACE_DRAFT_KEYS = givenKeysOf(WORKSPACE_FIELDS);
/** What of it a creation need not say. */
export const UNSAID_WORKSPACE = unsaidOf(WORKSPACE_FIELDS);
