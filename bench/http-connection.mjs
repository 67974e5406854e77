import { connect } from "node:net";

/**
 * @typedef {{
 *   resolve: (answer: { status: number, body: string }) => void,
 *   reject: (error: Error) => void,
 *   onPart: null,
 * }} Asked
 * @typedef {{
 *   resolve: (status: number) => void,
 *   reject: (error: Error) => void,
 *   onPart: (part: string) => void,
 *   status: number,
 *   isChunked: boolean,
 *   tail: string,
 * }} Followed
 */

/**
 * One kept-alive connection that asks one request at a time and reads no more of HTTP than it must:
 * a client of the standard library would cost as much processor time as some of what is measured.
 */
export class HttpConnection {
  /** @type {import("node:net").Socket} */
  #socket;
  #received = "";
  /** @type {Asked | Followed | null} */
  #answer = null;

  /** @param {import("node:net").Socket} socket */
  constructor(socket) {
    this.#socket = socket;
  }

  /**
   * @param {number} port
   * @returns {Promise<HttpConnection>}
   */
  static open(port) {
    return new Promise((resolve, reject) => {
      const connection = new HttpConnection(connect(port, "127.0.0.1", () => resolve(connection)));
      connection.#socket.setNoDelay(true).setEncoding("latin1");
      connection.#socket.on("data", (/** @type {string} */ part) => connection.#take(part));
      connection.#socket.on("error", (error) => {
        reject(error);
        connection.#fail(error);
      });
      connection.#socket.on("close", () =>
        connection.#fail(new Error("The connection was closed.")),
      );
    });
  }

  close() {
    this.#socket.destroy();
  }

  /**
   * @param {string} method
   * @param {string} path
   * @param {Record<string, string>} headers
   * @param {string} [body]
   * @returns {Promise<{ status: number, body: string }>}
   */
  ask(method, path, headers, body) {
    return new Promise((resolve, reject) => {
      this.#answer = { resolve, reject, onPart: null };
      this.#send(method, path, headers, body);
    });
  }

  /**
   * Like `ask`, but the body goes piece by piece, as it comes over the wire, to `onPart`.
   * @param {string} method
   * @param {string} path
   * @param {Record<string, string>} headers
   * @param {string | undefined} body
   * @param {(part: string) => void} onPart
   * @returns {Promise<number>} the status, at the end
   */
  follow(method, path, headers, body, onPart) {
    return new Promise((resolve, reject) => {
      this.#answer = { resolve, reject, onPart, status: 0, isChunked: false, tail: "" };
      this.#send(method, path, headers, body);
    });
  }

  /**
   * @param {string} method
   * @param {string} path
   * @param {Record<string, string>} headers
   * @param {string} [body]
   */
  #send(method, path, headers, body) {
    let head = `${method} ${path} HTTP/1.1\r\nhost: 127.0.0.1:${this.#socket.remotePort}\r\n`;
    for (const [name, value] of Object.entries(headers)) head += `${name}: ${value}\r\n`;
    if (body !== undefined)
      head += `content-type: application/json\r\ncontent-length: ${Buffer.byteLength(body)}\r\n`;
    this.#socket.write(`${head}\r\n${body ?? ""}`);
  }

  /** @param {string} part */
  #take(part) {
    if (this.#answer?.onPart && this.#answer.status > 0) return this.#pass(this.#answer, part);
    this.#received += part;
    const end = this.#received.indexOf("\r\n\r\n");
    if (end < 0 || !this.#answer) return;
    const status = Number(this.#received.slice(9, 12));
    if (this.#answer.onPart) {
      const first = this.#received.slice(end + 4);
      this.#answer.status = status;
      this.#answer.isChunked = /transfer-encoding: *chunked/i.test(this.#received.slice(0, end));
      return this.#pass(this.#answer, first);
    }
    const body = wholeBody(this.#received, end);
    if (body === null) return;
    this.#answer.resolve({ status, body });
    this.#reset();
  }

  /**
   * @param {Followed} answer
   * @param {string} part
   */
  #pass(answer, part) {
    if (part !== "") answer.onPart(part);
    answer.tail = (answer.tail + part).slice(-5);
    if (answer.isChunked && answer.tail !== "0\r\n\r\n") return;
    answer.resolve(answer.status);
    this.#reset();
  }

  #reset() {
    this.#answer = null;
    this.#received = "";
  }

  /** @param {Error} error */
  #fail(error) {
    this.#answer?.reject(error);
    this.#answer = null;
  }
}

/**
 * The body of a whole answer; null while some of it is on its way.
 * @param {string} text
 * @param {number} headEnd
 */
function wholeBody(text, headEnd) {
  const head = text.slice(0, headEnd);
  const length = /content-length: *(\d+)/i.exec(head)?.[1];
  const start = headEnd + 4;
  if (length !== undefined)
    return text.length < start + Number(length) ? null : text.slice(start, start + Number(length));
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
