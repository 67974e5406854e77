import { describe, expect, test } from "vitest";
import { FrameReader } from "@/lib/runtime/sandbox/frame-reader";

const frame = (header: object, payload = "") =>
  Buffer.from(`${JSON.stringify({ ...header, bytes: Buffer.byteLength(payload) })}\n${payload}`);

describe("frames of a child", () => {
  test.each([1, 3, 7, 1000])("come whole, however they are cut (%i bytes at once)", (size) => {
    const all = Buffer.concat([
      frame({ a: 1 }, "one\ntwo"),
      frame({ b: 2 }),
      frame({ c: 3 }, "x".repeat(50)),
    ]);
    const reader = new FrameReader();
    const frames = [];
    for (let at = 0; at < all.length; at += size)
      frames.push(...reader.push(all.subarray(at, at + size)));
    expect(frames.map(({ header, payload }) => [header, payload.toString()])).toEqual([
      [{ a: 1, bytes: 7 }, "one\ntwo"],
      [{ b: 2, bytes: 0 }, ""],
      [{ c: 3, bytes: 50 }, "x".repeat(50)],
    ]);
  });

  test.each([
    ["no JSON", "nonsense\n"],
    ["a size below nothing", '{"bytes":-1}\n'],
    ["half a byte", '{"bytes":1.5}\n'],
    ["a header without an end", "x".repeat(20_000)],
  ])("that are none are refused: %s", (_, text) => {
    expect(() => new FrameReader().push(Buffer.from(text))).toThrow(SyntaxError);
  });
});
