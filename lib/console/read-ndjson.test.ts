import { expect, it } from "vitest";
import { readNdjson } from "@/lib/console/follow-run";

function streamOf(chunks: Uint8Array[], onCancel?: () => void): ReadableStream<Uint8Array> {
  return new ReadableStream({
    pull(controller) {
      const chunk = chunks.shift();
      if (chunk) controller.enqueue(chunk);
      else controller.close();
    },
    cancel: onCancel,
  });
}

async function collect(stream: ReadableStream<Uint8Array>): Promise<unknown[]> {
  const values: unknown[] = [];
  for await (const value of readNdjson(stream)) values.push(value);
  return values;
}

it("reads the same values wherever the bytes are cut, even inside a character", async () => {
  const bytes = new TextEncoder().encode('{"a":"größe 🙂"}\n\n{"b":2}\n');
  for (let cut = 0; cut <= bytes.length; cut += 1) {
    expect(await collect(streamOf([bytes.slice(0, cut), bytes.slice(cut)]))).toEqual([{ a: "größe 🙂" }, { b: 2 }]);
  }
});

it("drops a last line that was cut off, and throws on one that is no JSON", async () => {
  const encode = (text: string) => new TextEncoder().encode(text);
  expect(await collect(streamOf([encode('{"a":1}\n{"b"')]))).toEqual([{ a: 1 }]);
  await expect(collect(streamOf([encode("<html>\n")]))).rejects.toThrow();
});

it("gives up a line without an end", async () => {
  const chunk = new TextEncoder().encode("a".repeat(1_000_000));
  await expect(collect(streamOf([chunk, chunk, chunk, chunk, chunk]))).rejects.toThrow("without an end");
});

it("ends the connection when the reader leaves early", async () => {
  let cancelled = false;
  const encode = (text: string) => new TextEncoder().encode(text);
  const stream = streamOf([encode("1\n"), encode("2\n"), encode("3\n")], () => {
    cancelled = true;
  });
  for await (const value of readNdjson(stream)) if (value === 1) break;
  expect(cancelled).toBe(true);
});
