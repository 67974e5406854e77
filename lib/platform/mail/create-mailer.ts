import "server-only";
import { createTransport } from "nodemailer";

export type Mail = { to: string; subject: string; text: string; messageId: string };
export type Mailer = { send: (mail: Mail) => Promise<void>; close: () => void };

const TIMEOUT_MS = 10_000;

/**
 * Sends plain-text mail through the operator's SMTP server; null when none is configured (`SMTP_URL`, `MAIL_FROM`). `messageId` is the
 * caller's and stays the same when a mail is sent again, so that mailboxes can drop the second copy.
 *
 * `send` rejects when the server did not take the mail within 10 s a step; no mail may then be assumed sent or not sent.
 */
export function createMailer(settings: { smtpUrl: string; from: string }): Mailer | null {
  if (settings.smtpUrl === "" || settings.from === "") return null;
  const transport = createTransport({
    ...fromUrl(settings.smtpUrl),
    connectionTimeout: TIMEOUT_MS,
    greetingTimeout: TIMEOUT_MS,
    socketTimeout: TIMEOUT_MS,
    // Texts come from users: none of them may make the library read a file or call a URL.
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  return {
    send: async ({ to, subject, text, messageId }) => {
      // An object, not a text: as text, one "address" could list many receivers.
      await transport.sendMail({ from: settings.from, to: { name: "", address: to }, subject, text, messageId: `<${messageId}@lathe>` });
    },
    close: () => transport.close(),
  };
}

function fromUrl(text: string) {
  const url = new URL(text);
  const secure = url.protocol === "smtps:";
  if (!secure && url.protocol !== "smtp:") throw new Error("SMTP_URL must begin with smtp:// or smtps://.");
  const port = Number(url.port || (secure ? 465 : 587));
  const auth = url.username === "" ? {} : { auth: { user: decodeURIComponent(url.username), pass: decodeURIComponent(url.password) } };
  return { host: url.hostname.replace(/^\[|\]$/g, ""), port, secure, ...auth };
}
