import "server-only";

/** An agent's row, for the doors: they do not reach the database. */
export type { Agent as AgentRecord } from "@/lib/storage/generated/client";
