import "server-only";

export interface WorkspaceEntry {
  path: string;
  size_bytes: number;
  content_type: string;
}

export interface WorkspacePage {
  /** Whole characters only: a character that the page's end would cut belongs to the next page (see `decodePage`). */
  text: string;
  truncated: boolean;
  /** The byte at which the next page starts; null at the end of the file. */
  next_offset: number | null;
  size_bytes: number;
}

/** The files of the workspace that a run is bound to. A path that is not there throws `ToolFailure`. Offsets are in bytes. */
export interface WorkspacePort {
  list(prefix?: string): Promise<WorkspaceEntry[]>;
  read(path: string, page: { offset: number; maxBytes: number }): Promise<WorkspacePage>;
  /** The whole file; one larger than `maxBytes` throws `ToolFailure`. */
  readBytes(path: string, maxBytes: number): Promise<Uint8Array>;
  write(path: string, text: string): Promise<{ path: string; size_bytes: number }>;
}
