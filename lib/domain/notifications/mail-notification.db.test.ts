import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { setEventMails } from "@/lib/domain/account/event-mails";
import { insertNotification } from "@/lib/domain/notifications/insert-notification";
import { mailNotification } from "@/lib/domain/notifications/mail-notification";
import type { Principal } from "@/lib/domain/principal";
import { type DomainDatabase, openDomainDatabase } from "@/lib/domain/test/domain-database";
import { newId } from "@/lib/platform/ids";
import type { Mail, Mailer } from "@/lib/platform/mail/create-mailer";
import { transaction } from "@/lib/platform/postgres";

const settings = { SMTP_URL: "smtp://127.0.0.1:1", MAIL_FROM: "lathe@example.test" };

let database: DomainDatabase;
let owner: Principal;
let sent: Mail[] = [];
const mailer = (send: Mailer["send"] = async (mail) => void sent.push(mail)): Mailer => ({
  send,
  close() {},
});

beforeAll(async () => {
  database = await openDomainDatabase({ env: settings });
});
beforeEach(async () => {
  sent = [];
  owner = await database.account();
  await database.pool.query("UPDATE users SET email_verified_at = now() WHERE account_id = $1", [
    owner.accountId,
  ]);
});
afterAll(() => database.close());

async function notify(body = "The answer."): Promise<{ id: string; runId: string }> {
  const runId = newId();
  const id = await transaction((tx) =>
    insertNotification(tx, { accountId: owner.accountId, runId, title: "A run completed", body }),
  );
  if (!id) throw new Error("nothing is to be mailed");
  return { id, runId };
}

async function userOf(accountId: string): Promise<string> {
  const { rows } = await database.pool.query<{ id: string }>(
    "SELECT id FROM users WHERE account_id = $1",
    [accountId],
  );
  return rows[0]?.id ?? "";
}

test("a notification is mailed to the owner once, however many try, how often", async () => {
  const { id, runId } = await notify();
  const tried = await Promise.all(Array.from({ length: 8 }, () => mailNotification(id, mailer())));
  expect(tried.filter(Boolean)).toHaveLength(1);
  expect(await mailNotification(id, mailer())).toBe(false);
  const { rows } = await database.pool.query<{ email: string }>(
    "SELECT email FROM users WHERE account_id = $1",
    [owner.accountId],
  );
  expect(sent).toEqual([
    {
      to: rows[0]?.email,
      subject: "A run completed",
      text: expect.stringContaining("A run completed"),
      messageId: expect.stringContaining(id),
    },
  ]);
  expect(sent[0]?.text).toContain(`/runs/${runId}`);
});

test("nothing that a run said is mailed, only its title and where to read it", async () => {
  const { id, runId } = await notify(
    "Your bank asks you to sign in at once at https://evil.example.test",
  );
  await mailNotification(id, mailer());
  expect(sent).toHaveLength(1);
  expect(JSON.stringify(sent)).not.toContain("bank");
  expect(sent[0]?.text.match(/https?:\/\/\S+/g)).toEqual([
    expect.stringMatching(new RegExp(`/runs/${runId}$`)),
  ]);
});

test("an address that nobody has proven gets no mail of a run", async () => {
  const stranger = await database.account();
  const runId = newId();
  const entry = { accountId: stranger.accountId, runId, title: "A run completed", body: "" };
  const id = await transaction((tx) => insertNotification(tx, entry));
  expect(await mailNotification(id ?? "", mailer())).toBe(true);
  expect(sent).toEqual([]);
});

test("who has switched event mails off gets none, but the asked one of a run's end", async () => {
  await setEventMails({ ...owner, userId: await userOf(owner.accountId) }, false);
  const key = `approval:${newId()}`;
  const entry = { accountId: owner.accountId, title: "A call waits", body: "" };
  const event = { ...entry, key, path: "/approvals" };
  const id = await transaction((tx) => insertNotification(tx, event));
  expect(await mailNotification(id ?? "", mailer())).toBe(true);
  expect(sent).toEqual([]);
  await mailNotification((await notify()).id, mailer());
  expect(sent).toMatchObject([{ subject: "A run completed" }]);
  await setEventMails({ ...owner, userId: await userOf(owner.accountId) }, true);
  const again = await transaction((tx) => insertNotification(tx, { ...event, key: `${key}-2` }));
  await mailNotification(again ?? "", mailer());
  expect(sent).toHaveLength(2);
});

test("a run notifies once", async () => {
  const { runId } = await notify();
  const again = await transaction((tx) =>
    insertNotification(tx, { accountId: owner.accountId, runId, title: "again", body: "" }),
  );
  expect(again).toBeNull();
  expect(
    (await database.pool.query("SELECT title FROM notifications WHERE run_id = $1", [runId])).rows,
  ).toEqual([{ title: "A run completed" }]);
});

test("what the mail server refuses is thrown, and sent again by the same id", async () => {
  const { id } = await notify();
  const ids: string[] = [];
  const refusing = mailer(async (mail) => {
    ids.push(mail.messageId);
    throw new Error("451 try later");
  });
  await expect(mailNotification(id, refusing)).rejects.toThrow("451");
  expect(await mailNotification(id, mailer())).toBe(true);
  expect(sent.map((mail) => mail.messageId)).toEqual(ids);
});

test("a claim of a process that died is taken over after ten minutes, not before", async () => {
  const { id } = await notify();
  await database.pool.query(
    "UPDATE notifications SET mail_claimed_at = now() - interval '9 minutes' WHERE id = $1",
    [id],
  );
  expect(await mailNotification(id, mailer())).toBe(false);
  await database.pool.query(
    "UPDATE notifications SET mail_claimed_at = now() - interval '11 minutes' WHERE id = $1",
    [id],
  );
  expect(await mailNotification(id, mailer())).toBe(true);
});

test("a long answer is cut between characters, so that it can be stored", async () => {
  const { id } = await notify(`${"x".repeat(1999)}😀 and more`);
  expect(await mailNotification(id, mailer())).toBe(true);
});
