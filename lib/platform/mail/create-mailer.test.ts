import { type AddressInfo, createServer, type Server, type Socket } from "node:net";
import { afterEach, describe, expect, it } from "vitest";
import {
  createMailer,
  type Mailer,
  type SmtpTls,
  transportOptions,
} from "@/lib/platform/mail/create-mailer";

const open: { server: Server; sockets: Set<Socket> }[] = [];
const mailers: Mailer[] = [];
afterEach(async () => {
  for (const mailer of mailers.splice(0)) mailer.close();
  for (const { server, sockets } of open.splice(0)) {
    for (const socket of sockets) socket.destroy();
    await new Promise((resolve) => server.close(resolve));
  }
});

/**
 * An SMTP server that takes, or with `answers` refuses, whatever it is told, and keeps the
 * conversation.
 */
async function startSmtp(
  answers: Record<string, string> = {},
): Promise<{ url: string; lines: string[]; commands: string[] }> {
  const lines: string[] = [];
  const commands: string[] = [];
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    let inData = false;
    let rest = "";
    socket.on("error", () => {}).write("220 test\r\n");
    socket.on("data", (chunk) => {
      const all = (rest + chunk.toString("utf8")).split("\r\n");
      rest = all.pop() ?? "";
      for (const line of all) {
        lines.push(line);
        if (!inData) commands.push(line);
        const verb = line.split(/[ :]/)[0]?.toUpperCase() ?? "";
        if (inData && line !== ".") continue;
        if (inData) socket.write(answers["."] ?? "250 taken\r\n");
        else if (verb === "DATA") socket.write("354 go on\r\n");
        else socket.write(answers[verb] ?? "250 ok\r\n");
        inData = !inData && verb === "DATA";
      }
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  open.push({ server, sockets });
  // It listens on TCP, so this is no pipe's name.
  return { url: `smtp://127.0.0.1:${(server.address() as AddressInfo).port}`, lines, commands };
}

function mailerFor(smtpUrl: string, tls: SmtpTls = ""): Mailer {
  const mailer = createMailer({ smtpUrl, tls, from: "Lathe <no-reply@lathe.example>" });
  if (mailer === null) throw new Error("no mailer");
  mailers.push(mailer);
  return mailer;
}

const mail = {
  to: "owner@customer.example",
  subject: "Your run is done",
  text: "It is done.\n",
  messageId: "run-1",
};

describe("createMailer", () => {
  it("is nothing without a server or a sender", () => {
    expect(createMailer({ smtpUrl: "", tls: "", from: "a@b.example" })).toBeNull();
    expect(createMailer({ smtpUrl: "smtp://127.0.0.1", tls: "", from: "" })).toBeNull();
  });

  it("refuses an address that is no SMTP server's", () => {
    for (const smtpUrl of ["http://127.0.0.1/", "file:///dev/null"])
      expect(() => createMailer({ smtpUrl, tls: "", from: "a@b.example" })).toThrow("SMTP_URL");
  });

  it("sends one plain text to one receiver, under the caller's message id", async () => {
    const { url, lines } = await startSmtp();
    await mailerFor(url).send(mail);
    const text = lines.join("\n");
    expect(text).toContain("MAIL FROM:<no-reply@lathe.example>");
    expect(lines.filter((line) => line.startsWith("RCPT"))).toEqual([
      "RCPT TO:<owner@customer.example>",
    ]);
    expect(text).toContain("Message-ID: <run-1@lathe>");
    expect(text).toContain("Subject: Your run is done");
    expect(text).toContain("It is done.");
  });

  it("lets no text become another header, another receiver or a file", async () => {
    const { url, lines, commands } = await startSmtp();
    await mailerFor(url).send({
      ...mail,
      subject: "Hello\r\nBcc: thief@evil.example\r\n\r\nbody",
      text: "\r\n.\r\nMAIL FROM:<x@evil.example>",
    });
    await mailerFor(url)
      .send({ ...mail, to: "owner@customer.example, thief@evil.example" })
      .catch(() => {});
    expect(commands.filter((line) => line.startsWith("MAIL FROM"))).not.toContain(
      "MAIL FROM:<x@evil.example>",
    );
    expect(commands.filter((line) => line.startsWith("RCPT") && line.includes("<thief@"))).toEqual(
      [],
    );
    expect(lines.filter((line) => /^bcc:/i.test(line))).toEqual([]);
  });

  it("sends no mail or password to a server without encryption, where asked for", async () => {
    const { url, commands } = await startSmtp({ STARTTLS: "502 not here\r\n" });
    const withPassword = url.replace("smtp://", "smtp://someone:secret@");
    await expect(mailerFor(withPassword, "starttls").send(mail)).rejects.toThrow(/STARTTLS/);
    expect(commands.filter((line) => /^(AUTH|MAIL|RCPT|DATA)/.test(line))).toEqual([]);
    await mailerFor(url, "off").send(mail);
    expect(commands.some((line) => line.startsWith("MAIL"))).toBe(true);
  });

  it("asks every server but this machine's for encryption, unless set otherwise", () => {
    for (const host of ["mail.example", "192.0.2.1", "localhost.example", "[2001:db8::1]"])
      expect(transportOptions(`smtp://${host}`, ""), host).toMatchObject({
        secure: false,
        requireTLS: true,
      });
    for (const host of ["localhost", "127.0.0.1", "127.8.8.8", "[::1]"])
      expect(transportOptions(`smtp://${host}`, ""), host).toMatchObject({
        secure: false,
        requireTLS: false,
        ignoreTLS: false,
      });
    expect(transportOptions("smtp://mail.example", "off")).toMatchObject({
      secure: false,
      requireTLS: false,
      ignoreTLS: true,
      port: 587,
    });
    expect(transportOptions("smtp://mail.example", "tls")).toMatchObject({
      secure: true,
      port: 465,
    });
    expect(transportOptions("smtps://mail.example", "")).toMatchObject({ secure: true, port: 465 });
    expect(transportOptions("smtps://mail.example", "starttls")).toMatchObject({
      secure: false,
      requireTLS: true,
      port: 587,
    });
    expect(transportOptions("smtp://127.0.0.1", "starttls")).toMatchObject({
      secure: false,
      requireTLS: true,
    });
  });

  it("rejects when the server does not take the mail, or is not there", async () => {
    const { url } = await startSmtp({ RCPT: "550 no such user\r\n" });
    await expect(mailerFor(url).send(mail)).rejects.toThrow("550");
    await expect(mailerFor("smtp://127.0.0.1:1").send(mail)).rejects.toThrow("ECONNREFUSED");
  });
});
