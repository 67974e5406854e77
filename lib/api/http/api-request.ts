import "server-only";

/**
 * What is read of a request: the web's `Request` is one, and so is what the listener makes of Node's own (lib/server/node-request.ts), at a fraction of
 * the cost.
 */
export interface ApiRequest extends Pick<Request, "method" | "url" | "signal"> {
  readonly headers: Pick<Headers, "get">;
  readonly body: ReadableStream<Uint8Array> | null;
  /** Reads the whole body, where that is cheaper than by `body`; null as soon as it has more than `maxBytes`. */
  readAll?(maxBytes: number): Promise<Buffer | null>;
}
