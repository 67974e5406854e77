import "server-only";

/** Of all files of one call. */
export const MADE_MAX_BYTES = 64 * 1024 * 1024;

/** What makes a file of what code handed over; `save` keeps bytes as they are. */
export const MAKERS = ["save", "xlsx", "docx", "pptx", "pdf", "csv", "svg", "png", "zip"] as const;

/** One file that is to be made. */
export interface FileOrder {
  path: string;
  maker: (typeof MAKERS)[number];
  /** JSON of what it is to hold; of `save` its bytes. */
  payload: Uint8Array;
}
