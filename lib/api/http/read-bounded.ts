import "server-only";
import type { ApiRequest } from "@/lib/api/http/api-request";
import { ServiceError } from "@/lib/model/errors";

/** A request's body of at most `maxBytes`; reading stops at the first byte beyond. @throws ServiceError PAYLOAD_TOO_LARGE with `tooLarge` */
export async function readBounded(request: ApiRequest, maxBytes: number, tooLarge: string): Promise<Buffer> {
  const refuse = () => new ServiceError("PAYLOAD_TOO_LARGE", tooLarge);
  if (Number(request.headers.get("content-length") ?? 0) > maxBytes) throw refuse();
  if (request.readAll) {
    const bytes = await request.readAll(maxBytes);
    if (bytes === null) throw refuse();
    return bytes;
  }
  if (!request.body) return Buffer.alloc(0);
  const chunks: Uint8Array[] = [];
  let size = 0;
  // Node's web streams are async iterable; the DOM type does not say so.
  for await (const chunk of request.body as unknown as AsyncIterable<Uint8Array>) {
    size += chunk.length;
    if (size > maxBytes) throw refuse();
    chunks.push(chunk);
  }
  return Buffer.concat(chunks, size);
}
