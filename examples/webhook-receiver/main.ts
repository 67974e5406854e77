import { createServer, type IncomingMessage } from "node:http";
import { LatheWebhookError, verifyWebhook } from "@lathe/client";

const SECRET = process.env.LATHE_WEBHOOK_SECRET ?? "";
const BODY_MAX_BYTES = 1024 * 1024;

/**
 * Of a product of your own: a table with `runId` as its key, so that two calls at once, and a
 * restart in between, do a thing once.
 */
const done = new Set<string>();

const server = createServer(async (request, response) => {
  try {
    // The body as it came: parsed and written again it would be other bytes, which the signature
    // does not fit.
    const call = await verifyWebhook({
      payload: await read(request),
      headers: request.headers,
      secret: SECRET,
    });
    if (!done.has(call.runId)) {
      done.add(call.runId);
      console.log(
        JSON.stringify({
          runId: call.runId,
          said: call.status === "completed" ? call.result.text : call.error.code,
        }),
      );
    }
    response.writeHead(204).end();
  } catch (error) {
    // A 4xx says that it is no use to come again; anything else is tried again by the service.
    response.writeHead(error instanceof LatheWebhookError ? 400 : 500).end();
    if (!(error instanceof LatheWebhookError)) console.error(error);
  }
});

server.listen(Number(process.env.PORT ?? 4001), "127.0.0.1", () =>
  console.log(JSON.stringify(server.address())),
);

async function read(request: IncomingMessage): Promise<Buffer<ArrayBuffer>> {
  const parts: Buffer[] = [];
  let length = 0;
  for await (const part of request as AsyncIterable<Buffer>) {
    length += part.length;
    if (length > BODY_MAX_BYTES)
      throw new LatheWebhookError("bad_payload", "The call is longer than any webhook.");
    parts.push(part);
  }
  return Buffer.concat(parts);
}
