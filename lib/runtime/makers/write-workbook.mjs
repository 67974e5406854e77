import { strToU8, zipSync } from "fflate";
import { lettersOf, sheetReference } from "./cell-addresses.mjs";
import { chartPart } from "./chart-part.mjs";
import { readChart } from "./read-chart.mjs";
import { isRecord, plain, readTable, toTime, Unmakeable } from "./table.mjs";
import { XML_HEAD, xmlText } from "./xml.mjs";

/**
 * XLSX by hand: no kept package writes charts, and those that write cells alone take several times
 * as long for a hundred thousand of them.
 */

/** @typedef {import("./table.mjs").Table} Table */
/** @typedef {import("./table.mjs").Cell} Cell */
/** @typedef {import("./read-chart.mjs").Chart} Chart */
/**
 * @typedef {object} Sheet
 * @property {string} name
 * @property {Table} table
 * @property {(string | null)[]} formats of the columns; null: by their values
 * @property {Chart[]} charts
 */

const ROWS_MAX = 1_048_575;
const CELL_MAX_CHARACTERS = 32_767;
const SHEETS_MAX = 100;
const NAME_MAX_CHARACTERS = 31;
/** The first format that is no built-in one. */
const FIRST_FORMAT = 164;
const DATE_FORMAT = "yyyy-mm-dd";
const TIME_FORMAT = "yyyy-mm-dd hh:mm";
/** What a column's `format` may be called in place of a code. */
const FORMATS = new Map([
  ["date", DATE_FORMAT],
  ["datetime", TIME_FORMAT],
  ["integer", "#,##0"],
  ["number", "#,##0.00"],
  ["percent", "0.0%"],
  ["text", "@"],
]);

/**
 * @param {unknown} spec rows; or {rows, columns?, formats?, chart?}; or {sheets: [{name, …}]} or
 * {sheets: {Name: either}}
 * @returns {Uint8Array}
 */
export function writeWorkbook(spec) {
  const sheets = readSheets(spec);
  const styles = createStyles();
  const strings = createStrings();
  /** @type {Record<string, Uint8Array>} */
  const parts = {};
  let charts = 0;
  sheets.forEach((sheet, at) => {
    const number = at + 1;
    parts[`xl/worksheets/sheet${number}.xml`] = strToU8(sheetXml(sheet, styles, strings));
    if (sheet.charts.length === 0) return;
    const first = charts + 1;
    for (const chart of sheet.charts) {
      charts += 1;
      parts[`xl/charts/chart${charts}.xml`] = strToU8(chartPart(chart, sheet.name));
    }
    parts[`xl/worksheets/_rels/sheet${number}.xml.rels`] = relations([
      ["rId1", "drawing", `../drawings/drawing${number}.xml`],
    ]);
    parts[`xl/drawings/drawing${number}.xml`] = strToU8(drawingXml(sheet));
    parts[`xl/drawings/_rels/drawing${number}.xml.rels`] = relations(
      sheet.charts.map((_, index) => [
        `rId${index + 1}`,
        "chart",
        `../charts/chart${first + index}.xml`,
      ]),
    );
  });
  parts["xl/sharedStrings.xml"] = strToU8(strings.xml());
  parts["xl/styles.xml"] = strToU8(styles.xml());
  parts["xl/workbook.xml"] = strToU8(workbookXml(sheets));
  parts["xl/_rels/workbook.xml.rels"] = relations([
    ...sheets.map(
      (_, at) =>
        /** @type {[string, string, string]} */ ([
          `rId${at + 1}`,
          "worksheet",
          `worksheets/sheet${at + 1}.xml`,
        ]),
    ),
    ["rIdStyles", "styles", "styles.xml"],
    ["rIdStrings", "sharedStrings", "sharedStrings.xml"],
  ]);
  parts["_rels/.rels"] = relations([["rId1", "officeDocument", "xl/workbook.xml"]]);
  parts["[Content_Types].xml"] = strToU8(contentTypes(Object.keys(parts)));
  return zipSync(parts, { level: 4 });
}

/**
 * @param {unknown} spec
 * @returns {Sheet[]}
 */
function readSheets(spec) {
  const named = sheetsOf(spec);
  if (named.length === 0) throw new Unmakeable("A workbook needs at least one sheet.");
  if (named.length > SHEETS_MAX)
    throw new Unmakeable(`A workbook has at most ${SHEETS_MAX} sheets.`);
  /** @type {Set<string>} */
  const taken = new Set();
  return named.map(([name, value]) => readSheet(freeName(name, taken), value));
}

/**
 * @param {unknown} spec
 * @returns {[string, unknown][]}
 */
function sheetsOf(spec) {
  if (Array.isArray(spec)) return [["Sheet1", spec]];
  if (!isRecord(spec)) throw new Unmakeable(WORKBOOK_FORM);
  if (spec.rows !== undefined) return [["Sheet1", spec]];
  const { sheets = spec } = spec;
  if (isRecord(sheets)) return Object.entries(sheets);
  if (!Array.isArray(sheets)) throw new Unmakeable(WORKBOOK_FORM);
  return sheets.map((sheet, at) => [
    isRecord(sheet) && typeof sheet.name === "string" ? sheet.name : `Sheet${at + 1}`,
    sheet,
  ]);
}

const WORKBOOK_FORM =
  'A workbook is rows, or {sheets: [{name: "Data", rows}, {name: "Summary", rows, chart: {type: ' +
  '"bar", x: "month", y: "sales"}}]}.';

/**
 * @param {string} name
 * @param {unknown} value
 * @returns {Sheet}
 */
function readSheet(name, value) {
  const place = `the sheet ${name}`;
  const spec = isRecord(value) ? value : { rows: value };
  const table = readTable(spec.rows, `rows of ${place}`, spec.columns);
  if (table.rows.length > ROWS_MAX)
    throw new Unmakeable(`${place} has ${table.rows.length} rows; ${ROWS_MAX} is the most.`);
  const charts = [spec.chart ?? [], spec.charts ?? []]
    .flat()
    .map((chart, at) => readChart(chart, `chart ${at + 1} of ${place}`, table));
  for (const chart of charts)
    if (chart.source?.table !== table)
      throw new Unmakeable(
        `A chart of ${place} shows the rows of its sheet: leave data out, or put the rows and ` +
          "the chart on a sheet of their own.",
      );
  return { name, table, formats: readFormats(spec.formats, table, place), charts };
}

/**
 * @param {unknown} value
 * @param {Table} table
 * @param {string} place
 */
function readFormats(value, table, place) {
  if (value === undefined) return table.columns.map(() => null);
  if (!isRecord(value))
    throw new Unmakeable(
      `formats of ${place} must be {column: "0.00"}, or ${[...FORMATS.keys()].join(", ")}.`,
    );
  for (const name of Object.keys(value))
    if (!table.columns.includes(name))
      throw new Unmakeable(`formats of ${place}: there is no column ${JSON.stringify(name)}.`);
  return table.columns.map((name) => {
    const format = Object.hasOwn(value, name) ? value[name] : undefined;
    return typeof format === "string" ? (FORMATS.get(format) ?? format) : null;
  });
}

/**
 * A name that Excel takes and no other sheet has.
 * @param {string} name
 * @param {Set<string>} taken
 */
function freeName(name, taken) {
  const clean =
    name
      .replace(/[[\]:*?/\\]/g, " ")
      .replaceAll("'", "’")
      .trim()
      .slice(0, NAME_MAX_CHARACTERS)
      .toWellFormed() || "Sheet";
  let free = clean;
  for (let at = 2; taken.has(free.toLowerCase()); at += 1)
    free = `${clean.slice(0, NAME_MAX_CHARACTERS - 4)} ${at}`;
  taken.add(free.toLowerCase());
  return free;
}

/** @typedef {ReturnType<typeof createStyles>} Styles */
/** @typedef {ReturnType<typeof createStrings>} Strings */

/** Number formats in use, and the style of each: 0 is plain, 1 the head. */
function createStyles() {
  /** @type {Map<string, number>} */
  const byFormat = new Map();
  return {
    HEAD: 1,
    /** @param {string} format */
    of(format) {
      const known = byFormat.get(format);
      if (known !== undefined) return known;
      const style = byFormat.size + 2;
      byFormat.set(format, style);
      return style;
    },
    xml() {
      const formats = [...byFormat.keys()];
      const numFmts = formats
        .map(
          (code, at) => `<numFmt numFmtId="${FIRST_FORMAT + at}" formatCode="${xmlText(code)}"/>`,
        )
        .join("");
      const xfs = formats
        .map(
          (_, at) =>
            `<xf numFmtId="${FIRST_FORMAT + at}" fontId="0" fillId="0" borderId="0" xfId="0" ` +
            'applyNumberFormat="1"/>',
        )
        .join("");
      return `${XML_HEAD}<styleSheet \
xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main">${
        formats.length > 0 ? `<numFmts count="${formats.length}">${numFmts}</numFmts>` : ""
      }<fonts count="2"><font><sz val="11"/><name val="Calibri"/><family \
val="2"/></font><font><b/><sz val="11"/><color rgb="FFFFFFFF"/><name val="Calibri"/><family \
val="2"/></font></fonts><fills count="3"><fill><patternFill \
patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill><fill><patternFill \
patternType="solid"><fgColor rgb="FF1F3A5F"/><bgColor \
indexed="64"/></patternFill></fill></fills><borders \
count="1"><border><left/><right/><top/><bottom/><diagonal/></border></borders><cellStyleXfs \
count="1"><xf numFmtId="0" fontId="0" fillId="0" borderId="0"/></cellStyleXfs><cellXfs count="${
        formats.length + 2
      }"><xf numFmtId="0" fontId="0" fillId="0" borderId="0" xfId="0"/><xf numFmtId="0" fontId="1" \
fillId="2" borderId="0" xfId="0" applyFont="1" applyFill="1" applyAlignment="1"><alignment \
vertical="center"/></xf>${xfs}</cellXfs><cellStyles count="1"><cellStyle name="Normal" xfId="0" \
builtinId="0"/></cellStyles></styleSheet>`;
    },
  };
}

function createStrings() {
  /** @type {Map<string, number>} */
  const places = new Map();
  let uses = 0;
  return {
    /** @param {string} text */
    of(text) {
      uses += 1;
      const known = places.get(text);
      if (known !== undefined) return known;
      places.set(text, places.size);
      return places.size - 1;
    },
    xml() {
      const items = [];
      for (const text of places.keys())
        items.push(
          `<si><t${/^\s|\s$|\n/.test(text) ? ' xml:space="preserve"' : ""}>${xmlText(text)}</t>` +
            "</si>",
        );
      return (
        `${XML_HEAD}<sst xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main" ` +
        `count="${uses}" uniqueCount="${places.size}">${items.join("")}</sst>`
      );
    },
  };
}

/**
 * @param {Sheet} sheet
 * @param {Styles} styles
 * @param {Strings} strings
 */
function sheetXml(sheet, styles, strings) {
  const { table, formats } = sheet;
  const letters = table.columns.map((_, at) => lettersOf(at));
  const columnStyles = formats.map((format) => (format === null ? null : styles.of(format)));
  const rows = [
    "<row " +
      'r="1">' +
      table.columns
        .map(
          (name, at) =>
            `<c r="${letters[at]}1" t="s" s="${styles.HEAD}"><v>${strings.of(cut(name))}</v></c>`,
        )
        .join("") +
      "</row>",
  ];
  table.rows.forEach((row, index) => {
    const number = index + 2;
    let cells = "";
    for (let at = 0; at < row.length; at += 1)
      cells += cellXml(
        row[at] ?? null,
        `${letters[at]}${number}`,
        columnStyles[at] ?? null,
        styles,
        strings,
      );
    rows.push(`<row r="${number}">${cells}</row>`);
  });
  const last = `${letters.at(-1) ?? "A"}${table.rows.length + 1}`;
  const hasCells = table.columns.length > 0;
  return [
    XML_HEAD,
    '<worksheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main" ' +
      'xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships">',
    // On paper, and in what turns it into a PDF, no column and no chart is cut at a page's edge.
    '<sheetPr><pageSetUpPr fitToPage="1"/></sheetPr>',
    `<dimension ref="A1:${last}"/>`,
    '<sheetViews><sheetView workbookViewId="0"><pane ySplit="1" topLeftCell="A2" ' +
      'activePane="bottomLeft" state="frozen"/></sheetView></sheetViews>',
    hasCells ? `<cols>${widths(table)}</cols>` : "",
    `<sheetData>${rows.join("")}</sheetData>`,
    hasCells && table.rows.length > 0 ? `<autoFilter ref="A1:${last}"/>` : "",
    '<pageSetup orientation="landscape" fitToWidth="1" fitToHeight="0"/>',
    sheet.charts.length > 0 ? '<drawing r:id="rId1"/>' : "",
    "</worksheet>",
  ].join("");
}

/**
 * @param {Cell} cell
 * @param {string} address
 * @param {number | null} style
 * @param {Styles} styles
 * @param {Strings} strings
 */
function cellXml(cell, address, style, styles, strings) {
  const s = style === null ? "" : ` s="${style}"`;
  if (cell === null) return style === null ? "" : `<c r="${address}"${s}/>`;
  if (typeof cell === "number") return `<c r="${address}"${s}><v>${cell}</v></c>`;
  if (typeof cell === "boolean") return `<c r="${address}" t="b"${s}><v>${cell ? 1 : 0}</v></c>`;
  if (typeof cell === "object") return formulaXml(cell, address, s);
  const time = toTime(cell);
  // Excel's calendar begins in 1900, with a day too many before March.
  const serial = time === null ? 0 : time / 86_400_000 + 25_569;
  if (time !== null && serial >= 61 && style !== styles.of("@")) {
    const format = Number.isInteger(serial) ? DATE_FORMAT : TIME_FORMAT;
    return `<c r="${address}" s="${style ?? styles.of(format)}"><v>${serial}</v></c>`;
  }
  return `<c r="${address}" t="s"${s}><v>${strings.of(cut(cell))}</v></c>`;
}

/** What reaches out of the workbook, by which its content could leave it when it is opened. */
const REACHING = new Set(
  (
    "WEBSERVICE HYPERLINK IMAGE RTD DDE CALL REGISTER REGISTER.ID STOCKHISTORY SQL.REQUEST " +
    "FILTERXML INDIRECT EXEC XLQUERY COPILOT PY TRANSLATE EVALUATE INFO"
  ).split(" "),
);
const REACHING_KINDS = ["IMPORT", "CUBE", "GOOGLE"];
/** Other files, programs, addresses. */
const REACHING_SIGNS = ["[", "|", "://", "\\\\"];
const FORMULA_MAX_CHARACTERS = 8_000;

/**
 * @param {{ formula: string, value?: unknown }} cell
 * @param {string} address
 * @param {string} style
 */
function formulaXml(cell, address, style) {
  const formula = cell.formula.replace(/^=/, "");
  if (formula.length > FORMULA_MAX_CHARACTERS || reachesOut(formula))
    throw new Unmakeable(
      `The formula of ${address} is refused: formulas compute on their own workbook alone (no ` +
        "links, no web, no other files, no INDIRECT).",
    );
  const value = plain(cell);
  const type = typeof value === "string" ? ' t="str"' : typeof value === "boolean" ? ' t="b"' : "";
  const given =
    value === null
      ? ""
      : `<v>${xmlText(typeof value === "boolean" ? String(Number(value)) : String(value))}</v>`;
  return `<c r="${address}"${type}${style}><f>${xmlText(formula)}</f>${given}</c>`;
}

/** @param {string} formula */
function reachesOut(formula) {
  if (REACHING_SIGNS.some((sign) => formula.includes(sign))) return true;
  const words = formula.toUpperCase().match(/[A-Z_.\d]+/g) ?? [];
  return words.some((word) => {
    // Newer functions are stored with prefixes.
    const name = word.split("_XLFN.").join("").split("_XLWS.").join("");
    return REACHING.has(name) || REACHING_KINDS.some((kind) => name.startsWith(kind));
  });
}

/** @param {string} text */
function cut(text) {
  return text.length > CELL_MAX_CHARACTERS
    ? text.slice(0, CELL_MAX_CHARACTERS).toWellFormed()
    : text;
}

const MEASURED_ROWS = 200;

/** @param {Table} table */
function widths(table) {
  return table.columns
    .map((name, at) => {
      let longest = name.length + 3; // room for the arrow of the filter
      for (const row of table.rows.slice(0, MEASURED_ROWS)) {
        const value = plain(row[at] ?? null);
        const length =
          typeof value === "string" && toTime(value) !== null ? 11 : String(value ?? "").length;
        longest = Math.max(longest, length + 1);
      }
      const width = Math.min(60, Math.max(8, longest));
      return `<col min="${at + 1}" max="${at + 1}" width="${width}" customWidth="1"/>`;
    })
    .join("");
}

const CHART_COLUMNS = 9;
const CHART_ROWS = 20;

/** Charts stand beside the table, one below the other. @param {Sheet} sheet */
function drawingXml({ table, charts }) {
  const column = table.columns.length + 1;
  const anchors = charts.map((chart, at) => {
    const row = 1 + at * (CHART_ROWS + 1);
    return (
      `<xdr:twoCellAnchor><xdr:from><xdr:col>${column}</xdr:col><xdr:colOff>0</xdr:colOff>` +
      `<xdr:row>${row}</xdr:row><xdr:rowOff>0</xdr:rowOff></xdr:from><xdr:to><xdr:col>` +
      `${column + CHART_COLUMNS}</xdr:col><xdr:colOff>0</xdr:colOff><xdr:row>${row + CHART_ROWS}` +
      "</xdr:row><xdr:rowOff>0</xdr:rowOff></xdr:to><xdr:graphicFrame " +
      `macro=""><xdr:nvGraphicFramePr><xdr:cNvPr id="${at + 2}" name="Chart ${at + 1}" ` +
      `descr="${xmlText(chart.title)}"/><xdr:cNvGraphicFramePr/></xdr:nvGraphicFramePr><xdr:xfrm>` +
      "<a:off " +
      'x="0" y="0"/><a:ext cx="0" cy="0"/></xdr:xfrm><a:graphic><a:graphicData ' +
      'uri="http://schemas.openxmlformats.org/drawingml/2006/chart"><c:chart ' +
      'xmlns:c="http://schemas.openxmlformats.org/drawingml/2006/chart" ' +
      `r:id="rId${at + 1}"/></a:graphicData></a:graphic></xdr:graphicFrame><xdr:clientData/>` +
      "</xdr:twoCellAnchor>"
    );
  });
  return (
    `${XML_HEAD}<xdr:wsDr ` +
    'xmlns:xdr="http://schemas.openxmlformats.org/drawingml/2006/spreadsheetDrawing" ' +
    'xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main" ' +
    'xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships">' +
    `${anchors.join("")}</xdr:wsDr>`
  );
}

/** @param {Sheet[]} sheets */
function workbookXml(sheets) {
  const list = sheets
    .map(
      ({ name }, at) => `<sheet name="${xmlText(name)}" sheetId="${at + 1}" r:id="rId${at + 1}"/>`,
    )
    .join("");
  // Without it a filter is not the one that Excel itself makes, and some readers complain.
  const filters = sheets
    .map(({ name, table }, at) =>
      table.rows.length > 0 && table.columns.length > 0
        ? `<definedName name="_xlnm._FilterDatabase" localSheetId="${at}" ` +
          `hidden="1">${xmlText(sheetReference(name))}!$A$1:$` +
          `${lettersOf(table.columns.length - 1)}$${table.rows.length + 1}</definedName>`
        : "",
    )
    .join("");
  return (
    `${XML_HEAD}<workbook xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main" ` +
    'xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"><sheets>' +
    `${list}</sheets>${filters === "" ? "" : `<definedNames>${filters}</definedNames>`}<calcPr ` +
    'calcId="191029" fullCalcOnLoad="1"/></workbook>'
  );
}

/** @param {[id: string, type: string, target: string][]} list */
function relations(list) {
  const items = list
    .map(
      ([id, type, target]) =>
        `<Relationship Id="${id}" ` +
        `Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/${type}" ` +
        `Target="${target}"/>`,
    )
    .join("");
  return strToU8(
    `${XML_HEAD}<Relationships ` +
      `xmlns="http://schemas.openxmlformats.org/package/2006/relationships">${items}` +
      "</Relationships>",
  );
}

/** @type {[RegExp, string][]} */
const PART_TYPES = [
  [/^xl\/workbook\.xml$/, "spreadsheetml.sheet.main"],
  [/^xl\/worksheets\/[^/]+\.xml$/, "spreadsheetml.worksheet"],
  [/^xl\/sharedStrings\.xml$/, "spreadsheetml.sharedStrings"],
  [/^xl\/styles\.xml$/, "spreadsheetml.styles"],
  [/^xl\/drawings\/[^/]+\.xml$/, "drawing"],
  [/^xl\/charts\/[^/]+\.xml$/, "drawingml.chart"],
];

/** @param {string[]} names */
function contentTypes(names) {
  const overrides = names.flatMap((name) => {
    const type = PART_TYPES.find(([pattern]) => pattern.test(name))?.[1];
    return type === undefined
      ? []
      : [
          `<Override PartName="/${name}" ` +
            `ContentType="application/vnd.openxmlformats-officedocument.${type}+xml"/>`,
        ];
  });
  return (
    `${XML_HEAD}<Types ` +
    'xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default ' +
    'Extension="rels" ' +
    'ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default ' +
    `Extension="xml" ContentType="application/xml"/>${overrides.join("")}</Types>`
  );
}
