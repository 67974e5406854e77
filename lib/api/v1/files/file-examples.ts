import "server-only";
import type { z } from "zod";
import type { fileSchema } from "@/lib/api/v1/files/file-schema";
import { EXAMPLE_IDS } from "@/lib/api/v1/schemas/example-ids";

export const EXAMPLE_FILE_TEXT = "month,amount\n2026-01,1200\n";

export const EXAMPLE_FILE: z.output<typeof fileSchema> = {
  file_id: EXAMPLE_IDS.file_id,
  path: "data/sales.csv",
  name: "sales.csv",
  size_bytes: 26,
  content_type: "text/csv",
  sha256: "4f0d1a5c0d1a1c4f6cb9f6d4b7b0d3c6f6c0a2b1e6a3f3e1d9c8b7a695847362",
  created_at: "2026-01-31T09:00:00.000Z",
  updated_at: "2026-01-31T09:00:00.000Z",
};
