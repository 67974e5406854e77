"use client";
import {
  Bar,
  BarChart,
  CartesianGrid,
  ResponsiveContainer,
  Tooltip,
  type TooltipContentProps,
  XAxis,
  YAxis,
} from "recharts";
import { formatCredits } from "@/components/format/format";

interface Day {
  day: string;
  credits: number;
  runs: number;
}

const TICK = { fill: "var(--faint)", fontSize: 11, fontFamily: "var(--font-geist-mono)" };
const DAY_NAME = new Intl.DateTimeFormat("en", { day: "numeric", month: "short", timeZone: "UTC" });

/** Credits a day, with the figures as a table for those who cannot see the bars. */
export function DayChart({ days }: { days: Day[] }) {
  const rows = fillDays(days, new Date());
  return (
    <figure>
      <div aria-hidden="true" className="h-56">
        <ResponsiveContainer
          width="100%"
          height="100%"
          initialDimension={{ width: 640, height: 224 }}
        >
          <BarChart
            data={rows}
            margin={{ top: 4, right: 0, bottom: 0, left: 0 }}
            accessibilityLayer={false}
          >
            <CartesianGrid vertical={false} stroke="var(--line)" />
            <XAxis
              dataKey="day"
              tickFormatter={toDayName}
              tick={TICK}
              tickLine={false}
              axisLine={{ stroke: "var(--line-strong)" }}
              minTickGap={28}
            />
            <YAxis
              width={44}
              tick={TICK}
              tickLine={false}
              axisLine={false}
              tickFormatter={formatCredits}
            />
            <Tooltip content={DayTip} cursor={{ fill: "var(--hover)" }} isAnimationActive={false} />
            <Bar
              dataKey="credits"
              fill="var(--primary)"
              radius={[3, 3, 0, 0]}
              maxBarSize={28}
              isAnimationActive={false}
            />
          </BarChart>
        </ResponsiveContainer>
      </div>
      <table className="sr-only">
        <caption>Credits by day</caption>
        <tbody>
          {days.map((day) => (
            <tr key={day.day}>
              <th scope="row">{toDayName(day.day)}</th>
              <td>{formatCredits(day.credits)} credits</td>
              <td>{day.runs} runs</td>
            </tr>
          ))}
        </tbody>
      </table>
    </figure>
  );
}

function toDayName(day: string): string {
  const time = Date.parse(day);
  return Number.isNaN(time) ? day : DAY_NAME.format(time);
}

function DayTip({ active, payload }: TooltipContentProps) {
  const row: unknown = payload?.[0]?.payload;
  if (!active || !isDay(row)) return null;
  return (
    <div className="rounded-md bg-surface px-2.5 py-1.5 text-xs shadow-high">
      <p className="text-faint">{toDayName(row.day)}</p>
      <p className="mt-0.5 font-medium tabular">{formatCredits(row.credits)} credits</p>
      <p className="text-muted tabular">{row.runs} runs</p>
    </div>
  );
}

function isDay(value: unknown): value is Day {
  return typeof value === "object" && value !== null && "day" in value && "credits" in value;
}

const SHOWN_DAYS = 30;
const DAY_MILLISECONDS = 86_400_000;

/**
 * The last 30 days up to `now`'s, UTC, those without spend too: a gap would read as if time had
 * skipped.
 */
function fillDays(days: Day[], now: Date): Day[] {
  const known = new Map(days.map((day) => [day.day.slice(0, 10), day]));
  return Array.from({ length: SHOWN_DAYS }, (_, index) => {
    const day = new Date(now.getTime() - (SHOWN_DAYS - 1 - index) * DAY_MILLISECONDS)
      .toISOString()
      .slice(0, 10);
    return known.get(day) ?? { day, credits: 0, runs: 0 };
  });
}
