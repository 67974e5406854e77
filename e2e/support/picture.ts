import { inflateSync } from "node:zlib";

/** A picture's pixels, in which a test looks for what should be there. */
export interface Picture {
  width: number;
  height: number;
  /** The share of its pixels that have this colour, `#2563eb`, give or take a few steps. */
  shareOf(colour: string): number;
  /** Whether all pixels of its outermost rows and columns are white: nothing runs out of it. */
  hasWhiteEdge(): boolean;
}

const CHANNELS: Readonly<Record<number, number>> = { 0: 1, 2: 3, 4: 2, 6: 4 };
/** Of 255, for each of red, green and blue: edges are smoothed. */
const TOLERANCE = 6;

/** Reads a PNG of eight bits a channel that is not interlaced. @throws Error for another one */
export function readPng(png: Uint8Array): Picture {
  const bytes = Buffer.from(png);
  if (bytes.subarray(0, 8).toString("latin1") !== "\x89PNG\r\n\x1a\n") throw new Error("no PNG");
  const parts: Buffer[] = [];
  for (let at = 8; at < bytes.length; at += 12 + bytes.readUInt32BE(at))
    if (bytes.toString("latin1", at + 4, at + 8) === "IDAT")
      parts.push(bytes.subarray(at + 8, at + 8 + bytes.readUInt32BE(at)));
  const [width, height] = [bytes.readUInt32BE(16), bytes.readUInt32BE(20)];
  const [depth, kind, , , interlaced] = bytes.subarray(24, 29);
  const channels = CHANNELS[kind ?? -1];
  if (depth !== 8 || channels === undefined || interlaced !== 0)
    throw new Error(`a PNG of ${depth} bits, colour type ${kind}, interlace ${interlaced}`);
  const rows = unfilter(inflateSync(Buffer.concat(parts)), width * channels, height, channels);
  const isGrey = channels < 3;
  const hasAlpha = channels % 2 === 0;
  /** Red (0), green or blue of a pixel as it stands before white. */
  const channelOf = (at: number, index: number) => {
    const value = rows[at * channels + (isGrey ? 0 : index)] ?? 0;
    const alpha = hasAlpha ? (rows[at * channels + channels - 1] ?? 255) / 255 : 1;
    return Math.round(value * alpha + 255 * (1 - alpha));
  };
  const differs = (at: number, wanted: readonly number[], most: number) =>
    wanted.some((value, index) => Math.abs(channelOf(at, index) - value) > most);
  return {
    width,
    height,
    shareOf(colour) {
      const wanted = [1, 3, 5].map((at) => Number.parseInt(colour.slice(at, at + 2), 16));
      let found = 0;
      for (let at = 0; at < width * height; at += 1)
        if (!differs(at, wanted, TOLERANCE)) found += 1;
      return found / (width * height);
    },
    hasWhiteEdge() {
      const isEdge = (at: number) =>
        at < width || at >= width * (height - 1) || at % width === 0 || at % width === width - 1;
      for (let at = 0; at < width * height; at += 1)
        if (isEdge(at) && differs(at, [255, 255, 255], TOLERANCE)) return false;
      return true;
    },
  };
}

/** Undoes the filter that each row of a PNG says in its first byte. */
function unfilter(data: Buffer, rowBytes: number, height: number, step: number): Uint8Array {
  const rows = new Uint8Array(rowBytes * height);
  for (let y = 0; y < height; y += 1) {
    const filter = data[y * (rowBytes + 1)] ?? 0;
    for (let x = 0; x < rowBytes; x += 1) {
      const at = y * rowBytes + x;
      const left = x >= step ? (rows[at - step] ?? 0) : 0;
      const up = y > 0 ? (rows[at - rowBytes] ?? 0) : 0;
      const corner = x >= step && y > 0 ? (rows[at - rowBytes - step] ?? 0) : 0;
      const base = [0, left, up, Math.floor((left + up) / 2), paeth(left, up, corner)][filter];
      if (base === undefined) throw new Error(`a PNG with filter ${filter}`);
      rows[at] = (data[y * (rowBytes + 1) + 1 + x] ?? 0) + base;
    }
  }
  return rows;
}

/** The neighbour that is nearest to left + up - corner. */
function paeth(left: number, up: number, corner: number): number {
  const guess = left + up - corner;
  const [toLeft, toUp, toCorner] = [left, up, corner].map((value) => Math.abs(guess - value));
  if ((toLeft ?? 0) <= (toUp ?? 0) && (toLeft ?? 0) <= (toCorner ?? 0)) return left;
  return (toUp ?? 0) <= (toCorner ?? 0) ? up : corner;
}
