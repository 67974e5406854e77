const ZONE = /^[A-Za-z][A-Za-z0-9_+-]*(\/[A-Za-z0-9_+-]+)*$/;
const ZONE_MAX_CHARACTERS = 64;

/** What is wrong with the name of a time zone, or null: it must be one of the IANA database (`Europe/Berlin`, `UTC`), not an offset. */
export function checkTimeZone(timeZone: string): string | null {
  const message = "Must be the name of an IANA time zone, such as Europe/Berlin or UTC.";
  if (timeZone.length > ZONE_MAX_CHARACTERS || !ZONE.test(timeZone)) return message;
  try {
    new Intl.DateTimeFormat("en", { timeZone });
    return null;
  } catch {
    return message;
  }
}
