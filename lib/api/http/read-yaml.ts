import "server-only";
import type { ApiRequest } from "@/lib/api/http/api-request";
import { decodeUtf8 } from "@/lib/api/http/decode-utf8";
import { readBounded } from "@/lib/api/http/read-bounded";
import { invalidInput } from "@/lib/model/errors";

/** A YAML body's text, not yet parsed. @throws ServiceError PAYLOAD_TOO_LARGE; INVALID_INPUT for another content type or broken UTF-8 */
export async function readYaml(request: ApiRequest, maxBytes: number): Promise<string> {
  const bytes = await readBounded(request, maxBytes, `A YAML body may have at most ${maxBytes} bytes.`);
  const type = request.headers.get("content-type") ?? "";
  if (!/^application\/yaml\s*(;|$)/i.test(type)) throw invalidInput("", "The body must be YAML: send Content-Type: application/yaml.");
  return decodeUtf8(bytes);
}
