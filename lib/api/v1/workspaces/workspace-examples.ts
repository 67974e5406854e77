import "server-only";
import type { z } from "zod";
import { EXAMPLE_IDS } from "@/lib/api/v1/schemas/example-ids";
import type { workspaceSchema } from "@/lib/api/v1/workspaces/workspace-schema";

export const EXAMPLE_WORKSPACE: z.output<typeof workspaceSchema> = {
  workspace_id: EXAMPLE_IDS.workspace_id,
  name: "Sales",
  description: "Tables of the sales team.",
  created_at: "2026-01-31T09:00:00.000Z",
  updated_at: "2026-01-31T09:00:00.000Z",
};
