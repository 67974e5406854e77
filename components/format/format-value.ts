"use client";

import { useMemo } from "react";
import { formatDuration } from "@/components/format/format";
import { useHydrated } from "@/components/ui/use-hydrated";
import type { DashboardFormat } from "@/lib/model/dashboard/dashboard-template-schema";
import { numberOf } from "@/lib/model/dashboard/json-pointer";
import type { JsonValue } from "@/lib/model/json-schema/json-value";

/** How a value is to be written. */
export interface ValueFormat {
  format?: DashboardFormat;
  /** ISO 4217; US dollars without one. */
  currency?: string;
}

/** For whom: a BCP 47 tag, and an IANA zone for times of day. */
export interface Reader {
  locale: string;
  timeZone: string;
}

const TEXT_MAX_CHARACTERS = 500;
const UNITS = ["byte", "kilobyte", "megabyte", "gigabyte", "terabyte"];
const DAY = /^\d{4}-\d\d-\d\d$/;
const TIME = /^\d{4}-\d\d-\d\d[T ]\d\d:\d\d/;

/**
 * A value as a person reads it; null when it does not fit the format. `percent` takes a share (0.42
 * is 42 %), `duration` seconds, `bytes` bytes,
 * `date` an ISO 8601 text or milliseconds since 1970.
 */
export function formatValue(
  value: JsonValue,
  { format, currency = "USD" }: ValueFormat,
  reader: Reader,
): string | null {
  if (value === null) return "–";
  if (format === undefined) return plain(value, reader);
  if (format === "date") return date(value, reader);
  const number = numberOf(value);
  if (number === null) return null;
  switch (format) {
    case "number":
      return count(number, reader);
    case "percent":
      return new Intl.NumberFormat(reader.locale, {
        style: "percent",
        maximumFractionDigits: 1,
      }).format(number);
    case "currency":
      return new Intl.NumberFormat(reader.locale, { style: "currency", currency }).format(number);
    case "duration":
      return `${number < 0 ? "−" : ""}${formatDuration(Math.abs(number) * 1000)}`;
    case "bytes":
      return bytes(number, reader);
  }
}

/** Large numbers whole, small ones with the digits that matter. */
function count(number: number, { locale }: Reader): string {
  const digits =
    Math.abs(number) >= 1 || number === 0
      ? { maximumFractionDigits: 2 }
      : { maximumSignificantDigits: 3 };
  return new Intl.NumberFormat(locale, digits).format(number);
}

function plain(value: Exclude<JsonValue, null>, reader: Reader): string {
  if (typeof value === "number") return count(value, reader);
  if (typeof value === "boolean") return value ? "Yes" : "No";
  const text = typeof value === "string" ? value : JSON.stringify(value);
  return text.length > TEXT_MAX_CHARACTERS ? `${text.slice(0, TEXT_MAX_CHARACTERS)}…` : text;
}

function bytes(number: number, { locale }: Reader): string {
  const power = Math.min(
    UNITS.length - 1,
    Math.floor(Math.log2(Math.max(1, Math.abs(number))) / 10),
  );
  const unit = UNITS[power] ?? "byte";
  return new Intl.NumberFormat(locale, {
    style: "unit",
    unit,
    maximumFractionDigits: power === 0 ? 0 : 1,
  }).format(number / 1024 ** power);
}

/** A day alone has no zone: it is the same day for everyone. */
function date(value: JsonValue, { locale, timeZone }: Reader): string | null {
  const day = typeof value === "string" && DAY.test(value);
  const known = typeof value === "number" || day || (typeof value === "string" && TIME.test(value));
  const at = known ? new Date(value) : null;
  if (!at || Number.isNaN(at.getTime())) return null;
  return new Intl.DateTimeFormat(
    locale,
    day
      ? { dateStyle: "medium", timeZone: "UTC" }
      : { dateStyle: "medium", timeStyle: "short", timeZone },
  ).format(at);
}

/**
 * The reader's language and time zone, as their browser has them; English and UTC until it has
 * taken over.
 */
export function useReader(): Reader {
  const hydrated = useHydrated();
  return useMemo(
    () =>
      hydrated
        ? { locale: navigator.language, timeZone: Intl.DateTimeFormat().resolvedOptions().timeZone }
        : { locale: "en", timeZone: "UTC" },
    [hydrated],
  );
}
