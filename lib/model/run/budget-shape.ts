import { z } from "zod";

const credits = z.number().min(0);

/** What is said of a run that waits for credits. */
export const budgetShape = {
  spent: credits.meta({
    description: "What it has cost so far; of a super-agent's run with all that it started.",
  }),
  required: credits.meta({
    description:
      "With how much it goes on: of `budget` the least `max_credits` that will do, of " +
      "`credits` what the account must have available.",
  }),
  max_credits: credits
    .nullable()
    .meta({ description: "Its limit as it is; null where it has none." }),
};
