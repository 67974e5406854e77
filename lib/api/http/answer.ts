import "server-only";
import type { LineStream } from "@/lib/domain/runs/open-stream";

/** An answer on its way out: Next is handed a `Response` of it, and Node's own connection is written to without one. */
export interface Answer {
  status: number;
  /** Names in lower case. */
  headers: Record<string, string>;
  body: string | LineStream | ReadableStream<Uint8Array> | null;
}

export function toResponse({ status, headers, body }: Answer): Response {
  return new Response(isLineStream(body) ? toWebStream(body) : body, { status, headers });
}

export function isLineStream(body: Answer["body"]): body is LineStream {
  return typeof body === "object" && body !== null && "broken" in body;
}

/** Has nothing more read or made of an answer that nobody is sent. */
export function discard(body: Answer["body"]): void {
  if (isLineStream(body)) void body.return();
  else if (typeof body === "object") void body?.cancel();
}

function toWebStream(lines: LineStream): ReadableStream<Uint8Array> {
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
