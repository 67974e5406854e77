import { z } from "zod";
import {
  ENDPOINT_DESCRIPTION_MAX_CHARACTERS,
  ENDPOINT_FAILING_DAYS,
  EVENT_TYPE_NAMES,
  EVERY_EVENT,
} from "@/lib/model/events/event-types";
import {
  boolean,
  type DraftOf,
  field,
  givenKeysOf,
  nullable,
  text,
  texts,
  time,
  unsaidOf,
  uuid,
} from "@/lib/model/fields/field-table";
import {
  EXAMPLE_IDS,
  idField,
  nullableTime,
  timeField,
  webhookUrlField,
} from "@/lib/model/fields/shared-fields";
import { textOf } from "@/lib/model/text-of";

const eventsField = z
  .array(
    z.enum(
      [EVERY_EVENT, ...EVENT_TYPE_NAMES],
      `must be one of ${EVENT_TYPE_NAMES.join(", ")}, or ["*"] for all`,
    ),
  )
  .min(1, 'must name at least one type of event, or be ["*"]')
  .max(EVENT_TYPE_NAMES.length, "names a type twice")
  .refine((types) => new Set(types).size === types.length, "names a type twice")
  .refine(
    (types) => types.length === 1 || !types.includes(EVERY_EVENT),
    '"*" stands for every type: it stands alone',
  )
  .meta({ description: 'Types of events; `["*"]` for all, later ones too.' });

/** What a webhook endpoint is made of, beside its secrets. */
export const ENDPOINT_FIELDS = {
  id: field(uuid, { wire: "endpoint_id", shown: idField, example: EXAMPLE_IDS.endpoint_id }),
  accountId: field(uuid),
  url: field(text(), {
    shown: z.string(),
    example: "https://example.com/hooks/events",
    given: webhookUrlField,
  }),
  /** Types of events, or `*`. */
  events: field(texts, {
    shown: z.array(z.string()),
    example: ["run.requires_action", "run.completed"],
    given: eventsField,
  }),
  description: field(nullable(text()), {
    shown: z.string().nullable(),
    example: "Tells our support desk.",
    given: textOf(ENDPOINT_DESCRIPTION_MAX_CHARACTERS).nullable(),
    absent: null,
  }),
  enabled: field(boolean, { shown: z.boolean(), example: true, given: z.boolean(), absent: true }),
  failingSince: field(nullable(time), {
    shown: nullableTime.meta({
      description:
        `Since when nothing has arrived; null while all does. After ${ENDPOINT_FAILING_DAYS} ` +
        "days the endpoint is switched off.",
    }),
    example: null,
  }),
  disabledAt: field(nullable(time), {
    shown: nullableTime.meta({
      description: "When the service switched it off for its failures.",
    }),
    example: null,
  }),
  createdAt: field(time, { shown: timeField, example: "2026-01-31T09:00:00.000Z" }),
  updatedAt: field(time, { shown: timeField, example: "2026-01-31T09:00:00.000Z" }),
};

/** What an owner says of an endpoint. */
export type EndpointDraft = DraftOf<typeof ENDPOINT_FIELDS>;
export const ENDPOINT_DRAFT_KEYS = givenKeysOf(ENDPOINT_FIELDS);
/** What of it a creation need not say. */
export const UNSAID_ENDPOINT = unsaidOf(ENDPOINT_FIELDS);
