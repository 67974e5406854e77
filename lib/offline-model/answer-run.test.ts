import { describe, expect, it } from "vitest";
import { z } from "zod";
import { makePdf, makeXlsx } from "@/e2e/support/make-documents";
import { readSchema } from "./fill-output";
import { MADE_UP_FILES } from "./test/made-up-files";
import { dataSet, runOffline } from "./test/offline-run";

const berths = { "berths.csv": MADE_UP_FILES["berths.csv"] };
const todoSchema = z.object({ items: z.array(z.object({ done: z.boolean() })) });
const todosOf = (run: Awaited<ReturnType<typeof runOffline>>) => {
  const lists = run.calls.flatMap(({ name, input }) =>
    name === "todo" ? [todoSchema.parse(input)] : [],
  );
  return lists.at(-1)?.items.map(({ done }) => done);
};

describe("a run of the offline model", () => {
  it.each([
    "Give me the highest price for each symbol.",
    "What is the highest price per symbol?",
    "the highest price of each symbol",
  ])(
    "gives an extreme of each group, and ranks no figures by their groups: %s",
    async (request) => {
      const { text } = await runOffline({
        files: { "stocks.csv": dataSet("stocks.csv") },
        input: { request },
      });
      expect(text).toContain("| MSFT | 43.22 | 123 |");
      expect(text).toContain("| AAPL | 223.02 | 123 |");
    },
  );

  it("takes no `per` of a question for a part of a column's name", async () => {
    const files = {
      "cars.csv": "Miles_per_Gallon,Cylinders,Horsepower\n18,8,130\n20,8,150\n30,4,90\n",
    };
    const run = await runOffline({ files, input: { request: "highest Horsepower per Cylinders" } });
    expect(run.text).not.toContain("Miles_per_Gallon:");
    expect(run.text).not.toContain("Highest Cylinders");
  });

  it("follows a skill's steps, ticks each that it did and makes the report", async () => {
    const skill =
      "# Desk\n\n## Steps\n\n1. Read the CSV file\n2. Compute the average crew per berth\n" +
      "3. Write a short report\n\n## Rules\n\n- Be exact.\n";
    const run = await runOffline({
      files: { ...berths, "notes.md": "Nothing." },
      skill,
      input: {},
    });
    expect(run.text).toContain("| East Pier | 9.50 | 2 |");
    expect(run.artifacts).toMatchObject([
      {
        name: "test-agent.md",
        type: "text/markdown",
        content: expect.stringContaining("| East Pier | 9.50 |"),
      },
    ]);
    expect(todosOf(run)).toEqual([true, true, true]);
  });

  it("ticks nothing that it did not do, and says of each step why", async () => {
    const skill =
      "# Desk\n\n## Steps\n\n1. Read the CSV file\n2. Compute the average crew per berth\n" +
      "3. Send the result by send_mail to bob@example.com\n4. Write a haiku about it\n" +
      "5. Search the web for prices\n";
    const run = await runOffline({ files: berths, skill, input: {}, connectors: ["send_mail"] });
    expect(todosOf(run)).toEqual([true, true, false, false, false]);
    expect(run.text).toContain("calls no connectors, so `send_mail` was not called");
    for (const words of ["Send the result by send_mail", "Write a haiku", "Search the web"])
      expect(run.text).toMatch(new RegExp(`Not done:[\\s\\S]*${words}`));
  });

  it("does nothing and ticks nothing when a named file is not there", async () => {
    const skill =
      "# Desk\n\n## Steps\n\n1. Read the CSV file\n2. Compute the average crew per berth\n";
    const run = await runOffline({ files: berths, skill, input: { request: "Use sales.csv" } });
    expect(run.text).toMatch(/no file `sales.csv`[\s\S]*`berths.csv`/);
    expect(run.calls.map(({ name }) => name)).not.toContain("run_javascript");
    expect(todosOf(run)).toEqual([false, false, false]);
  });

  it("computes on a workbook's first sheet and quotes a PDF", async () => {
    const rows = [
      ["crate", "kilos"],
      ["A", 12],
      ["B", 30],
    ];
    const files = {
      "crates.xlsx": makeXlsx({ Crates: rows }),
      "rules.pdf": await makePdf(["Cover", "Every crate bears a seal."]),
    };
    expect(
      (await runOffline({ files, input: { request: "What is the total kilos in crates.xlsx?" } }))
        .text,
    ).toContain("**42**");
    expect(
      (await runOffline({ files, input: { request: "Which crate bears a seal in rules.pdf?" } }))
        .text,
    ).toContain("Every crate bears a seal.");
  }, 90_000);

  it("puts named inputs on the skill's figures, and refuses meaningless ones", async () => {
    const skill = "# Desk\n\n## Steps\n\n1. Report the total fee paid per cargo\n";
    expect(
      (await runOffline({ files: berths, skill, input: { berth: "North Quay" } })).text,
    ).toContain("| grain | 3960.50 | 2 |");
    const refused = await runOffline({ files: berths, skill, input: { planet: "Mars" } });
    expect(refused.text).toMatch(/cannot answer this by itself[\s\S]*other inputs/);
  });

  it("takes a follow-up to mean what was asked before", async () => {
    const earlier: [{ request: string }, string][] = [
      [{ request: "What is the average crew for grain?" }, "16"],
    ];
    const ask = async (request: string) =>
      (await runOffline({ files: berths, earlier, input: { request } })).text;
    expect(await ask("And by berth?")).toMatch(/where cargo is grain[\s\S]*\| South Quay \| 12 \|/);
    expect(await ask("and the median crew?")).toContain("Median crew where cargo is grain: **14**");
    expect(await ask("And only for fish?")).toContain("cargo is fish: **9.67**");
    expect(await ask("What about timber?")).toContain("cargo is timber: **13**");
  });

  it.each([
    [
      "a filter that it does not understand",
      "Leaving out the rusty vessels, what is the average crew?",
    ],
    [
      "a clause that says what is meant",
      "How many vessels are there? Count the captains, not the vessels.",
    ],
    [
      "the words that another clause is about",
      "How many vessels sulked in March, and what is their total crew?",
    ],
    ["a cause", "What made vessel Ayla late?"],
  ])("answers nothing without %s", async (_, request) => {
    const { text } = await runOffline({ files: berths, input: { request } });
    expect(text).toContain("cannot answer this by itself");
    expect(text).not.toMatch(/\*\*|Source:/);
  });

  it("quotes no sentence without a name for who, and none without a reason for why", async () => {
    const files = {
      "diary.txt":
        "The harbour master lent us his dinghy. Rosa Lind painted the mast. We started late " +
        "because the tide was out.",
    };
    const ask = async (request: string) => (await runOffline({ files, input: { request } })).text;
    expect(await ask("What is the name of the harbour master?")).toContain("do not say it");
    expect(await ask("Who painted the mast?")).toContain("Rosa Lind painted");
    expect(await ask("Why did the harbour master lend us his dinghy?")).not.toContain("Source:");
    expect(await ask("Why did we start late?")).toContain("because the tide was out");
  });

  it("answers a sentence whole or not at all, and each by itself", async () => {
    const { text } = await runOffline({
      files: berths,
      input: {
        request: "What is the highest crew, and how happy are they? How many rows are there?",
      },
    });
    expect(text).toMatch(/\*\*9\*\*[\s\S]*Not done:[\s\S]*how happy are they/);
    expect(text).not.toContain("**22**");
  });

  it("does not guess whether what follows a condition is asked of all rows", async () => {
    const files = { "tickets.json": MADE_UP_FILES["tickets.json"] };
    const one = await runOffline({
      files,
      input: { request: "Which team has T-3, and how many hours to close were there?" },
    });
    expect(one.text).toContain("whether it is asked of all rows");
    expect(one.text).not.toContain("59");
    const all = await runOffline({
      files,
      input: { request: "Which team has T-3, and what is the total of hours to close?" },
    });
    expect(all.text).toContain("59");
  });

  it("says of no sentence that it holds by now", async () => {
    const files = {
      "minutes.txt":
        "The treasurer, Ann Roe, reported in March. Later Bo Lund was elected treasurer.",
    };
    expect(
      (await runOffline({ files, input: { request: "Who is treasurer now?" } })).text,
    ).toContain("cannot answer");
  });

  it("works through a list, and leaves open and names what it cannot do", async () => {
    const request = "1. Count the rows.\n2. Find the highest tonnage.\n3. Send it to the harbour.";
    const run = await runOffline({ files: berths, input: { request } });
    expect(todosOf(run)).toEqual([true, true, false]);
    expect(run.text).toMatch(
      /\*\*9\*\*[\s\S]*\*\*9100\*\*[\s\S]*Not done:[\s\S]*Send it to the harbour/,
    );
  });

  it("answers from the file that fits, and from each where two fit", async () => {
    const files = { ...berths, "tickets.json": MADE_UP_FILES["tickets.json"] };
    expect(
      (await runOffline({ files, input: { request: "average hours to close" } })).text,
    ).toContain("Source: `tickets.json`");
    expect(
      (await runOffline({ files, input: { request: "How many rows are there?" } })).text,
    ).toMatch(/\*\*9\*\*[\s\S]*\*\*5\*\*[\s\S]*`berths.csv`[\s\S]*`tickets.json`/);
  });

  it("reports every numeric column of a published data set, exactly", async () => {
    const request =
      "Report the number of rows and the average, minimum and maximum of every numeric column.";
    const { text } = await runOffline({
      files: { "seattle-weather.csv": dataSet("seattle-weather.csv") },
      input: { request },
    });
    expect(text).toMatch(
      /rows: \*\*1461\*\*[\s\S]*Average wind: \*\*3.24\*\* \(exactly 3.24113620807666\)/,
    );
  });

  it("describes a table, and summarises no text", async () => {
    expect(
      (await runOffline({ files: berths, input: { request: "Summarise berths.csv" } })).text,
    ).toMatch(/9 rows and 7 columns[\s\S]*\| crew \| number \|/);
    const text = (
      await runOffline({
        files: { "handbook.txt": MADE_UP_FILES["handbook.txt"] },
        input: { request: "Summarise handbook.txt" },
      })
    ).text;
    expect(text).toContain("cannot answer");
  });

  it("searches first when there are many texts, and reads a big one to its end", async () => {
    const many = Object.fromEntries(
      Array.from({ length: 12 }, (_, index) => [
        `n${index}.md`,
        `Note ${index} is about topic number ${index}.`,
      ]),
    );
    const run = await runOffline({
      files: { ...many, "z.md": "The zebra contract ends in June." },
      input: { request: "When does the zebra contract end?" },
    });
    expect(run.calls[1]).toMatchObject({ name: "files_search" });
    expect(run.text).toContain("“The zebra contract ends in June.” [z.md]");
    const big =
      `${"Filler sentence without meaning.\n".repeat(2500)}The secret ingredient is ` +
      "saffron.\n";
    expect(
      (
        await runOffline({
          files: { "big.txt": big },
          input: { request: "What is the secret ingredient?" },
        })
      ).text,
    ).toContain("saffron");
  });

  it.each([
    ["What is 17.5% of 240?", "**42**"],
    ["Compute (3+4)*12/5", "**16.8**"],
    ["What is 012 % of 1,250?", "**150**"],
  ])("calculates with code: %s", async (request, result) => {
    expect((await runOffline({ input: { request } })).text).toContain(result);
  });

  it("guesses no figure without the tool that computes", async () => {
    const run = await runOffline({
      files: berths,
      input: { request: "average crew" },
      tools: ["files_read", "files_search"],
    });
    expect(run.text).toContain("does not guess figures");
  });

  it("computes on a table that the input carries, and quotes a text that it carries", async () => {
    const rows = [
      { item: "pen", qty: 3 },
      { item: "ink", qty: 1 },
      { item: "pen", qty: 4 },
    ];
    expect((await runOffline({ input: { request: "total qty per item", rows } })).text).toContain(
      "| pen | 7 | 2 |",
    );
    const filler = "We met again and again. ".repeat(20);
    const letter = `Dear team. ${filler}The venue is Elm Hall. Yours.`;
    expect((await runOffline({ input: { request: "What is the venue?", letter } })).text).toContain(
      "“The venue is Elm Hall.”",
    );
  });

  it("keeps what a file says inside the file: cells are no Markdown, code or columns", async () => {
    const evil =
      'name,"![n](http://evil.example)"\n"![x](http://evil.example/a.png)",1\n"a | b",2\n' +
      '"`);process.exit()//",3\n__proto__,4\n';
    const { text } = await runOffline({
      files: { "evil.csv": evil },
      input: { request: "sum of n per name" },
    });
    expect(text).not.toMatch(/(?<!\\)!\[|(?<!\\)<script/);
    expect(text).toContain("a \\| b");
    expect(text).toContain("| __proto__ | 4 |");
  });

  it("comes to an end on hostile words", async () => {
    const hostile = [
      "(".repeat(20_000),
      "a ".repeat(60_000),
      "1,".repeat(50_000),
      "per by each which most ".repeat(4000),
      "“".repeat(9000),
      "\n".repeat(90_000),
    ];
    for (const request of hostile) await runOffline({ files: berths, input: { request } });
  });
});

describe("structured output", () => {
  const schemaOf = (properties: Record<string, object>, required = Object.keys(properties)) =>
    readSchema(JSON.stringify({ type: "object", properties, required }));
  const run = (request: string, properties: Record<string, object>, required?: string[]) =>
    runOffline({ files: berths, input: { request }, schema: schemaOf(properties, required) });

  it("holds the figures, cells and rows that were found, by their names", async () => {
    const { text } = await run(
      "What is the average crew? How many rows are there? List the 2 highest tonnage.",
      {
        mean_crew: { type: "number" },
        number_of_rows: { type: "integer" },
        ships: {
          type: "array",
          items: {
            type: "object",
            properties: { vessel: { type: "string" }, tonnage: { type: "number" } },
          },
        },
      },
    );
    expect(JSON.parse(text)).toMatchObject({
      mean_crew: 13.6666666666667,
      number_of_rows: 9,
      ships: [
        { vessel: "Corvus", tonnage: 9100 },
        { vessel: "Heron", tonnage: 7800 },
      ],
    });
  });

  it("counts the rows for a property that is called as the file", async () => {
    const { text } = await run("Give me the number of rows and the total crew.", {
      berths: { type: "integer" },
      total_crew: { type: "number" },
    });
    expect(JSON.parse(text)).toEqual({ berths: 9, total_crew: 123 });
  });

  it("is null or left out where nothing was found", async () => {
    const { text } = await run(
      "What is the average crew?",
      {
        average_crew: { type: "number" },
        mean_crew_of_mars: { type: ["number", "null"] },
        country: { enum: ["Narnia"], type: "string" },
      },
      ["average_crew"],
    );
    expect(JSON.parse(text)).toEqual({ average_crew: 13.6666666666667, mean_crew_of_mars: null });
  });

  it.each([
    [
      "a figure of another thing",
      "What is the average crew?",
      { mean_crew_of_mars: { type: "number" } },
    ],
    [
      "an enum without evidence",
      "What is the average crew?",
      { country: { type: "string", enum: ["Narnia", "Atlantis"] } },
    ],
    [
      "a boolean without evidence",
      "What is the average crew?",
      { refund_due: { type: "boolean" } },
    ],
    [
      "a question that was not understood",
      "How happy is the crew?",
      { average_crew: { type: "number" } },
    ],
  ])("is refused rather than filled with %s", async (_, request, properties) => {
    await expect(run(request, properties)).rejects.toMatchObject({
      code: "MODEL_CANNOT_ANSWER",
      message: expect.stringContaining(Object.keys(properties)[0] ?? ""),
    });
  });
});
