import "server-only";
import { z } from "zod";
import { idField, timeField } from "@/lib/api/v1/schemas/fields";
import type { FileRecord as WorkspaceFile } from "@/lib/domain/workspaces/workspace-record";

export const fileSchema = z
  .object({
    file_id: idField,
    path: z.string(),
    name: z.string(),
    size_bytes: z.number().int(),
    content_type: z.string(),
    sha256: z.string(),
    created_at: timeField,
    updated_at: timeField,
  })
  .meta({ id: "WorkspaceFile" });

export function toFile(file: WorkspaceFile) {
  return {
    file_id: file.id,
    path: file.path,
    name: file.path.slice(file.path.lastIndexOf("/") + 1),
    size_bytes: Number(file.sizeBytes),
    content_type: file.contentType,
    sha256: file.sha256,
    created_at: file.createdAt.toISOString(),
    updated_at: file.updatedAt.toISOString(),
  };
}
