/** Longest JSON Pointer of a template. */
export const JSON_POINTER_MAX_CHARACTERS = 512;

const POINTER = /^(\/([^~/]|~[01])*)*$/;

/** Whether `text` is a JSON Pointer (RFC 6901); the empty one points at the whole value. */
export function isJsonPointer(text: string): boolean {
  return text.length <= JSON_POINTER_MAX_CHARACTERS && (text === "" || (text.startsWith("/") && POINTER.test(text)));
}
