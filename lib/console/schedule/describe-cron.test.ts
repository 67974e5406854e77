import { expect, test } from "vitest";
import { CRON_PRESETS, describeCron } from "@/lib/console/schedule/describe-cron";
import { parseCron } from "@/lib/model/schedule/schedule";

test.each([
  ["0 9 * * mon-fri", "At 09:00, Monday through Friday"],
  ["0 9 * * 1-5", "At 09:00, Monday through Friday"],
  ["0 9 * * *", "At 09:00, every day"],
  ["30 7,19 * * *", "At 07:30 and 19:30, every day"],
  ["0 9 * * 0,6", "At 09:00, only on Sunday and Saturday"],
  ["0 9 * * 7", "At 09:00, only on Sunday"],
  ["0 9 * * MON,wed,fri", "At 09:00, only on Monday, Wednesday, and Friday"],
  ["0 0 1 * *", "At 00:00, on day 1 of the month"],
  [" 0 8  2,13,22 * *", "At 08:00, on day 2, 13, and 22 of the month"],
  ["0 9 1 jan,jul *", "At 09:00, on day 1 of the month, only in January and July"],
  ["* * * * *", "Every minute"],
  ["*/15 * * * *", "Every 15 minutes"],
  ["*/15 * * * mon-fri", "Every 15 minutes, Monday through Friday"],
  ["0 * * * *", "Every hour"],
  ["20 */6 * * *", "At 20 minutes past the hour, every 6 hours"],
  ["0 9-17 * * *", "Every hour, between 09:00 and 17:00"],
  ["* 9 * * *", "Every minute, between 09:00 and 09:59"],
  ["0-30/10 * * * *", "Every 10 minutes, minutes 0 through 30 past the hour"],
  ["30 9-17/2 * * *", "At 30 minutes past the hour, every 2 hours, between 09:00 and 17:59"],
])("%s is read as “%s”", (cron, words) => {
  expect(parseCron(cron, "UTC").ok).toBe(true);
  expect(describeCron(cron)).toBe(words);
});

test.each([
  "*/7 * * * *",
  "0 */5 * * *",
  "* */2 * * *",
  "*/20 9,14 * * *",
  "0 9 1 * mon",
  "0 9 */2 * *",
  "0 9 * */5 *",
  "0 9 * * */2",
  "0 9,11-13 * * *",
  "*/10,5 * * * *",
  "1 2 3",
  "0 0 9 * * *",
  "0 9 * * nope",
  "99 * * * *",
])("%s is left unsaid rather than said wrongly", (cron) => {
  expect(describeCron(cron)).toBeNull();
});

test("each preset is an expression that the service takes, and has words", () => {
  for (const cron of CRON_PRESETS) {
    expect(parseCron(cron, "UTC").ok).toBe(true);
    expect(describeCron(cron)).not.toBeNull();
  }
});
