import { expect, test } from "vitest";
import { isMailConfigured } from "@/lib/domain/mail/mailer";
import { env } from "@/lib/env";

test.each([
  ["", "", false],
  ["smtp://127.0.0.1:1", "", false],
  ["", "lathe@example.test", false],
  ["smtp://127.0.0.1:1", "lathe@example.test", true],
])("mail is set up with a server and a sender alone: %j and %j", (SMTP_URL, MAIL_FROM, is) => {
  Object.assign(env(), { SMTP_URL, MAIL_FROM });
  expect(isMailConfigured()).toBe(is);
});
