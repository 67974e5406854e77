import { rowsOf } from "./files.mjs";

/**
 * What an answer must hold: figures (each within half of a per mille, or as many digits as it
 * shows), and words; or that it must be refused, since the file does not say it or nothing can do
 * it.
 * @typedef {{ file: string, ask: string, figures?: number[], words?: string[], refuse?: boolean }}
 * Question
 */

/**
 * @param {string} file @param {string} ask @param {Omit<Question, "file" | "ask">} expected
 * @returns {Question}
 */
const question = (file, ask, expected) => ({ file, ask, ...expected });
const REFUSE = { refuse: true };

/** @param {number[]} values */
const sum = (values) => values.reduce((total, value) => total + value, 0);
/** @param {number[]} values */
const mean = (values) => sum(values) / values.length;
/** @param {number[]} values */
const median = (values) => {
  const sorted = [...values].sort((a, b) => a - b);
  return ((sorted[(sorted.length - 1) >> 1] ?? 0) + (sorted[sorted.length >> 1] ?? 0)) / 2;
};
/** @param {number[]} xs @param {number[]} ys */
const correlation = (xs, ys) => {
  const [mx, my] = [mean(xs), mean(ys)];
  const over = (/** @type {(x: number, y: number) => number} */ of) =>
    sum(xs.map((x, at) => of(x - mx, (ys[at] ?? 0) - my)));
  return over((x, y) => x * y) / Math.sqrt(over((x) => x * x) * over((_, y) => y * y));
};
/** @template T @param {T[]} rows @param {(row: T) => number} by @returns {T[]} */
const descending = (rows, by) => [...rows].sort((a, b) => by(b) - by(a));

const disasters = rowsOf("disasters.csv");
const power = rowsOf("iowa-electricity.csv");
const world = rowsOf("health-income.csv");
const people = rowsOf("people.csv");
const jobless = rowsOf("unemployment.tsv");
const penguins = rowsOf("penguins.json");
const games = rowsOf("football.json");
const monarchs = rowsOf("monarchs.jsonl");
const bacteria = rowsOf("bacteria.csv");
const wind = power.filter(({ source }) => source === "Renewables");
const adelie = penguins.filter(({ Species }) => Species === "Adelie");
const floods = disasters.filter(({ Entity }) => Entity === "Flood");
/** @param {Record<string, any>[]} rows @param {string} name */
const column = (rows, name) =>
  rows.flatMap((row) => (row[name] === null || row[name] === undefined ? [] : [row[name]]));

/** In this order every second one is held out: `--half held`. @type {Question[]} */
export const QUESTIONS = [
  question("disasters.csv", "How many deaths did floods cause in total?", {
    figures: [sum(column(floods, "Deaths"))],
  }),
  question("disasters.csv", "Which year had the most deaths from earthquakes?", {
    words: [
      String(
        descending(
          disasters.filter(({ Entity }) => Entity === "Earthquake"),
          ({ Deaths }) => Deaths,
        )[0]?.Year,
      ),
    ],
  }),
  question("disasters.csv", "Average deaths per Entity since 1990, please", {
    figures: [
      mean(
        column(
          floods.filter(({ Year }) => Year >= 1990),
          "Deaths",
        ),
      ),
    ],
  }),
  question("disasters.csv", "List the different entities.", {
    words: ["Drought", "Earthquake", "Wildfire", "Volcanic activity"],
  }),
  question("disasters.csv", "Why did deaths from drought fall after 1970?", REFUSE),
  question("disasters.csv", "How many rows are neither Flood nor Drought?", {
    figures: [disasters.filter(({ Entity }) => Entity !== "Flood" && Entity !== "Drought").length],
  }),
  question("disasters.csv", "What is the median number of deaths for Wildfire?", {
    figures: [
      median(
        column(
          disasters.filter(({ Entity }) => Entity === "Wildfire"),
          "Deaths",
        ),
      ),
    ],
  }),
  question("iowa-electricity.csv", "What was the net generation of Renewables in 2010?", {
    figures: [wind.find(({ year }) => year.startsWith("2010"))?.net_generation],
  }),
  question("iowa-electricity.csv", "Total net generation by source", {
    figures: ["Fossil Fuels", "Nuclear Energy", "Renewables"].map((name) =>
      sum(
        column(
          power.filter(({ source }) => source === name),
          "net_generation",
        ),
      ),
    ),
  }),
  question(
    "iowa-electricity.csv",
    "In which year was net generation of Nuclear Energy the lowest?",
    {
      words: [
        descending(
          power.filter(({ source }) => source === "Nuclear Energy"),
          ({ net_generation }) => -net_generation,
        )[0]?.year.slice(0, 4),
      ],
    },
  ),
  question("iowa-electricity.csv", "Forecast the generation of Renewables for 2020.", REFUSE),
  question("iowa-electricity.csv", "What share of rows is Fossil Fuels?", {
    figures: [
      (100 * power.filter(({ source }) => source === "Fossil Fuels").length) / power.length,
    ],
  }),
  question("iowa-electricity.csv", "Average net generation excluding Nuclear Energy", {
    figures: [
      mean(
        column(
          power.filter(({ source }) => source !== "Nuclear Energy"),
          "net_generation",
        ),
      ),
    ],
  }),
  question("health-income.csv", "Which country has the highest income?", {
    words: [descending(world, ({ income }) => income)[0]?.country],
  }),
  question("health-income.csv", "Top 5 countries by population", {
    words: descending(world, ({ population }) => population)
      .slice(0, 5)
      .map(({ country }) => country),
  }),
  question("health-income.csv", "What is the mean health per region?", {
    figures: ["south_asia", "sub_saharan_africa"].map((name) =>
      mean(
        column(
          world.filter(({ region }) => region === name),
          "health",
        ),
      ),
    ),
  }),
  question("health-income.csv", "How many countries have an income above 40000?", {
    figures: [world.filter(({ income }) => income > 40000).length],
  }),
  question("health-income.csv", "What is the population of Kenya?", {
    figures: [world.find(({ country }) => country === "Kenya")?.population],
  }),
  question("health-income.csv", "Send the table to bob@example.com.", REFUSE),
  question("health-income.csv", "Which country in south_asia has the lowest health?", {
    words: [
      descending(
        world.filter(({ region }) => region === "south_asia"),
        ({ health }) => -health,
      )[0]?.country,
    ],
  }),
  question("health-income.csv", "How many rows have health between 70 and 75?", {
    figures: [world.filter(({ health }) => health >= 70 && health <= 75).length],
  }),
  question("health-income.csv", "What is the GDP growth of Peru?", REFUSE),
  question("health-income.csv", "Which region has the fewest countries?", {
    words: [
      descending(
        [...new Set(column(world, "region"))],
        (name) => -world.filter(({ region }) => region === name).length,
      )[0] ?? "",
    ],
  }),
  question("health-income.csv", "What is the correlation between income and health?", {
    figures: [correlation(column(world, "income"), column(world, "health"))],
  }),
  question("people.csv", "Who is the oldest?", {
    words: [descending(people, ({ age }) => age)[0]?.name],
  }),
  question("people.csv", "Which name has the greatest age?", {
    words: [descending(people, ({ age }) => age)[0]?.name],
  }),
  question("people.csv", "List the names of people taller than 175", {
    words: people.filter(({ height }) => height > 175).map(({ name }) => name),
  }),
  question("people.csv", "Sort the people by age, youngest first.", {
    words: descending(people, ({ age }) => -age).map(({ name }) => name),
  }),
  question("people.csv", "What is the sum of age and what is the mean height?", {
    figures: [sum(column(people, "age")), mean(column(people, "height"))],
  }),
  question("people.csv", "Is Alan married?", REFUSE),
  question("unemployment.tsv", "What is the highest rate?", {
    figures: [Math.max(...column(jobless, "rate"))],
  }),
  question("unemployment.tsv", "How many rows have a rate of at least 0.15?", {
    figures: [jobless.filter(({ rate }) => rate >= 0.15).length],
  }),
  question("unemployment.tsv", "What is the rate of id 1009?", {
    figures: [jobless.find(({ id }) => id === 1009)?.rate],
  }),
  question("unemployment.tsv", "What is the average rate?", {
    figures: [mean(column(jobless, "rate"))],
  }),
  question("unemployment.tsv", "Draw a map of the rates.", REFUSE),
  question("penguins.json", "What is the average body mass of Adelie penguins?", {
    figures: [mean(column(adelie, "Body Mass (g)"))],
  }),
  question("penguins.json", "How many penguins are there on each island?", {
    figures: ["Torgersen", "Biscoe", "Dream"].map(
      (name) => penguins.filter(({ Island }) => Island === name).length,
    ),
  }),
  question("penguins.json", "How many female penguins are there?", {
    figures: [penguins.filter(({ Sex }) => Sex === "FEMALE").length],
  }),
  question("penguins.json", "Mean flipper length by species, highest first", {
    figures: ["Gentoo", "Chinstrap"].map((name) =>
      mean(
        column(
          penguins.filter(({ Species }) => Species === name),
          "Flipper Length (mm)",
        ),
      ),
    ),
  }),
  question(
    "penguins.json",
    "What is the difference between the highest and the lowest beak depth?",
    {
      figures: [
        Math.max(...column(penguins, "Beak Depth (mm)")) -
          Math.min(...column(penguins, "Beak Depth (mm)")),
      ],
    },
  ),
  question("penguins.json", "How many rows have no Sex?", {
    figures: [penguins.filter(({ Sex }) => Sex === null).length],
  }),
  question("penguins.json", "What do penguins eat?", REFUSE),
  question("football.json", "How many games did FK Austria Wien play at home?", {
    figures: [games.filter(({ home_team }) => home_team === "FK Austria Wien").length],
  }),
  question("football.json", "Total home score by division", {
    figures: [...new Set(column(games, "division"))].slice(0, 2).map((name) =>
      sum(
        column(
          games.filter(({ division }) => division === name),
          "home_score",
        ),
      ),
    ),
  }),
  question("football.json", "How many rows are from August 2013?", {
    figures: [games.filter(({ date }) => date?.startsWith("2013-08")).length],
  }),
  question("football.json", "Which home team has the most rows?", {
    words: [
      descending(
        [...new Set(column(games, "home_team"))],
        (name) => games.filter(({ home_team }) => home_team === name).length,
      )[0] ?? "",
    ],
  }),
  question("monarchs.jsonl", "When did the reign of Charles II start?", {
    words: [String(monarchs.find(({ name }) => name === "Charles II")?.start)],
  }),
  question("monarchs.jsonl", "How many monarchs are listed?", { figures: [monarchs.length] }),
  question("bacteria.csv", "What is the average Penicillin for positive Gram_Staining?", {
    figures: [
      mean(
        column(
          bacteria.filter(({ Gram_Staining }) => Gram_Staining === "positive"),
          "Penicillin",
        ),
      ),
    ],
  }),
  question("bacteria.csv", "Which bacteria has the highest Streptomycin?", {
    words: [descending(bacteria, ({ Streptomycin }) => Streptomycin)[0]?.Bacteria],
  }),
  question("bacteria.csv", "Count the rows per Genus", {
    figures: [bacteria.filter(({ Genus }) => Genus === "Streptococcus").length],
    words: ["Streptococcus"],
  }),
  question("travel-policy.md", "How much is the daily allowance for meals in Switzerland?", {
    words: ["55 euros"],
  }),
  question("travel-policy.md", "Who approves trips?", { words: ["team lead"] }),
  question("travel-policy.md", "Is business class allowed?", REFUSE),
  question("travel-policy.md", "What is the hotel limit in London?", { words: ["210 euros"] }),
  question("letter.txt", "Who was elected treasurer?", { words: ["Tomas Havel"] }),
  question("letter.txt", "When is water turned off?", { words: ["November"] }),
  question("letter.txt", "Write a reply to Lena and decline the invitation.", REFUSE),
  question("gateway.log", "When was version 4.2.1 deployed?", { words: ["2025-05-06T09:02:11Z"] }),
  question("gateway.log", "How many customers were affected?", REFUSE),
];
