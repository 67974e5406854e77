import "server-only";

/** Texts that are sent as they come. */
export interface Lines extends AsyncIterableIterator<string> {
  /** Aborts when nobody takes any for too long: whoever sends them breaks the connection off. */
  readonly broken: AbortSignal;
  return(): Promise<IteratorResult<string>>;
}

/** An answer on its way out: Next is handed a `Response` of it, and Node's own connection is written to without one. */
export interface Answer {
  status: number;
  /** Names in lower case. */
  headers: Record<string, string>;
  body: string | Lines | ReadableStream<Uint8Array> | null;
}

export function toResponse({ status, headers, body }: Answer): Response {
  return new Response(isLines(body) ? toWebStream(body) : body, { status, headers });
}

export function isLines(body: Answer["body"]): body is Lines {
  return typeof body === "object" && body !== null && "broken" in body;
}

/** Has nothing more read or made of an answer that nobody is sent. */
export function discard(body: Answer["body"]): void {
  if (isLines(body)) void body.return();
  else if (typeof body === "object") void body?.cancel();
}

function toWebStream(lines: Lines): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  return new ReadableStream<Uint8Array>(
    {
      start(controller) {
        lines.broken.addEventListener("abort", () => controller.error(lines.broken.reason), { once: true });
      },
      async pull(controller) {
        const { done, value } = await lines.next();
        if (done) controller.close();
        else controller.enqueue(encoder.encode(value));
      },
      async cancel() {
        await lines.return();
      },
    },
    { highWaterMark: 1 },
  );
}
