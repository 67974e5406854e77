/** XML takes no control characters but three, and no half of a surrogate pair. */
const NOT_XML = /[^\t\n\r\u{20}-\u{D7FF}\u{E000}-\u{FFFD}\u{10000}-\u{10FFFF}]/gu;
const MARKUP = /[&<>"]/;

/**
 * A text within an element or an attribute.
 * @param {string} text
 */
export function xmlText(text) {
  const clean = text.replace(NOT_XML, "");
  if (!MARKUP.test(clean)) return clean;
  return clean
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;");
}

export const XML_HEAD = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';
