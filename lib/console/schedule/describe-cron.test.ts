import { expect, test } from "vitest";
import { describeCron } from "@/lib/console/schedule/describe-cron";
import { CRON_PRESETS } from "@/lib/console/schedule/schedule-options";
import { parseCron } from "@/lib/model/schedule/parse-cron";

test.each([
  ["0 9 * * mon-fri", "every weekday at 09:00"],
  ["0 9 * * 1-5", "every weekday at 09:00"],
  ["30 7,19 * * *", "every day at 07:30 and 19:30"],
  ["0 9 * * 0,6", "every Saturday and Sunday at 09:00"],
  ["0 9 * * 7", "every Sunday at 09:00"],
  ["0 9 * * mon,wed,fri", "every Monday, Wednesday and Friday at 09:00"],
  ["0 0 1 * *", "the 1st of the month at 00:00"],
  ["0 8 2,13,22 * *", "the 2nd, 13th and 22nd of the month at 08:00"],
  ["0 9 1 jan,jul *", "the 1st of the month at 09:00 in January and July"],
  ["* * * * *", "every minute"],
  ["*/15 * * * *", "every 15 minutes"],
  ["*/15 * * * mon-fri", "every 15 minutes on every weekday"],
  ["0 * * * *", "every hour"],
  ["20 */6 * * *", "every 6 hours at :20"],
  ["0 9 1 * mon", "the 1st of the month and every Monday at 09:00"],
])("%s is read as “%s”", (cron, words) => {
  expect(describeCron(cron)).toBe(words);
});

test.each(["*/7 * * * *", "0 9-17 * * *", "* 9 * * *", "0 9 */2 * *", "0 9 * */5 *", "0-30/10 * * * *", "1 2 3"])(
  "%s is left unsaid rather than said wrongly",
  (cron) => {
    expect(describeCron(cron)).toBeNull();
  },
);

test("each preset is an expression that the service takes, and has words", () => {
  for (const cron of CRON_PRESETS) {
    expect(parseCron(cron, "UTC").ok).toBe(true);
    expect(describeCron(cron)).not.toBeNull();
  }
});
