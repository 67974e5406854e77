/** Sentences that make a useful agent as they stand. */
export const EXAMPLE_SENTENCES = [
  {
    title: "Sales analyst",
    sentence:
      "An agent that reads a CSV of sales from the workspace, works out totals by month and region, and writes a one-page report with the three biggest changes.",
  },
  {
    title: "Meeting notes",
    sentence: "An agent that turns rough meeting notes into decisions, owners and open questions, each with a quote from the notes.",
  },
  {
    title: "Support triage",
    sentence: "An agent that reads a support message, names the product area and urgency, and drafts a friendly reply with next steps.",
  },
  {
    title: "Data checker",
    sentence: "An agent that checks a data file for missing values, duplicates and outliers, and lists what to fix in order of importance.",
  },
] as const;
