import { createSocket, type Socket } from "node:dgram";
import { afterEach, describe, expect, it } from "vitest";
import { createNameLookup, lookupAllowedName } from "@/lib/platform/egress/target";

const sockets: Socket[] = [];
afterEach(() => {
  for (const socket of sockets.splice(0)) socket.close();
});

const A = 1;
const AAAA = 28;

/**
 * A name server on the loopback address: answers with these records, with NXDOMAIN where there are
 * none, or not at all.
 */
async function startDns(
  records: Record<string, { [A]?: number[][]; [AAAA]?: number[][] } | "silent">,
) {
  const asked: string[] = [];
  const socket = createSocket("udp4");
  sockets.push(socket);
  socket.on("message", (query, from) => {
    const labels: string[] = [];
    let at = 12;
    for (let length = query[at] ?? 0; length > 0; length = query[at] ?? 0) {
      labels.push(query.toString("latin1", at + 1, at + 1 + length));
      at += length + 1;
    }
    const name = labels.join(".").toLowerCase();
    const type = query.readUInt16BE(at + 1);
    asked.push(`${name} ${type}`);
    const found = records[name];
    if (found === "silent") return;
    const data = (type === A ? found?.[A] : type === AAAA ? found?.[AAAA] : undefined) ?? [];
    const answers = data.map((bytes) =>
      Buffer.from([0xc0, 12, 0, type, 0, 1, 0, 0, 0, 60, 0, bytes.length, ...bytes]),
    );
    const head = Buffer.from([
      query[0] ?? 0,
      query[1] ?? 0,
      0x81,
      found === undefined ? 0x83 : 0x80,
      0,
      1,
      0,
      data.length,
      0,
      0,
      0,
      0,
    ]);
    socket.send(
      Buffer.concat([head, query.subarray(12, at + 5), ...answers]),
      from.port,
      from.address,
    );
  });
  await new Promise<void>((resolve) => socket.bind(0, "127.0.0.1", resolve));
  return { lookup: createNameLookup([`127.0.0.1:${socket.address().port}`]), asked };
}

const never = new AbortController().signal;

describe("createNameLookup", () => {
  it("gives the addresses of both families", async () => {
    const v6 = [0x2a, 0, ...Array<number>(13).fill(0), 1];
    const { lookup } = await startDns({
      "both.example.com": {
        [A]: [
          [93, 184, 216, 34],
          [10, 0, 0, 1],
        ],
        [AAAA]: [v6],
      },
      "six.example.com": { [AAAA]: [v6] },
    });
    expect(await lookup("both.example.com", never)).toEqual([
      "93.184.216.34",
      "10.0.0.1",
      "2a00::1",
    ]);
    expect(await lookup("six.example.com", never)).toEqual(["2a00::1"]);
  });

  it("gives none for a name that does not exist, or where nobody answers for names", async () => {
    const { lookup } = await startDns({});
    expect(await lookup("missing.example.com", never)).toEqual([]);
    expect(await createNameLookup(["127.0.0.1:1"])("x.example.com", never)).toEqual([]);
  });

  it("ends at once when the signal aborts", async () => {
    const { lookup } = await startDns({ "slow.example.com": "silent" });
    const stop = new AbortController();
    const reason = new Error("enough");
    const looking = lookup("slow.example.com", stop.signal);
    stop.abort(reason);
    await expect(looking).rejects.toBe(reason);
  });

  it("reads no host file of the machine, and asks nobody for reserved names", async () => {
    const { lookup, asked } = await startDns({});
    expect(await lookup("localhost", never)).toEqual([]);
    expect(asked.length).toBeGreaterThan(0);
    asked.length = 0;
    expect([await lookup("hooks.invalid", never), asked]).toEqual([[], []]);
  });
});

describe("lookupAllowedName", () => {
  it("knows the machine's own names", async () => {
    expect(await lookupAllowedName("localhost", never)).toContain("127.0.0.1");
  });
});
