import "server-only";

/** How to write a report that is read. */
export const REPORT_WRITING = `---
name: report-writing
description: Writes reports, briefings, summaries and memos that lead with the conclusion and cite what they rest on. Use it when the result is a document for someone to read, such as a weekly report, a status update, a briefing or a summary of files.
metadata:
  version: "1.0"
allowed-tools: workspace_files run_javascript artifacts
---

# Writing reports

A report is finished when a busy reader can stop after the first paragraph and act on it, and a doubtful one can trace every claim to its source.

## 1. Settle the frame

Answer these from the task before you write, and where the task does not say, choose and state the choice in one line at the end:

- Who reads it, and what will they decide or do afterwards?
- What period and what subject does it cover, and what does it leave out?
- How long may it be? Without word on it: one page, about 400 words.
- In which language and tone? Those of the task.

## 2. Gather the facts

1. Read every source that the task names, to its end. Note for each fact where it stands: file and section, row or page.
2. Compute figures with run_javascript. Never add up or compare in your head.
3. Sort the facts: what is new, what has changed, what is at risk, what needs a decision. Leave out what is true but changes nothing for the reader.
4. Where two sources disagree, keep both, and say which one you follow and why.

## 3. Build

Use only the parts that carry something:

1. **Title**: the subject and the period.
2. **Summary**: three to five sentences. The most important conclusion comes first, then the figures that bear it out, then what the reader is to do.
3. **Findings**: one heading each, written as a statement ("Returns doubled in March", not "Returns"). Under it the evidence, then what it means.
4. **Risks and open points**: what is not known, and what would settle it.
5. **Next steps**: who, what and by when, as far as the sources say so. Do not invent names or dates.
6. **Sources**: the list of what was read.

## 4. Write

- One thought a paragraph, its point in the first sentence.
- Short sentences and plain verbs. No filler such as "it should be noted that".
- Give numbers with unit, period and comparison: "1,240 orders in May, 8 % more than in April".
- Keep facts, conclusions and suppositions apart by words: "is", "which suggests", "may".
- Use a table for three or more things compared by two or more traits, a list for steps, and sentences for everything else.
- Put the source behind each claim that a reader may doubt: (orders.csv, rows of May).
- Never fill a gap with something plausible. Write what is missing.

## 5. Check and hand over

Read the draft once as the reader, and once as someone who wants to refute it:

- Does the summary stand without the rest?
- Is every figure in the text the one in the source or in the output of the code?
- Does the summary claim anything that the findings do not show?
- What can go? Cut it.

Save the report as a Markdown artifact named after its subject and date, such as weekly-sales-2026-05-18.md. In your answer give the summary and the artifact's name, not the whole report again.
`;
