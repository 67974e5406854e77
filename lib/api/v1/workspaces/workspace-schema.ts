import "server-only";
import { z } from "zod";
import { idField, timeField } from "@/lib/api/v1/schemas/fields";
import type { WorkspaceRecord as Workspace } from "@/lib/domain/workspaces/workspace-record";
import { DESCRIPTION_MAX_CHARACTERS, NAME_MAX_CHARACTERS } from "@/lib/model/limits";
import { textOf } from "@/lib/model/text-of";

export const workspaceSchema = z
  .object({ workspace_id: idField, name: z.string(), description: z.string().nullable(), created_at: timeField, updated_at: timeField })
  .meta({ id: "Workspace" });

export const nameField = textOf(NAME_MAX_CHARACTERS, { min: 1, message: `must have 1 to ${NAME_MAX_CHARACTERS} characters` });
export const descriptionField = textOf(DESCRIPTION_MAX_CHARACTERS).nullable();

export function toWorkspace(workspace: Workspace) {
  return {
    workspace_id: workspace.id,
    name: workspace.name,
    description: workspace.description,
    created_at: workspace.createdAt.toISOString(),
    updated_at: workspace.updatedAt.toISOString(),
  };
}
