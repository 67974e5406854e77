import { join, relative } from "node:path";
import pg from "pg";
import ts from "typescript";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createTestDatabase } from "@/lib/storage/test-database";

/**
 * Every `query<Row>(…)` of the service: PostgreSQL describes the statement, and its columns are
 * compared with what the code says of a row. Statements are found by their text, which must be
 * constant; the few that are put together at run time are listed here, so that none can be
 * forgotten.
 */
const PUT_TOGETHER = [
  // Its columns are what is grouped by: group-usage.db.test.ts reads each.
  "lib/domain/account/group-usage.ts",
  // One of two, by what made the token: client-tokens.db.test.ts reads both.
  "lib/domain/client-tokens/authenticate-client-token.ts",
  "lib/domain/admin/check-invariants.ts", // each invariant's columns are printed as they come
  // Its statements stand in lists; each gives an id and a line.
  "lib/domain/end-users/export-end-user.ts",
  // Its statements stand in a list; the keys are all that is read.
  "lib/domain/retention/sweep-kept.ts",
  "lib/domain/runs/trace-spans.ts", // with or without what went in and came out, by who reads
  "lib/platform/pipelined-reads.ts", // whoever asks says the row
  "lib/platform/call-sql.ts", // its rows are the catalogue's: sql-source.db.test.ts
];

interface Statement {
  place: string;
  text: string;
  row: ts.Type;
}

const ROOT = join(import.meta.dirname, "../..");
let program: ts.Program;
let checker: ts.TypeChecker;
let database: Awaited<ReturnType<typeof createTestDatabase>>;
let client: pg.Client;
let found: ReturnType<typeof findStatements>;

beforeAll(async () => {
  const host = { ...ts.sys, onUnRecoverableConfigFileDiagnostic: () => {} };
  const config = ts.getParsedCommandLineOfConfigFile(
    join(ROOT, "tsconfig.json"),
    { noEmit: true },
    host,
  );
  const files =
    config?.fileNames.filter(
      (file) => /\/lib\//.test(file) && !/\.test\.ts$|\/generated\/|\/test\//.test(file),
    ) ?? [];
  program = ts.createProgram(files, config?.options ?? {});
  checker = program.getTypeChecker();
  found = findStatements(new Set(files));
  // What modules compute at their start, from their noun's table of fields, is there once they are
  // loaded.
  for (const file of toLoad) loaded.set(file, await import(file));
  found = findStatements(new Set(files));
  database = await createTestDatabase();
  client = new pg.Client({ connectionString: database.url });
  await client.connect();
});

afterAll(async () => {
  await client?.end();
  await database?.drop();
});

test("every row read by plain SQL has the columns and types that PostgreSQL says", async () => {
  expect(found.statements.length).toBeGreaterThan(140);
  const faults: string[] = [];
  for (const statement of found.statements) faults.push(...(await faultsOf(statement)));
  expect(faults).toEqual([]);
}, 60_000);

test("no statement of unknown text asserts its row, but for those that are listed", () => {
  expect(
    found.unknown.filter((place) => !PUT_TOGETHER.some((file) => place.startsWith(file))),
  ).toEqual([]);
});

/** What the row's type says otherwise than the database, in words. */
async function faultsOf({ place, text, row }: Statement): Promise<string[]> {
  const columns = new Map((await describeColumns(text)).map((column) => [column.name, column]));
  const faults: string[] = [];
  for (const property of checker.getPropertiesOfType(row)) {
    const type = checker.getTypeOfSymbol(property);
    const column = columns.get(property.name);
    if (!column) {
      if (!(property.flags & ts.SymbolFlags.Optional))
        faults.push(`${place}: the statement has no column ${property.name}`);
      continue;
    }
    const parts = type.isUnion() ? type.types : [type];
    const isNullable = parts.some(
      (part) => part.flags & (ts.TypeFlags.Null | ts.TypeFlags.Unknown | ts.TypeFlags.Any),
    );
    const values = parts.filter(
      (part) => !(part.flags & (ts.TypeFlags.Null | ts.TypeFlags.Undefined)),
    );
    if (!values.every((part) => fits(part, column.type)))
      faults.push(
        `${place}: ${property.name} is ${column.type}, not ${checker.typeToString(type)}`,
      );
    if (column.nullable && !isNullable && !isGiven(text, column))
      faults.push(
        `${place}: ${property.name} may be null, which ${checker.typeToString(type)} leaves out`,
      );
  }
  return faults;
}

/**
 * Whether the statement sets the column or compares it, so that no row has null there. Prisma
 * writes a list as a whole, an empty one too.
 */
function isGiven(text: string, { source, type }: Column): boolean {
  return (
    type.endsWith("[]") || new RegExp(`\\b${source} (IS NOT NULL|=|<=?|>=?) `).test(`${text} `)
  );
}

/**
 * Whether a value of PostgreSQL's `type`, as the driver reads it, is one of TypeScript's `part`.
 */
function fits(part: ts.Type, type: string): boolean {
  if (part.flags & (ts.TypeFlags.Unknown | ts.TypeFlags.Any)) return true;
  if (type.endsWith("[]")) {
    const [element] = checker.isArrayType(part)
      ? checker.getTypeArguments(part as ts.TypeReference)
      : []; // an array's type is a reference
    return (
      element !== undefined &&
      (element.isUnion() ? element.types : [element]).every((each) => fits(each, type.slice(0, -2)))
    );
  }
  if (/^jsonb?$/.test(type)) return true;
  if (/^(smallint|integer|real|double precision|oid)$/.test(type))
    return Boolean(part.flags & ts.TypeFlags.NumberLike);
  if (type === "boolean") return Boolean(part.flags & ts.TypeFlags.BooleanLike);
  if (/^(timestamp|date)/.test(type)) return part.symbol?.name === "Date";
  if (type === "bytea") return /^(Buffer|Uint8Array)$/.test(part.symbol?.name ?? "");
  // Text, uuid, enumerations; also bigint and numeric, whose values a number may not hold.
  return Boolean(part.flags & ts.TypeFlags.StringLike);
}

interface Column {
  name: string;
  type: string;
  nullable: boolean;
  /** The table's column that it comes from, if it is one. */
  source: string | null;
}

/**
 * What PostgreSQL says of a statement's columns, without executing it. @throws Error with the
 * statement when it is refused
 */
async function describeColumns(text: string): Promise<Column[]> {
  const fields = await new Promise<pg.FieldDef[]>((resolve, reject) => {
    let described: pg.FieldDef[] = [];
    let refused: Error | null = null;
    // What the driver asks of a query of one's own; its types know only finished ones.
    const query = {
      submit(connection: {
        parse(query: object): void;
        describe(what: object): void;
        sync(): void;
      }) {
        connection.parse({ text, types: [] });
        connection.describe({ type: "S", name: "" });
        connection.sync();
      },
      handleRowDescription: (message: { fields: pg.FieldDef[] }) => {
        described = message.fields;
      },
      handleError: (error: Error) => {
        refused = error;
      },
      handleReadyForQuery: () =>
        refused ? reject(new Error(`${text}\n${refused.message}`)) : resolve(described),
    };
    client.query(query as unknown as pg.Submittable); // as above
  });
  const { rows } = await client.query<Column>(
    `SELECT f.name, format_type(CASE WHEN t.typtype = 'd' THEN t.typbasetype ELSE t.oid END,
       NULL) AS type,
       c.relkind = 'r' AND NOT a.attnotnull AS nullable, a.attname AS source
     FROM unnest($1::text[], $2::oid[], $3::oid[],
       $4::int[]) WITH ORDINALITY AS f(name, type, "table", number, place)
     JOIN pg_type t ON t.oid = f.type LEFT JOIN pg_class c ON c.oid = f."table"
       LEFT JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum = f.number ORDER BY f.place`,
    [
      fields.map(({ name }) => name),
      fields.map(({ dataTypeID }) => dataTypeID),
      fields.map(({ tableID }) => tableID),
      fields.map(({ columnID }) => columnID),
    ],
  );
  return rows;
}

/**
 * All typed calls of `query` in `files`, with each text that they may send; `unknown`: places whose
 * text is not constant.
 */
function findStatements(files: ReadonlySet<string>): {
  statements: Statement[];
  unknown: string[];
} {
  const statements: Statement[] = [];
  const unknown: string[] = [];
  for (const source of program.getSourceFiles()) {
    if (!files.has(source.fileName)) continue;
    const visit = (node: ts.Node): void => {
      ts.forEachChild(node, visit);
      if (
        !ts.isCallExpression(node) ||
        !ts.isPropertyAccessExpression(node.expression) ||
        node.expression.name.text !== "query"
      )
        return;
      const [rowNode] = node.typeArguments ?? [];
      const [argument] = node.arguments;
      if (!rowNode || !argument) return;
      const place =
        `${relative(ROOT, source.fileName)}:` +
        `${source.getLineAndCharacterOfPosition(node.getStart()).line + 1}`;
      const texts = textsOf(argument, new Map());
      if (texts === null) unknown.push(place);
      else
        for (const text of texts)
          statements.push({ place, text, row: checker.getTypeFromTypeNode(rowNode) });
    };
    visit(source);
  }
  return { statements, unknown };
}

type Bindings = ReadonlyMap<ts.Symbol, readonly string[]>;

/**
 * The texts that an expression may be, a statement's configuration by its `text`; null when they
 * are not known before the program runs.
 */
function textsOf(node: ts.Expression, bound: Bindings): readonly string[] | null {
  if (ts.isStringLiteralLike(node) || ts.isNumericLiteral(node)) return [node.text];
  if (
    ts.isParenthesizedExpression(node) ||
    ts.isAsExpression(node) ||
    ts.isSatisfiesExpression(node)
  )
    return textsOf(node.expression, bound);
  if (ts.isTemplateExpression(node)) return textsOfTemplate(node, bound);
  if (ts.isConditionalExpression(node))
    return both(textsOf(node.whenTrue, bound), textsOf(node.whenFalse, bound));
  if (ts.isObjectLiteralExpression(node)) return textsOfConfiguration(node, bound);
  if (ts.isBinaryExpression(node)) return textsOfSum(node, bound);
  if (ts.isCallExpression(node)) return textsOfCall(node, bound);
  if (!ts.isIdentifier(node) && !ts.isPropertyAccessExpression(node)) return null;
  const symbol = resolve(node);
  return (
    (symbol && textsOfSymbol(symbol, bound)) ??
    literalsOf(checker.getTypeAtLocation(node)) ??
    textsOfComputed(node)
  );
}

/** Modules with exported constants that are computed, and what these came to. */
const toLoad = new Set<string>();
const loaded = new Map<string, object>();

/** An exported constant of a module, or a part of one, as it is while the service runs. */
function textsOfComputed(node: ts.Expression): readonly string[] | null {
  const isPart = ts.isPropertyAccessExpression(node);
  const declaration = resolve(isPart ? node.expression : node)?.valueDeclaration;
  if (!declaration || !ts.isVariableDeclaration(declaration)) return null;
  const statement = declaration.parent.parent;
  if (!ts.isVariableStatement(statement) || !ts.isSourceFile(statement.parent)) return null;
  if (!statement.modifiers?.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword)) return null;
  if (!checker.isTypeAssignableTo(checker.getTypeAtLocation(node), checker.getStringType()))
    return null;
  const file = declaration.getSourceFile().fileName;
  toLoad.add(file);
  const value = Reflect.get(loaded.get(file) ?? {}, declaration.name.getText());
  const text = isPart ? Reflect.get(value ?? {}, node.name.text) : value;
  return typeof text === "string" ? [text] : null;
}

function textsOfSymbol(symbol: ts.Symbol, bound: Bindings): readonly string[] | null {
  const declaration = symbol.valueDeclaration;
  if (
    declaration &&
    (ts.isVariableDeclaration(declaration) || ts.isPropertyAssignment(declaration)) &&
    declaration.initializer
  )
    return textsOf(declaration.initializer, bound);
  return (
    bound.get(symbol) ??
    (declaration && ts.isParameter(declaration) ? textsOfParameter(declaration) : null)
  );
}

/** What a function's callers give for a parameter, and its default. */
function textsOfParameter(parameter: ts.ParameterDeclaration): readonly string[] | null {
  const place = parameter.parent.parameters.indexOf(parameter);
  let texts: readonly string[] | null = parameter.initializer
    ? textsOf(parameter.initializer, new Map())
    : [];
  for (const argument of callsOf(parameter.parent).map((call) => call.arguments[place]))
    if (argument) texts = both(texts, textsOf(argument, new Map()));
  return texts?.length ? texts : null;
}

/**
 * The calls of a function within its own file: none that takes a statement is called from
 * elsewhere.
 */
function callsOf(made: ts.SignatureDeclaration): ts.CallExpression[] {
  const calls: ts.CallExpression[] = [];
  const visit = (node: ts.Node): void => {
    ts.forEachChild(node, visit);
    if (ts.isCallExpression(node) && checker.getResolvedSignature(node)?.declaration === made)
      calls.push(node);
  };
  visit(made.getSourceFile());
  return calls;
}

/** A value whose type is one literal, or one of several. */
function literalsOf(type: ts.Type): readonly string[] | null {
  const parts = type.isUnion() ? type.types : [type];
  return parts.every((part) => part.isStringLiteral())
    ? parts.map((part) => (part.isStringLiteral() ? part.value : ""))
    : null;
}

function resolve(node: ts.Node): ts.Symbol | undefined {
  const symbol = checker.getSymbolAtLocation(node);
  return symbol && symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol;
}

function both(
  left: readonly string[] | null,
  right: readonly string[] | null,
): readonly string[] | null {
  return left && right && [...left, ...right];
}

function textsOfTemplate(node: ts.TemplateExpression, bound: Bindings): readonly string[] | null {
  let texts: readonly string[] = [node.head.text];
  for (const { expression, literal } of node.templateSpans) {
    const parts = textsOf(expression, bound);
    if (!parts) return null;
    texts = texts.flatMap((text) => parts.map((part) => text + part + literal.text));
  }
  return texts;
}

function textsOfSum(node: ts.BinaryExpression, bound: Bindings): readonly string[] | null {
  const [left, right] = [textsOf(node.left, bound), textsOf(node.right, bound)];
  if (!left || !right) return null;
  const isNumber = Boolean(checker.getTypeAtLocation(node).flags & ts.TypeFlags.NumberLike);
  // A number's value changes no column.
  if (isNumber) return ["1"];
  return node.operatorToken.kind === ts.SyntaxKind.PlusToken
    ? left.flatMap((head) => right.map((tail) => head + tail))
    : null;
}

/** `{ text }`, or the text of what is spread into it. */
function textsOfConfiguration(
  node: ts.ObjectLiteralExpression,
  bound: Bindings,
): readonly string[] | null {
  for (const property of node.properties) {
    if (ts.isSpreadAssignment(property)) return textsOf(property.expression, bound);
    if (property.name?.getText() !== "text") continue;
    if (ts.isPropertyAssignment(property)) return textsOf(property.initializer, bound);
    const symbol =
      ts.isShorthandPropertyAssignment(property) &&
      checker.getShorthandAssignmentValueSymbol(property);
    if (symbol) return textsOfSymbol(symbol, bound);
  }
  return null;
}

/** `text.trim()`, `text.replace(…)`, and a function that is one expression. */
function textsOfCall(node: ts.CallExpression, bound: Bindings): readonly string[] | null {
  if (
    ts.isPropertyAccessExpression(node.expression) &&
    /^(trim|replace)$/.test(node.expression.name.text)
  ) {
    const texts = textsOf(node.expression.expression, bound);
    const [from = "", to = ""] = node.arguments.map((argument) => textsOf(argument, bound)?.[0]);
    return texts?.map((text) => text.replace(from, to).trim()) ?? null;
  }
  const declaration = resolve(node.expression)?.valueDeclaration;
  const made =
    declaration && ts.isVariableDeclaration(declaration) ? declaration.initializer : declaration;
  if (!made || !(ts.isArrowFunction(made) || ts.isFunctionDeclaration(made))) return null;
  const inner = new Map(bound);
  for (const [index, parameter] of made.parameters.entries()) {
    const argument = node.arguments[index];
    const symbol = checker.getSymbolAtLocation(parameter.name);
    const texts = argument && textsOf(argument, bound);
    if (symbol && texts) inner.set(symbol, texts);
  }
  if (made.body && !ts.isBlock(made.body)) return textsOf(made.body, inner);
  const returned = made.body?.statements.find(ts.isReturnStatement)?.expression;
  return returned ? textsOf(returned, inner) : null;
}
