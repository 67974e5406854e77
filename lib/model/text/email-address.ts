/**
 * The longest address that mail can be sent to (RFC 5321, 4.5.3.1.3, as its erratum 1690 corrects
 * it).
 */
export const EMAIL_ADDRESS_MAX_CHARACTERS = 254;

/**
 * Whether a text has the form of a mail address: something, one `@`, and a name with a dot that
 * begins and ends no part of it; no white space. Whether mail arrives there only a mail can tell.
 */
export function isEmailAddress(text: string): boolean {
  if (text.length > EMAIL_ADDRESS_MAX_CHARACTERS || /\s/.test(text)) return false;
  const at = text.indexOf("@");
  if (at < 1 || text.includes("@", at + 1)) return false;
  const labels = text.slice(at + 1).split(".");
  return labels.length > 1 && !labels.includes("");
}
