/**
 * Files and questions that were written without a look at the rules, answers worked out by hand.
 */
export const STRANGERS_FILES = {
  "deliveries.csv": `id,customer,city,depot,parcels,weight_kg,fee_eur,delivered_on,express
1,Hansen,Aarhus,North,3,12.5,18.00,2025-01-14,yes
2,Moreau,Lyon,South,1,2.0,7.50,2025-01-20,no
3,Okafor,Lagos,South,7,44.0,61.00,2025-02-03,no
4,Hansen,Aarhus,North,2,6.5,11.00,2025-02-17,yes
5,Silva,Porto,West,4,15.0,21.50,2025-02-28,no
6,Moreau,Lyon,South,5,30.0,42.00,2025-03-05,yes
7,Novak,Brno,North,1,1.5,6.00,2025-03-11,no
8,Silva,Porto,West,2,8.0,12.00,2025-03-30,yes
9,Okafor,Lagos,South,6,38.5,55.00,2025-04-02,no
10,Hansen,Aarhus,North,1,3.0,8.00,2025-04-22,no
`,
  "trees.csv": `tree,species,height_m,planted,park,healthy
Oak-1,oak,18,1921,Elm Garden,yes
Oak-2,oak,22,1903,River Park,no
Lime-1,lime,15,1954,Elm Garden,yes
Lime-2,lime,11,1988,River Park,yes
Ash-1,ash,24,1911,River Park,no
Ash-2,ash,9,2004,Hill Top,yes
Birch-1,birch,13,1979,Hill Top,
`,
  "hall.md": `# Lease of the hall

The hall is rented to the Lindgren choir until 30 June 2027.

The rent is 640 euros a month.

Ms Adeyemi holds the keys.

Dogs are not allowed in the hall.

The heating was repaired in October 2024 because the boiler leaked.

Questions go to hall@example.org.
`,
};

/**
 * What a right answer holds; or, where no answer can be right, a word that a refusal has to name.
 * A refusal is never wrong.
 */
export type StrangersQuestion = [
  file: keyof typeof STRANGERS_FILES,
  question: string,
  right: RegExp[] | { names: string },
];

const row = (...cells: (string | number)[]) =>
  new RegExp(cells.map((cell) => `\\| ${String(cell).replace(".", "\\.")} `).join(""));
const figure = (value: string | number) => new RegExp(`\\*\\*${String(value).replace(".", "\\.")}`);

const D = "deliveries.csv";
const T = "trees.csv";
const H = "hall.md";

export const STRANGERS_QUESTIONS: StrangersQuestion[] = [
  [D, "What is the total fee?", [figure(242)]],
  [D, "How many parcels were delivered altogether?", [figure(32)]],
  [D, "How many deliveries are there?", [figure(10)]],
  [D, "Average fee", [figure("24.20")]],
  [D, "What's the median fee?", [figure(15)]],
  [D, "How many deliveries went to Lyon?", [figure(2)]],
  [D, "How many deliveries were express?", [figure(4)]],
  [D, "How many were not express?", [figure(6)]],
  [D, "What did the express deliveries cost in total?", [figure(83)]],
  [D, "Total fee per depot", [row("North", 43), row("South", "165.50"), row("West", "33.50")]],
  [D, "Sum of parcels for each depot", [row("North", 7), row("South", 19), row("West", 6)]],
  [D, "Which depot has the highest total fee?", [/\*\*South\*\*[^\n]*165\.50/]],
  [D, "Which customer paid the most?", [/Okafor[^\n]*116/]],
  [D, "How many different customers are there?", [figure(5)]],
  [D, "What is the total weight of Hansen?", [figure(22)]],
  [D, "How many deliveries weigh more than 20 kg?", [figure(3)]],
  [D, "How many deliveries had a fee between 10 and 20?", [figure(3)]],
  [D, "Total fee in February 2025", [figure("93.50")]],
  [
    D,
    "Fee per month in total",
    [row("2025-01", "25.50"), row("2025-02", "93.50"), row("2025-03", 60)],
  ],
  [D, "What is the total fee since March 2025?", [figure(123)]],
  [D, "Total fee before 2025-02-01", [figure("25.50")]],
  [D, "What was the heaviest delivery?", [/44/]],
  [
    D,
    "List the three deliveries with the lowest fee",
    [/Novak|\| 7 /, /Moreau|\| 2 /, /Hansen|\| 10 /],
  ],
  [D, "How many parcels did Silva get without express?", [figure(4)]],
  [D, "Total fee without Lagos", [figure(126)]],
  [D, "What percentage of deliveries was express?", [figure(40)]],
  [D, "Wie viele Lieferungen gingen nach Lyon?", { names: "lieferungen" }],
  [D, "Wie hoch ist die Summe der fee_eur?", [figure(242)]],
  [D, "Quel est le total des frais ?", { names: "frais" }],
  [D, "¿Cuántos paquetes hay?", { names: "paquetes" }],
  [D, "What is the totl fee?", { names: "totl" }],
  [D, "Total fee per dpot", { names: "dpot" }],
  [D, "Total fee excluding returned parcels", { names: "returned" }],
  [D, "Total fee of deliveries that were late", { names: "late" }],
  [D, "What will the total fee be in May 2025?", { names: "will" }],
  [D, "Average fee per parcel", { names: "per parcel" }],
  [D, "What is the total fee in dollars?", { names: "dollars" }],
  [D, "Total fee last month", { names: "last" }],
  [D, "Total fee of Hansen and Jensen", { names: "jensen" }],
  [D, "Total net fee", { names: "net" }],
  [D, "How many deliveries went to Hansen in Lyon?", [figure(0)]],
  [D, "What is the 3rd highest fee?", [/42/]],
  [T, "What is the average height?", [figure(16)]],
  [T, "Which tree is the tallest?", [/Ash-1[^\n]*24/]],
  [T, "Which is the oldest tree?", { names: "oldest" }],
  [T, "How many trees are in River Park?", [figure(3)]],
  [T, "How many trees are healthy?", [figure(4)]],
  [T, "How many trees were planted before 1950?", [figure(3)]],
  [
    T,
    "Average height per park",
    [row("Elm Garden", "16.50"), row("River Park", 19), row("Hill Top", 11)],
  ],
  [T, "What is the height of Lime-2?", [/11/]],
  [T, "How many oaks are there?", [figure(2)]],
  [T, "How many trees have no healthy value?", [figure(1)]],
  [T, "Which park has the most trees?", [/River Park[^\n]*3/]],
  [T, "Average height of sick trees", { names: "sick" }],
  [H, "What is the rent?", [/640 euros a month/]],
  [H, "Who holds the keys?", [/Ms Adeyemi holds the keys/]],
  [H, "Until when is the hall rented?", [/30 June 2027/]],
  [H, "Are cats allowed in the hall?", { names: "cats" }],
  [H, "Why was the heating repaired?", [/because the boiler leaked/]],
  [H, "List all e-mail addresses", [/hall@example\.org/]],
  [H, "What is the deposit?", { names: "deposit" }],
  [H, "Who repaired the heating?", { names: "no sentence holds" }],
];
