import type { Reader } from "@/components/format/format-value";
import type { JsonValue } from "@/lib/model/json-schema/json-value";

const TIME = /^\d{4}-\d\d-\d\d(T|$)/;
const NAME_MAX_CHARACTERS = 24;

/** The places of an axis in few letters: days as days, and the moments of one day as times. */
export function axisNames(places: readonly JsonValue[], { locale, timeZone }: Reader): string[] {
  const day = new Intl.DateTimeFormat(locale, { day: "numeric", month: "short", timeZone });
  const wholeDay = new Intl.DateTimeFormat(locale, { day: "numeric", month: "short", timeZone: "UTC" });
  const time = new Intl.DateTimeFormat(locale, { hour: "2-digit", minute: "2-digit", timeZone });
  const moments = places.map((place) => (isTime(place) && place.length > 10 ? new Date(place) : null));
  const days = new Set(moments.map((moment) => moment && day.format(moment)));
  return places.map((place, index) => {
    const moment = moments[index];
    if (moment) return (days.size === 1 ? time : day).format(moment);
    return isTime(place) ? wholeDay.format(new Date(place)) : shorten(typeof place === "string" ? place : JSON.stringify(place));
  });
}

function isTime(place: JsonValue): place is string {
  return typeof place === "string" && TIME.test(place) && !Number.isNaN(Date.parse(place));
}

function shorten(text: string): string {
  return text.length > NAME_MAX_CHARACTERS ? `${text.slice(0, NAME_MAX_CHARACTERS - 1)}…` : text;
}
