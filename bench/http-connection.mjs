import { connect } from "node:net";

/**
 * One kept-alive connection that asks one request at a time and reads no more of HTTP than it must: a client of the standard library would cost as much
 * processor time as some of what is measured.
 */
export class HttpConnection {
  #socket;
  #received = "";
  #answer = null;

  static open(port) {
    return new Promise((resolve, reject) => {
      const connection = new HttpConnection();
      connection.#socket = connect(port, "127.0.0.1", () => resolve(connection));
      connection.#socket.setNoDelay(true).setEncoding("latin1");
      connection.#socket.on("data", (part) => connection.#take(part));
      connection.#socket.on("error", (error) => {
        reject(error);
        connection.#fail(error);
      });
      connection.#socket.on("close", () => connection.#fail(new Error("The connection was closed.")));
    });
  }

  close() {
    this.#socket.destroy();
  }

  /** Resolves with `{ status, body }`. */
  ask(method, path, headers, body) {
    return new Promise((resolve, reject) => {
      this.#answer = { resolve, reject, onPart: null };
      this.#send(method, path, headers, body);
    });
  }

  /** Like `ask`, but the body goes piece by piece, as it comes over the wire, to `onPart`. Resolves with the status at its end. */
  follow(method, path, headers, body, onPart) {
    return new Promise((resolve, reject) => {
      this.#answer = { resolve, reject, onPart, status: 0 };
      this.#send(method, path, headers, body);
    });
  }

  #send(method, path, headers, body) {
    let head = `${method} ${path} HTTP/1.1\r\nhost: 127.0.0.1:${this.#socket.remotePort}\r\n`;
    for (const [name, value] of Object.entries(headers)) head += `${name}: ${value}\r\n`;
    if (body !== undefined) head += `content-type: application/json\r\ncontent-length: ${Buffer.byteLength(body)}\r\n`;
    this.#socket.write(`${head}\r\n${body ?? ""}`);
  }

  #take(part) {
    if (this.#answer?.onPart && this.#answer.status > 0) return this.#pass(part);
    this.#received += part;
    const end = this.#received.indexOf("\r\n\r\n");
    if (end < 0 || !this.#answer) return;
    const status = Number(this.#received.slice(9, 12));
    if (this.#answer.onPart) {
      const first = this.#received.slice(end + 4);
      this.#answer.status = status;
      this.#answer.isChunked = /transfer-encoding: *chunked/i.test(this.#received.slice(0, end));
      this.#answer.tail = "";
      return this.#pass(first);
    }
    const body = wholeBody(this.#received, end);
    if (body === null) return;
    this.#settle({ status, body });
  }

  #pass(part) {
    const { onPart, status } = this.#answer;
    if (part !== "") onPart(part);
    this.#answer.tail = (this.#answer.tail + part).slice(-5);
    if (!this.#answer.isChunked || this.#answer.tail === "0\r\n\r\n") this.#settle(status);
  }

  #settle(value) {
    const { resolve } = this.#answer;
    this.#answer = null;
    this.#received = "";
    resolve(value);
  }

  #fail(error) {
    this.#answer?.reject(error);
    this.#answer = null;
  }
}

/** The body of a whole answer; null while some of it is on its way. */
function wholeBody(text, headEnd) {
  const head = text.slice(0, headEnd);
  const length = /content-length: *(\d+)/i.exec(head)?.[1];
  const start = headEnd + 4;
  if (length !== undefined) return text.length < start + Number(length) ? null : text.slice(start, start + Number(length));
  if (!/transfer-encoding: *chunked/i.test(head)) return "";
  if (!text.endsWith("0\r\n\r\n")) return null;
  let body = "";
  for (let at = start; ; ) {
    const line = text.indexOf("\r\n", at);
    const size = Number.parseInt(text.slice(at, line), 16);
    if (!size) return body;
    body += text.slice(line + 2, line + 2 + size);
    at = line + 2 + size + 2;
  }
}
