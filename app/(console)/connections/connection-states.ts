import type { BadgeTone } from "@/components/ui/badge";
import type { Connection } from "@/lib/client/schemas";

/** How a connection's state reads. */
export const CONNECTION_STATES: Record<Connection["status"], { label: string; tone: BadgeTone }> = {
  pending: { label: "Not signed in", tone: "warning" },
  connected: { label: "Connected", tone: "success" },
  needs_sign_in: { label: "Sign in again", tone: "danger" },
};
