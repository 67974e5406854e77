"use client";
import {
  Area,
  AreaChart,
  Bar,
  BarChart,
  CartesianGrid,
  Line,
  LineChart,
  ResponsiveContainer,
  Tooltip,
  type TooltipContentProps,
  XAxis,
  YAxis,
} from "recharts";
import {
  formatValue,
  type Reader,
  useReader,
  type ValueFormat,
} from "@/components/format/format-value";
import type { Chart } from "@/lib/console/dashboard/widget-content";
import type { JsonValue } from "@/lib/model/json-schema/json-value";
import { toSeriesName } from "./widget-content";

const COLOURS = [
  "var(--primary)",
  "var(--success)",
  "var(--warning)",
  "var(--danger)",
  "var(--accent)",
  "var(--muted)",
];
const TICK = { fill: "var(--faint)", fontSize: 11, fontFamily: "var(--font-geist-mono)" };
const FRAMES = { line: LineChart, area: AreaChart, bar: BarChart };
const MARGIN = { top: 6, right: 28, bottom: 0, left: 0 };

interface ChartPlotProps {
  kind: "line" | "bar" | "area";
  chart: Chart;
  format: ValueFormat;
  title: string;
}

/** The drawing, and its figures as a table for those who cannot see it. */
export function ChartPlot({ kind, chart, format, title }: ChartPlotProps) {
  const reader = useReader();
  const Frame = FRAMES[kind];
  const names = axisNames(
    chart.points.map((point) => point.x),
    reader,
  );
  const rows = chart.points.map((point, index) => ({
    x: names[index],
    ...Object.fromEntries(point.values.map((value, index) => [`s${index}`, value])),
  }));
  const show = (value: JsonValue) => formatValue(value, format, reader) ?? "–";
  return (
    <figure className="flex min-h-0 flex-col p-3 md:absolute md:inset-0">
      {chart.series.length > 1 && <Legend series={chart.series} />}
      <div aria-hidden="true" className="min-h-0 flex-1 max-md:h-52 max-md:flex-none">
        <ResponsiveContainer
          width="100%"
          height="100%"
          initialDimension={{ width: 480, height: 200 }}
        >
          <Frame data={rows} margin={MARGIN} accessibilityLayer={false}>
            <CartesianGrid vertical={false} stroke="var(--line)" />
            <XAxis
              dataKey="x"
              tick={TICK}
              tickLine={false}
              axisLine={{ stroke: "var(--line-strong)" }}
              minTickGap={24}
            />
            <YAxis width={52} tick={TICK} tickLine={false} axisLine={false} tickFormatter={show} />
            <Tooltip
              content={(tip) => <Tip tip={tip} chart={chart} show={show} />}
              cursor={{ fill: "var(--hover)" }}
              isAnimationActive={false}
            />
            {chart.series.map((field, index) => seriesOf(kind, field, index))}
          </Frame>
        </ResponsiveContainer>
      </div>
      <Figures chart={chart} names={names} title={title} show={show} />
    </figure>
  );
}

function seriesOf(kind: ChartPlotProps["kind"], field: string, index: number) {
  const colour = COLOURS[index % COLOURS.length];
  const shared = { key: field, dataKey: `s${index}`, isAnimationActive: false };
  const { key, ...rest } = shared;
  if (kind === "bar")
    return <Bar key={key} {...rest} fill={colour} radius={[3, 3, 0, 0]} maxBarSize={28} />;
  const line = {
    ...rest,
    stroke: colour,
    strokeWidth: 2,
    type: "monotone" as const,
    connectNulls: true,
  };
  return kind === "area" ? (
    <Area key={key} {...line} fill={colour} fillOpacity={0.14} />
  ) : (
    <Line key={key} {...line} dot={{ r: 2.5, fill: colour, strokeWidth: 0 }} />
  );
}

function Legend({ series }: { series: string[] }) {
  return (
    <ul className="mb-1.5 flex flex-wrap gap-x-4 gap-y-1 px-1 text-muted text-xs">
      {series.map((field, index) => (
        <li key={field} className="flex items-center gap-1.5">
          <span
            aria-hidden="true"
            className="size-2 rounded-full"
            style={{ backgroundColor: COLOURS[index % COLOURS.length] }}
          />
          {toSeriesName(field)}
        </li>
      ))}
    </ul>
  );
}

interface TipProps {
  tip: TooltipContentProps;
  chart: Chart;
  show: (value: JsonValue) => string;
}

function Tip({ tip: { active, payload, label }, chart, show }: TipProps) {
  if (!active || !payload?.length) return null;
  return (
    <div className="rounded-md bg-surface px-2.5 py-1.5 text-xs shadow-high">
      <p className="text-faint">{String(label ?? "")}</p>
      {payload.map((entry, index) => (
        <p key={String(entry.dataKey)} className="mt-0.5 tabular">
          {chart.series.length > 1 && (
            <span className="text-muted">{toSeriesName(chart.series[index] ?? "")} </span>
          )}
          <span className="font-medium">
            {typeof entry.value === "number" ? show(entry.value) : "–"}
          </span>
        </p>
      ))}
    </div>
  );
}

function Figures({
  chart,
  names,
  title,
  show,
}: {
  chart: Chart;
  names: string[];
  title: string;
  show: TipProps["show"];
}) {
  return (
    <table className="sr-only">
      <caption>{title}</caption>
      <thead>
        <tr>
          <td />
          {chart.series.map((field) => (
            <th key={field} scope="col">
              {toSeriesName(field)}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {[...chart.points.entries()].map(([row, point]) => (
          <tr key={row}>
            <th scope="row">{names[row]}</th>
            {point.values.map((value, index) => (
              <td key={chart.series[index]}>{value === null ? "–" : show(value)}</td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

const TIME = /^\d{4}-\d\d-\d\d(T|$)/;
const NAME_MAX_CHARACTERS = 24;

/** The places of an axis in few letters: days as days, and the moments of one day as times. */
function axisNames(places: readonly JsonValue[], { locale, timeZone }: Reader): string[] {
  const day = new Intl.DateTimeFormat(locale, { day: "numeric", month: "short", timeZone });
  const wholeDay = new Intl.DateTimeFormat(locale, {
    day: "numeric",
    month: "short",
    timeZone: "UTC",
  });
  const time = new Intl.DateTimeFormat(locale, { hour: "2-digit", minute: "2-digit", timeZone });
  const moments = places.map((place) =>
    isTime(place) && place.length > 10 ? new Date(place) : null,
  );
  const days = new Set(moments.map((moment) => moment && day.format(moment)));
  return places.map((place, index) => {
    const moment = moments[index];
    if (moment) return (days.size === 1 ? time : day).format(moment);
    return isTime(place)
      ? wholeDay.format(new Date(place))
      : shorten(typeof place === "string" ? place : JSON.stringify(place));
  });
}

function isTime(place: JsonValue): place is string {
  return typeof place === "string" && TIME.test(place) && !Number.isNaN(Date.parse(place));
}

function shorten(text: string): string {
  return text.length > NAME_MAX_CHARACTERS ? `${text.slice(0, NAME_MAX_CHARACTERS - 1)}…` : text;
}
