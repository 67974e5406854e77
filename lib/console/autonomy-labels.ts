import type { WriteAutonomy } from "@/lib/model/write-autonomy";

/** How the console calls each write autonomy. */
export const AUTONOMY_LABELS: Record<WriteAutonomy, string> = {
  full_auto: "Full auto",
  approval_required: "Asks first",
  blocked: "Writes blocked",
};
