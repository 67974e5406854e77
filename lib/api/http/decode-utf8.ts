import "server-only";
import { invalidInput } from "@/lib/model/errors";

/** A body's text. @throws ServiceError INVALID_INPUT for bytes that are no UTF-8 */
export function decodeUtf8(bytes: Uint8Array): string {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    throw invalidInput("", "The body is not valid UTF-8.");
  }
}
