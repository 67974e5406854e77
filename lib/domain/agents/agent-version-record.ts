import "server-only";
import type { AgentVersion } from "@/lib/storage/generated/client";

/** A version's row, for the doors: they do not reach the database. */
export type AgentVersionRecord = AgentVersion;

/** What lists carry of a version: all but its texts. */
export type AgentVersionMetadata = Pick<AgentVersion, "id" | "number" | "version" | "releaseNote" | "source" | "runId" | "createdAt">;
