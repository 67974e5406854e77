import { lettersOf, sheetReference } from "./cell-addresses.mjs";
import { COLOURS } from "./read-chart.mjs";
import { plain } from "./table.mjs";
import { XML_HEAD, xmlText } from "./xml.mjs";

/** @typedef {import("./read-chart.mjs").Chart} Chart */

/**
 * A chart of a workbook, which shows the cells of its sheet and follows their changes.
 * @param {Chart} chart made of the sheet's own table
 * @param {string} sheet its name
 */
export function chartPart(chart, sheet) {
  const title =
    chart.title === ""
      ? '<c:autoTitleDeleted val="1"/>'
      : `${titleXml(chart.title, 1400)}<c:autoTitleDeleted val="0"/>`;
  const hasLegend = chart.type === "pie" || chart.series.length > 1;
  return `${XML_HEAD}<c:chartSpace \
xmlns:c="http://schemas.openxmlformats.org/drawingml/2006/chart" \
xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main" \
xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"><c:roundedCorners \
val="0"/><c:chart>${title}<c:plotArea><c:layout/>${plotXml(chart, sheet)}</c:plotArea>${
    hasLegend ? '<c:legend><c:legendPos val="b"/><c:overlay val="0"/></c:legend>' : ""
  }<c:plotVisOnly val="1"/><c:dispBlanksAs val="gap"/></c:chart></c:chartSpace>`;
}

/**
 * @param {string} text
 * @param {number} size in hundredths of a point
 */
function titleXml(text, size) {
  return (
    `<c:title><c:tx><c:rich><a:bodyPr/><a:p><a:pPr><a:defRPr sz="${size}" ` +
    `b="0"/></a:pPr><a:r><a:rPr lang="en-US" sz="${size}" ` +
    `b="0"/><a:t>${xmlText(text)}</a:t></a:r></a:p></c:rich></c:tx><c:overlay val="0"/></c:title>`
  );
}

/**
 * @param {Chart} chart
 * @param {string} sheet
 */
function plotXml(chart, sheet) {
  const { type, stacked, horizontal } = chart;
  const series = chart.series.map((_, at) => seriesXml(chart, at, sheet)).join("");
  const axes = '<c:axId val="111"/><c:axId val="222"/>';
  const group = stacked ? "stacked" : type === "bar" ? "clustered" : "standard";
  const grouping = `<c:grouping val="${group}"/>`;
  switch (type) {
    case "pie":
      return (
        `<c:pieChart><c:varyColors val="1"/>${series}<c:dLbls><c:showLegendKey ` +
        'val="0"/><c:showVal val="0"/><c:showCatName val="0"/><c:showSerName ' +
        'val="0"/><c:showPercent val="1"/><c:showBubbleSize val="0"/></c:dLbls><c:firstSliceAng ' +
        'val="0"/></c:pieChart>'
      );
    case "scatter":
      return (
        '<c:scatterChart><c:scatterStyle val="lineMarker"/><c:varyColors ' +
        `val="0"/>${series}${axes}</c:scatterChart>${valueAxis(111, 222, "b", chart.xTitle)}` +
        `${valueAxis(222, 111, "l", chart.yTitle)}`
      );
    case "bar":
      return (
        `<c:barChart><c:barDir val="${horizontal ? "bar" : "col"}"/>${grouping}<c:varyColors ` +
        `val="0"/>${series}<c:gapWidth ` +
        `val="60"/>${stacked ? '<c:overlap val="100"/>' : ""}${axes}</c:barChart>` +
        `${categoryAxis(chart)}${valueAxis(222, 111, horizontal ? "b" : "l", chart.yTitle)}`
      );
    default: {
      const name = type === "line" ? "lineChart" : "areaChart";
      return (
        `<c:${name}>${grouping}<c:varyColors ` +
        `val="0"/>${series}${axes}</c:${name}>${categoryAxis(chart)}` +
        `${valueAxis(222, 111, "l", chart.yTitle)}`
      );
    }
  }
}

/** @param {Chart} chart */
function categoryAxis({ horizontal, xTitle }) {
  return (
    '<c:catAx><c:axId val="111"/><c:scaling><c:orientation ' +
    `val="${horizontal ? "maxMin" : "minMax"}"/></c:scaling><c:delete val="0"/><c:axPos ` +
    `val="${horizontal ? "l" : "b"}"/>${xTitle === "" ? "" : titleXml(xTitle, 1000)}<c:numFmt ` +
    'formatCode="General" sourceLinked="1"/><c:majorTickMark val="none"/><c:minorTickMark ' +
    'val="none"/><c:tickLblPos val="low"/><c:crossAx val="222"/><c:crosses ' +
    'val="autoZero"/><c:auto val="0"/><c:lblAlgn val="ctr"/><c:lblOffset ' +
    'val="100"/><c:noMultiLvlLbl val="1"/></c:catAx>'
  );
}

/**
 * @param {number} id
 * @param {number} other
 * @param {string} side
 * @param {string} title
 */
function valueAxis(id, other, side, title) {
  return `<c:valAx><c:axId val="${id}"/><c:scaling><c:orientation \
val="minMax"/></c:scaling><c:delete val="0"/><c:axPos val="${side}"/>${
    side === "l" || id === 222
      ? '<c:majorGridlines><c:spPr><a:ln w="6350"><a:solidFill><a:srgbClr val="D9DEE5"/>' +
        "</a:solidFill></a:ln></c:spPr></c:majorGridlines>"
      : ""
  }${title === "" ? "" : titleXml(title, 1000)}<c:numFmt formatCode="#,##0.##" \
sourceLinked="0"/><c:majorTickMark val="none"/><c:minorTickMark val="none"/><c:tickLblPos \
val="nextTo"/><c:crossAx val="${other}"/><c:crosses \
val="${side === "b" && id === 222 ? "max" : "autoZero"}"/></c:valAx>`;
}

/**
 * @param {Chart} chart
 * @param {number} index
 * @param {string} sheet
 */
function seriesXml(chart, index, sheet) {
  const { type, source, categories } = chart;
  const series = chart.series[index];
  if (!source || !series) return "";
  const rows = source.table.rows.length;
  /** @param {number} column */
  const range = (column) =>
    xmlText(`${sheetReference(sheet)}!$${lettersOf(column)}$2:$${lettersOf(column)}$${rows + 1}`);
  const y = source.ys[index] ?? 0;
  const head = xmlText(`${sheetReference(sheet)}!$${lettersOf(y)}$1`);
  const name =
    `<c:tx><c:strRef><c:f>${head}</c:f><c:strCache><c:ptCount val="1"/><c:pt ` +
    `idx="0"><c:v>${xmlText(series.name)}</c:v></c:pt></c:strCache></c:strRef></c:tx>`;
  const values = `<c:numRef><c:f>${range(y)}</c:f>${numberCache(series.values)}</c:numRef>`;
  const begin =
    `<c:ser><c:idx val="${index}"/><c:order ` + `val="${index}"/>${name}${shapeXml(type, index)}`;
  if (type === "scatter")
    return (
      `${begin}<c:xVal><c:numRef><c:f>${range(source.x)}</c:f>${numberCache(chart.xs)}</c:numRef>` +
      `</c:xVal><c:yVal>${values}</c:yVal><c:smooth ` +
      'val="0"/></c:ser>'
    );
  const isNumbers = source.table.rows.every(
    (row) => typeof plain(row[source.x] ?? null) === "number",
  );
  // Categories are labels; dates too, as they are written in the cells.
  const labels = isNumbers
    ? `<c:numRef><c:f>${range(source.x)}</c:f>` +
      `${numberCache(source.table.rows.map((row) => Number(plain(row[source.x] ?? null))))}` +
      "</c:numRef>"
    : `<c:strRef><c:f>${range(source.x)}</c:f>${textCache(categories)}</c:strRef>`;
  const points = type === "pie" ? categories.map((_, at) => pointXml(at)).join("") : "";
  const end = type === "line" ? '<c:smooth val="0"/>' : "";
  const invert = type === "bar" ? '<c:invertIfNegative val="0"/>' : "";
  return `${begin}${invert}${points}<c:cat>${labels}</c:cat><c:val>${values}</c:val>${end}</c:ser>`;
}

/** @param {number} at */
function colourXml(at) {
  return `<a:solidFill><a:srgbClr val="${COLOURS[at % COLOURS.length]}"/></a:solidFill>`;
}

/** @param {number} at */
function pointXml(at) {
  return (
    `<c:dPt><c:idx val="${at}"/><c:bubble3D ` + `val="0"/><c:spPr>${colourXml(at)}</c:spPr></c:dPt>`
  );
}

/**
 * @param {Chart["type"]} type
 * @param {number} index
 */
function shapeXml(type, index) {
  if (type === "pie") return "";
  if (type === "line")
    return (
      `<c:spPr><a:ln w="28575">${colourXml(index)}</a:ln></c:spPr><c:marker><c:symbol ` +
      'val="none"/></c:marker>'
    );
  if (type === "scatter")
    return (
      '<c:spPr><a:ln w="28575"><a:noFill/></a:ln></c:spPr><c:marker><c:symbol ' +
      'val="circle"/><c:size ' +
      `val="6"/><c:spPr>${colourXml(index)}<a:ln><a:noFill/></a:ln></c:spPr></c:marker>`
    );
  return `<c:spPr>${colourXml(index)}</c:spPr>`;
}

/** @param {(number | null)[]} values */
function numberCache(values) {
  const points = values
    .map((value, at) =>
      value === null || Number.isNaN(value) ? "" : `<c:pt idx="${at}"><c:v>${value}</c:v></c:pt>`,
    )
    .join("");
  return (
    "<c:numCache><c:formatCode>General</c:formatCode><c:ptCount " +
    `val="${values.length}"/>${points}</c:numCache>`
  );
}

/** @param {string[]} texts */
function textCache(texts) {
  const points = texts
    .map((text, at) => `<c:pt idx="${at}"><c:v>${xmlText(text)}</c:v></c:pt>`)
    .join("");
  return `<c:strCache><c:ptCount val="${texts.length}"/>${points}</c:strCache>`;
}
