import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { FONT_FAMILY, fontBuffers } from "./fonts.mjs";
import { COLOURS } from "./read-chart.mjs";
import { numberText } from "./table.mjs";

/** @typedef {import("./read-chart.mjs").Chart} Chart */

const require = createRequire(import.meta.url);
// One file in place of hundreds; the package describes it as a whole.
const { init } = /** @type {typeof import("echarts")} */ (require("echarts/dist/echarts.min.js"));

const WIDTH = 960;
const HEIGHT = 540;
/** So that it stays sharp on paper and on fine screens. */
const SCALE = 2;

/**
 * A chart as SVG.
 * @param {Chart} chart
 * @returns {string}
 */
export function drawChart(chart) {
  const drawing = init(null, null, { renderer: "svg", ssr: true, width: WIDTH, height: HEIGHT });
  try {
    drawing.setOption(optionOf(chart));
    return drawing.renderToSVGString();
  } finally {
    drawing.dispose();
  }
}

/** @type {Promise<typeof import("@resvg/resvg-wasm")> | null} */
let loading = null;

async function loadResvg() {
  const resvg = await import("@resvg/resvg-wasm");
  await resvg.initWasm(readFileSync(require.resolve("@resvg/resvg-wasm/index_bg.wasm")));
  return resvg;
}

/**
 * SVG as PNG. Nothing that it names is fetched.
 * @param {string} svg
 * @returns {Promise<Uint8Array>}
 */
export async function toPng(svg) {
  loading ??= loadResvg();
  const { Resvg } = await loading;
  const picture = new Resvg(svg, {
    fitTo: { mode: "zoom", value: SCALE },
    background: "white",
    font: { fontBuffers: fontBuffers(), defaultFontFamily: FONT_FAMILY },
  });
  return picture.render().asPng();
}

/** @param {Chart} chart */
function optionOf(chart) {
  const hasLegend = chart.type === "pie" || chart.series.length > 1;
  const [footTitle, sideTitle] = chart.horizontal
    ? [chart.yTitle, chart.xTitle]
    : [chart.xTitle, chart.yTitle];
  return {
    animation: false,
    backgroundColor: "#ffffff",
    color: COLOURS.map((colour) => `#${colour}`),
    textStyle: { fontFamily: FONT_FAMILY, fontSize: 14 },
    title: {
      text: chart.title,
      left: "center",
      top: 16,
      textStyle: { fontSize: 20, fontWeight: 500 },
    },
    legend: { show: hasLegend, type: "plain", bottom: 12, textStyle: { fontSize: 14 } },
    grid: {
      left: sideTitle === "" ? 24 : 56,
      right: 32,
      top: chart.title === "" ? 32 : 72,
      bottom: (hasLegend ? 52 : 24) + (footTitle === "" ? 0 : 26),
      containLabel: true,
    },
    ...(chart.type === "pie" ? pieOf(chart) : planeOf(chart)),
  };
}

/** @param {Chart} chart */
function pieOf({ categories, series }) {
  const values = series[0]?.values ?? [];
  return {
    series: [
      {
        type: "pie",
        radius: "62%",
        // Without an outline, which not every renderer draws behind the letters.
        label: { fontSize: 14, formatter: "{b}: {d}%", color: "#333333", textBorderWidth: 0 },
        data: categories.map((name, at) => ({ name, value: values[at] })),
      },
    ],
  };
}

/** @param {Chart} chart */
function planeOf(chart) {
  const { type, categories, series, xs, stacked, horizontal } = chart;
  const isScatter = type === "scatter";
  /** @param {number} value */
  const formatter = (value) => numberText(value);
  const named = (/** @type {string} */ name, /** @type {number} */ gap) => ({
    name,
    nameLocation: "middle",
    nameGap: gap,
    nameTextStyle: { fontSize: 14 },
  });
  const categoryAxis = {
    type: "category",
    data: categories,
    boundaryGap: type === "bar",
    axisLabel: { fontSize: 13, hideOverlap: true },
    ...(horizontal && { inverse: true }),
    ...named(chart.xTitle, horizontal ? 80 : 36),
  };
  const valueAxis = {
    type: "value",
    axisLabel: { fontSize: 13, formatter },
    ...named(chart.yTitle, horizontal ? 36 : 64),
  };
  const xValues = { ...valueAxis, ...named(chart.xTitle, 36), scale: true };
  return {
    xAxis: isScatter ? xValues : horizontal ? valueAxis : categoryAxis,
    yAxis: isScatter ? { ...valueAxis, scale: true } : horizontal ? categoryAxis : valueAxis,
    series: series.map(({ name, values }) => ({
      name,
      type: type === "area" ? "line" : type,
      showSymbol: isScatter || values.length <= 40,
      symbolSize: isScatter ? 8 : 6,
      ...(stacked && { stack: "all" }),
      ...(type === "area" && { areaStyle: { opacity: stacked ? 0.7 : 0.25 } }),
      data: isScatter ? values.map((value, at) => [xs[at], value]) : values,
    })),
  };
}
