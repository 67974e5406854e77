import { type AddressInfo, createServer, type Socket } from "node:net";
import { until } from "./until";

export interface ReceivedMail {
  to: string;
  subject: string;
  text: string;
}

export interface MailServer {
  /** For `SMTP_URL`. */
  url: string;
  mails: ReceivedMail[];
  /** The newest mail to the address with this subject, as soon as it has come. */
  mailTo(address: string, subject: string): Promise<ReceivedMail>;
  stop(): Promise<void>;
}

/** An SMTP server on loopback that takes every mail and keeps it. */
export async function startMailServer(): Promise<MailServer> {
  const mails: ReceivedMail[] = [];
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on("close", () => sockets.delete(socket));
    socket.on("error", () => socket.destroy());
    converse(socket, (mail) => mails.push(mail));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo; // it listens on TCP, so this is no pipe's name
  return {
    url: `smtp://127.0.0.1:${port}`,
    mails,
    async mailTo(address, subject) {
      const find = () => mails.findLast((mail) => mail.to === address && mail.subject === subject);
      await until(`a mail "${subject}" to ${address}`, async () => find() !== undefined, {
        deadlineMs: 30_000,
        everyMs: 50,
      });
      return find() ?? { to: address, subject, text: "" };
    },
    stop() {
      for (const socket of sockets) socket.destroy();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
}

function converse(socket: Socket, receive: (mail: ReceivedMail) => void): void {
  let [rest, to, inData] = ["", "", false];
  let lines: string[] = [];
  const answer = (line: string): string | null => {
    if (inData) {
      if (line !== ".") {
        lines.push(line.replace(/^\.\./, "."));
        return null;
      }
      receive({ to, ...readMail(lines) });
      inData = false;
      lines = [];
      return "250 taken";
    }
    if (/^RCPT TO:/i.test(line)) to = /<(.*)>/.exec(line)?.[1] ?? "";
    inData = /^DATA/i.test(line);
    return inData ? "354 go on" : "250 ok";
  };
  socket.write("220 test\r\n");
  socket.on("data", (chunk: Buffer) => {
    const all = (rest + chunk.toString("utf8")).split("\r\n");
    rest = all.pop() ?? "";
    for (const line of all) {
      const said = answer(line);
      if (said !== null) socket.write(`${said}\r\n`);
    }
  });
}

/** Plain text of one part, as the service sends it: in quoted-printable where lines are long. */
function readMail(lines: string[]): { subject: string; text: string } {
  const end = lines.indexOf("");
  const head = lines.slice(0, end).join("\n");
  const body = lines.slice(end + 1).join("\n");
  const isQuoted = /^content-transfer-encoding: *quoted-printable/im.test(head);
  const text = isQuoted
    ? body
        .replace(/=\n/g, "")
        .replace(/=([0-9A-F]{2})/g, (_, hex: string) =>
          String.fromCharCode(Number.parseInt(hex, 16)),
        )
    : body;
  return { subject: /^subject: *(.*)$/im.exec(head)?.[1] ?? "", text };
}
