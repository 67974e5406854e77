import "server-only";

/** A workspace's row and a file's row, for the doors: they do not reach the database. */
export type { Workspace as WorkspaceRecord, WorkspaceFile as FileRecord } from "@/lib/storage/generated/client";
