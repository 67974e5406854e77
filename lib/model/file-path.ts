/** Longest path of a file, in bytes of UTF-8. */
export const FILE_PATH_MAX_BYTES = 1_024;

const CONTROL = /\p{Cc}/u;
const LONE_SURROGATE = /[\uD800-\uDFFF]/u;

/** A path that may be stored, or the reason why not. */
export type CheckedFilePath = { ok: true; path: string } | { ok: false; message: string };

/**
 * Checks the path of a workspace's or a skill's file: relative, its pieces divided by single
 * slashes, none of them `.` or `..`, no backslash, no control character, at most 1,024 bytes. The
 * path that comes back is in Unicode's composed form (NFC), so that one name has one spelling.
 */
export function checkFilePath(text: string): CheckedFilePath {
  if (text.length > FILE_PATH_MAX_BYTES) return tooLong();
  if (CONTROL.test(text)) return refuse("A path must not contain control characters.");
  if (LONE_SURROGATE.test(text)) return refuse("A path must be proper Unicode.");
  const path = text.normalize("NFC");
  if (new TextEncoder().encode(path).length > FILE_PATH_MAX_BYTES) return tooLong();
  if (path === "") return refuse("A path must not be empty.");
  if (path.includes("\\")) return refuse("A path must not contain backslashes.");
  if (path.startsWith("/")) return refuse("A path must be relative.");
  const pieces = path.split("/");
  if (pieces.includes("")) return refuse("A path must not contain empty pieces.");
  if (pieces.includes(".") || pieces.includes(".."))
    return refuse("A path must not contain . or .. as a piece.");
  return { ok: true, path };
}

function tooLong(): CheckedFilePath {
  return refuse(`A path has at most ${FILE_PATH_MAX_BYTES} bytes.`);
}

function refuse(message: string): CheckedFilePath {
  return { ok: false, message };
}
