import { expect, test } from "vitest";
import { spread, tally } from "./score.mjs";

const scores = (/** @type {Record<string, number>} */ counts) =>
  tally(
    Object.entries(counts).flatMap(([verdict, count]) =>
      Array.from({ length: count }, () => ({
        verdict: /** @type {import("./score.mjs").Verdict} */ (verdict),
        why: "",
      })),
    ),
  );

test("several trials show each verdict's middle, least and most; one shows its figure", () => {
  expect(spread([scores({ right: 3, wrong: 1 })])).toEqual({
    ...{ trials: 1, cases: 4, right: "3", refused: "0", wrong: "1", dishonest: "0" },
  });
  /** @type {Record<string, number>[]} */
  const trials = [{ right: 4 }, { right: 1, refused: 3 }, { right: 3, refused: 1 }];
  expect(spread(trials.map(scores))).toMatchObject({
    ...{ trials: 3, cases: 4, right: "3 (1–4)", refused: "1 (0–3)", wrong: "0" },
  });
});
