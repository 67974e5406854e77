import "server-only";
import { z } from "zod";
import { idField, timeField } from "@/lib/api/schemas/fields";
import {
  ACTION_KINDS,
  ACTION_STATUSES,
  ACTION_TARGET_MAX_CHARACTERS,
  ACTIONS_MAX,
  type RunActions,
} from "@/lib/model/run/run-action";

const kind = z.enum(ACTION_KINDS).meta({
  description:
    "By the tool's definition: a GET reads, and so does what its owner calls read-only. All " +
    "else writes.",
});
const target = z.string().max(ACTION_TARGET_MAX_CHARACTERS).meta({
  description:
    "What it went to: host and path, server and tool, a file. Without arguments' secrets or query.",
});
const status = z.enum(ACTION_STATUSES).meta({
  description:
    "`refused`: a person, or the agent's settings, did not let it be made. `unknown`: its " +
    "answer never came, so it may have taken effect or not.",
});
const at = timeField.meta({ description: "When it began, or was asked for." });
const SAID = "What an ended run did and read, made from its log, never from what a model says.";
const WHERE = `Only where one ended run is fetched; the newest ${ACTIONS_MAX}.`;

/** The fields of a run's receipts, which are there where one ended run is fetched. */
export const actionsFields = {
  actions: z
    .array(
      z
        .object({
          ...{ action_id: z.string(), tool: z.string(), kind, target, status },
          approval_id: idField
            .nullable()
            .meta({ description: "Who decided about it is told there." }),
          artifact_ids: z.array(idField).meta({ description: "The artifacts that it made." }),
          at,
        })
        .meta({ id: "RunAction", description: "One tool call of a run, as its log tells of it." }),
    )
    .optional()
    .meta({ description: `${SAID} ${WHERE}` }),
  actions_truncated: z
    .boolean()
    .optional()
    .meta({ description: "Whether older actions are left out. There with `actions`." }),
};

export function toActions(ofRun: RunActions | null) {
  if (!ofRun) return {};
  return {
    actions: ofRun.actions.map(({ id, approvalId, artifactIds, at: began, ...action }) => ({
      action_id: id,
      ...action,
      approval_id: approvalId,
      artifact_ids: artifactIds,
      at: began.toISOString(),
    })),
    actions_truncated: ofRun.isTruncated,
  };
}

/** The same in the words of the app-scoped path. */
export const appActionsFields = {
  actions: z
    .array(
      z
        .object({
          ...{ actionId: z.string(), tool: z.string(), kind, target, status },
          ...{ approvalId: idField.nullable(), artifactIds: z.array(idField), at },
        })
        .meta({ id: "AppRunAction" }),
    )
    .optional()
    .meta({ description: `${SAID} ${WHERE}` }),
  actionsTruncated: z.boolean().optional(),
};

export function toAppActions(ofRun: RunActions | null) {
  if (!ofRun) return {};
  return {
    actions: ofRun.actions.map(({ id, at: began, ...action }) => ({
      actionId: id,
      ...action,
      at: began.toISOString(),
    })),
    actionsTruncated: ofRun.isTruncated,
  };
}
