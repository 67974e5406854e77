import { expect, openConsole, test } from "../support/console-test";
import { startRun, waitForRun } from "../support/runs";
import { signIn } from "../support/sign-in";
import { UNKNOWN_ID } from "../support/unknown-ids";

test("a run that notifies is counted at the bell, read by opening, and all marked at once", async ({
  page,
  newAccount,
  script,
}) => {
  const { api, ...credentials } = await newAccount();
  const runs: string[] = [];
  for (const text of ["First report.", "Second report.", "Third report."]) {
    const one = await script({ text });
    const { run_id } = await startRun(api, { input: { text: one.mark }, should_notify: true });
    await waitForRun(api, run_id);
    runs.push(run_id);
  }
  await openConsole(page, credentials, "/");
  const bell = page.getByRole("button", { name: /^Notifications/ });
  await expect(bell).toHaveAccessibleName("Notifications 3 unread");
  await bell.click();
  const panel = page.getByRole("dialog", { name: "Notifications" });
  await panel.getByRole("link", { name: /Second report\./ }).click();
  await expect(page).toHaveURL(new RegExp(`/runs/${runs[1]}`));
  await expect(bell).toHaveAccessibleName("Notifications 2 unread");
  await bell.click();
  await panel.getByRole("button", { name: "Mark all as read" }).click();
  await expect(panel.getByText("Unread:")).toHaveCount(0);
  await page.keyboard.press("Escape");
  await expect(panel).toBeHidden();
  await expect(bell).toBeFocused();
  await expect(bell).toHaveAccessibleName("Notifications");
});

test("a notification of another account can be neither seen nor marked", async ({
  page,
  newAccount,
  stranger,
  script,
  serviceUrl,
}) => {
  const { api, ...credentials } = await newAccount();
  const one = await script({ text: "Mine alone." });
  const { run_id } = await startRun(api, { input: { text: one.mark }, should_notify: true });
  await waitForRun(api, run_id);
  const headers = { origin: serviceUrl };
  await signIn(page, credentials);
  const { data } = await (await page.request.get("/api/console/notifications")).json();
  expect(data).toMatchObject([{ run_id, read_at: null, body: "Mine alone." }]);
  const id = data[0].notification_id;
  const other = await page.context().browser()?.newContext({ baseURL: serviceUrl });
  const foreign = await other?.newPage();
  if (!other || !foreign) throw new Error("no second browser context");
  await signIn(foreign, stranger);
  const statusOf = async (notification: string) =>
    (
      await foreign.request.post(`/api/console/notifications/${notification}/read`, { headers })
    ).status();
  expect([await statusOf(id), await statusOf(UNKNOWN_ID), await statusOf("42")]).toEqual([
    404, 404, 400,
  ]);
  expect(
    (
      await foreign.request.post("/api/console/notifications/read", {
        headers,
        data: { up_to: id },
      })
    ).status(),
  ).toBe(204);
  expect(await (await foreign.request.get("/api/console/notifications")).text()).not.toContain(
    "Mine alone.",
  );
  expect(
    (
      await page.request.post(`/api/console/notifications/${id}/read`, {
        headers: { origin: "https://evil.test" },
      })
    ).status(),
  ).toBe(401);
  expect(
    (await (await page.request.get("/api/console/attention")).json()).unread_notifications,
  ).toBe(1);
  await other.close();
});
