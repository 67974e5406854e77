import "server-only";

/** How to get right figures out of tables. */
export const CSV_ANALYSIS = `---
name: csv-analysis
description: Analyses CSV and other tabular files and reports figures that are computed, not guessed. Use it when the task needs counts, sums, averages, rankings, trends, outliers or comparisons from a .csv, .tsv or JSON table.
metadata:
  version: "1.0"
allowed-tools: workspace_files run_javascript artifacts
---

# Analysing tables

Every figure in the answer comes from code that ran over the whole file. Never estimate from the lines you happened to read, and never do arithmetic in your head.

## 1. Look before you compute

1. List the files with workspace_files. When several could be meant, take the one whose name fits the question best and say which one you took.
2. Read the beginning of the file, some 20 lines. Note:
   - the delimiter: comma, semicolon, tab or bar;
   - whether the first line is a header, and the exact spelling of each column;
   - how numbers are written: decimal comma, thousands separators, currency signs, percent signs;
   - how dates are written. With 03/04/2026, look through the column for a part above 12 before you decide which part is the day;
   - how missing values look: empty, NA, N/A, null, -, 9999.
3. Turn the question into columns: what is measured, what it is grouped by, what is filtered, over which time. When the question allows two readings, take the likelier one and name it in the answer.

## 2. Compute

Write one small program for run_javascript that parses the file and prints a compact JSON result.

- Quoted fields may hold delimiters, line ends and doubled quotes. Splitting lines at commas is right only when the file has no quotes; check that first.
- Trim each field. Turn it into a number explicitly and count the rows where that fails; do not let a failed one become 0.
- Keep missing apart from zero. An average leaves missing values out and says how many they were.
- Group with a Map. Sort the result, and break ties by name so that a second run prints the same.
- Print the number of rows read, used and skipped beside every result.
- Print figures and small tables only, never the data itself.

| Asked for | Compute |
|---|---|
| typical value | median, and mean beside it when they differ by more than a tenth |
| spread | minimum, quartiles, maximum |
| change over time | totals of each period, and the change in numbers and in percent; leave out or mark a period that is not complete |
| share | part, whole and percent, with the whole written out |
| outliers | values more than 1.5 quartile distances outside the quartiles, listed with their rows |
| relation of two columns | correlation with the number of pairs, and no claim of a cause |

## 3. Check

Before you answer, test the result in one more run of code:

- Do the groups add up to the total?
- Does the number of rows used and skipped match the number in the file?
- Is any single row behind most of a total? Then say so.
- Do two rows that you pick and read by eye agree with what the code made of them?

When a check fails, repair the program and run it again. Do not patch the figure.

## 4. Answer

1. First the answer to the question, in one or two sentences, with its figures and units.
2. Then a table of at most ten rows where it helps. Round for reading, to three significant digits or two decimals, but compute with the full values.
3. Then what the figures rest on: the file, the rows used, the rows skipped and why, and how anything ambiguous was read.
4. Save a longer result as an artifact, and name it in the answer.

When the file cannot answer the question, say which column or period is missing, and give the nearest figure that it can give.
`;
