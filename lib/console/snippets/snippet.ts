export const SNIPPET_LANGUAGES = ["curl", "typescript", "python"] as const;
export type SnippetLanguage = (typeof SNIPPET_LANGUAGES)[number];

/** One call of the public API, to be written down in any language. */
export interface SnippetCall {
  method: "GET" | "POST";
  /** With its leading slash, such as `/v1/runs`. */
  path: string;
  body?: unknown;
  /** The answer is a stream of lines. */
  stream?: boolean;
  baseUrl: string;
  /** Null stands for one that the reader fills in. */
  apiKey: string | null;
  /** The environment variable that the reader fills in; `LATHE_API_KEY` without one. */
  keyVariable?: string;
}
