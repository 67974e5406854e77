import "server-only";
import { createTransport } from "nodemailer";
import { isLoopbackHost } from "@/lib/model/loopback-host";

export type Mail = { to: string; subject: string; text: string; messageId: string };
export type Mailer = { send: (mail: Mail) => Promise<void>; close: () => void };

/**
 * `tls` from the first byte, `starttls` before anything else is said, `off` never; "": as the URL
 * says, `smtp:` being `starttls`, and on this machine whatever the server offers.
 */
export type SmtpTls = "" | "off" | "starttls" | "tls";

const TIMEOUT_MS = 10_000;

/**
 * Sends plain-text mail through the operator's SMTP server; null when none is configured
 * (`SMTP_URL`, `MAIL_FROM`). `messageId` is the caller's and stays the same when a mail is sent
 * again, so that mailboxes can drop the second copy.
 *
 * `send` rejects when the server did not take the mail within 10 s a step; no mail may then be
 * assumed sent or not sent.
 */
export function createMailer(settings: {
  smtpUrl: string;
  tls: SmtpTls;
  from: string;
}): Mailer | null {
  if (settings.smtpUrl === "" || settings.from === "") return null;
  const transport = createTransport({
    ...transportOptions(settings.smtpUrl, settings.tls),
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
      await transport.sendMail({
        from: settings.from,
        to: { name: "", address: to },
        subject,
        text,
        messageId: `<${messageId}@lathe>`,
      });
    },
    close: () => transport.close(),
  };
}

/**
 * Without `requireTLS` whoever is on the way takes the server's offer of STARTTLS out, and reads
 * reset links and the password.
 */
export function transportOptions(text: string, tls: SmtpTls) {
  const url = new URL(text);
  if (url.protocol !== "smtps:" && url.protocol !== "smtp:")
    throw new Error("SMTP_URL must begin with smtp:// or smtps://.");
  const wanted =
    tls ||
    (url.protocol === "smtps:" ? "tls" : isLoopbackHost(url.hostname) ? "offered" : "starttls");
  const port = Number(url.port || (wanted === "tls" ? 465 : 587));
  const auth =
    url.username === ""
      ? {}
      : {
          auth: { user: decodeURIComponent(url.username), pass: decodeURIComponent(url.password) },
        };
  return {
    host: url.hostname.replace(/^\[|\]$/g, ""),
    port,
    secure: wanted === "tls",
    requireTLS: wanted === "starttls",
    ignoreTLS: wanted === "off",
    ...auth,
  };
}
