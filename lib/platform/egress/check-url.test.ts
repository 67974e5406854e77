import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { checkUrl, EGRESS_REFUSED_MESSAGE } from "@/lib/platform/egress/target";

const OPEN = [
  "http://example.com",
  "https://example.com/",
  "HTTPS://EXAMPLE.COM/x?y=z#f",
  "https://example.com:8443/hook",
  "https://a.b.c.example.co.uk/",
  "https://example.com./",
  "https://bücher.example/",
  "https://under_score.example.com/",
  "https://8.8.8.8/",
  "https://[2606:4700:4700::1111]/",
  "https://134744072/",
  "https://localhost.example.com/",
  "https://internal.example.com/",
  "https://does-not-exist.invalid/",
  "https://x.test/",
];

const INSIDE = [
  "http://localhost",
  "http://LOCALHOST:80/",
  "http://localhost./",
  "http://a.localhost/",
  "http://a.localhost./",
  "http://printer.local/",
  "http://printer.local./",
  "http://metadata.google.internal/",
  "http://metadata.google.internal./",
  "http://metadata/",
  "http://metadata./",
  "http://db",
  "http://router.lan/",
  "http://x.home.arpa/",
  "http://localhost.localdomain/",
  "http://127.0.0.1",
  "http://127.0.0.1.",
  "http://127.1/",
  "http://127.0.1/",
  "http://0x7f.1/",
  "http://0x7f000001/",
  "http://0X7F.0.0.1/",
  "http://2130706433/",
  "http://017700000001/",
  "http://0177.0.0.1/",
  "http://①②⑦.⓪.⓪.①/",
  "http://１２７.０.０.１/",
  "http://127。0。0。1/",
  "http://%31%32%37.0.0.1/",
  "http://127.0.0.1%2e/",
  "http://0/",
  "http://0.0.0.0/",
  "http://00/",
  "http://10.0.0.1/",
  "http://192.168.1.1/",
  "http://172.16.0.1/",
  "http://169.254.169.254/latest/meta-data/",
  "http://0xa9fea9fe/",
  "http://2852039166/",
  "http://0251.0376.0251.0376/",
  "http://168.63.129.16/",
  "http://100.100.100.200/",
  "http://192.0.0.192/",
  "http://255.255.255.255/",
  "http://224.0.0.1/",
  "http://[::]/",
  "http://[::1]/",
  "http://[0:0:0:0:0:0:0:1]/",
  "http://[::127.0.0.1]/",
  "http://[::ffff:127.0.0.1]/",
  "http://[::ffff:7f00:1]/",
  "http://[::a9fe:a9fe]/",
  "http://[::ffff:a9fe:a9fe]/",
  "http://[64:ff9b::a9fe:a9fe]/",
  "http://[2002:7f00:1::]/",
  "http://[2001::1]/",
  "http://[fe80::1]/",
  "http://[fd00:ec2::254]/",
  "http://[fc00::1]/",
  "http://[ff02::1]/",
  "http://[2001:db8::1]/",
  "http://[3fff::1]/",
  "http://foo..com/",
  "http://.example.com/",
  "http://example.com../",
  "http:\\\\127.0.0.1\\",
  "http:/127.0.0.1/",
  "http:127.0.0.1",
  "http:///127.0.0.1/",
  "http://loc\u00adalhost/",
  "http://ⓛⓞⓒⓐⓛⓗⓞⓢⓣ/",
  "http://localhost。/",
];

const MALFORMED = [
  "",
  "example.com",
  "/hook",
  "//example.com/",
  "ftp://example.com/",
  "file:///etc/passwd",
  "gopher://example.com/",
  "javascript:alert(1)",
  "data:,x",
  "ws://example.com/",
  "blob:https://example.com/x",
  "http://",
  "https://:80/",
  "http://example.com:99999/",
  "http://exa mple.com/",
  "http://a b/",
  "http://user@example.com/",
  "http://user:pw@example.com/",
  "http://:pw@example.com/",
  "http://example.com@127.0.0.1/",
  "http://%00/",
  "http://[::1",
  "http://[fe80::1%25eth0]/",
  "http://256.1.1.1/",
  "http://1.2.3.4.5/",
  "http://0x100000000/",
  "http://example.com/\n",
  " http://example.com/",
  "http://exam\tple.com/",
  "http://127.0.0.1\\@example.com:x/",
  "http://x.0x7f/",
  "http://foo.1/",
];

it.each([22, 25, 6667, 10080])(
  "refuses port %i, behind which no web server stands, unless the operator exempted it",
  (port) => {
    expect(checkUrl(`https://example.com:${port}/`)).toEqual({
      ok: false,
      message: expect.stringContaining("port"),
    });
    expect(
      checkUrl(`https://example.com:${port}/`, { allow: [`example.com:${port}`] }),
    ).toMatchObject({ ok: true });
  },
);

describe("checkUrl", () => {
  it.each(OPEN)("accepts %s", (text) => expect(checkUrl(text)).toMatchObject({ ok: true }));
  it.each(INSIDE)("refuses %s with the one sentence for all refusals", (text) => {
    expect(checkUrl(text)).toEqual({ ok: false, message: EGRESS_REFUSED_MESSAGE });
  });
  it.each(MALFORMED)("refuses %j", (text) => expect(checkUrl(text)).toMatchObject({ ok: false }));

  it("takes 2,048 characters and not one more", () => {
    const head = "https://example.com/";
    expect(checkUrl(head + "a".repeat(2048 - head.length))).toMatchObject({ ok: true });
    expect(checkUrl(head + "a".repeat(2049 - head.length))).toMatchObject({ ok: false });
  });

  it("exempts exactly the named host and port", () => {
    const allow = ["127.0.0.1:4000", "localhost:80", "[::1]:9", "DB.internal:443"];
    const opens = (text: string) => checkUrl(text, { allow }).ok;
    expect(
      [
        "http://127.0.0.1:4000/",
        "https://127.0.0.1:4000/x",
        "http://2130706433:4000/",
        "http://localhost/",
        "http://[::1]:9/",
        "https://db.internal/",
      ].map(opens),
    ).not.toContain(false);
    expect(
      [
        "http://127.0.0.1:4001/",
        "http://127.0.0.1/",
        "http://localhost:4000/",
        "http://localhost:443/",
        "https://localhost/",
        "http://127.0.0.2:4000/",
        "http://db.internal/",
        "http://a.localhost/",
        "http://u@127.0.0.1:4000/",
        "ftp://127.0.0.1:4000/",
      ].map(opens),
    ).not.toContain(true);
  });

  it("opens nothing for an entry that is no host and port", () => {
    for (const entry of [
      "",
      "*",
      "127.0.0.1",
      "*:4000",
      "127.0.0.1:",
      "127.0.0.1:x",
      "x@127.0.0.1:4000",
      "127.0.0.1:4000/x",
      "127.0.0.1/?:4000",
    ]) {
      expect(checkUrl("http://127.0.0.1:4000/", { allow: [entry] }).ok, entry).toBe(false);
    }
  });

  it("refuses every private IPv4 address in every numeric spelling", () => {
    const byte = fc.integer({ min: 0, max: 255 });
    const radix = fc.constantFrom(
      (n: number) => `${n}`,
      (n: number) => `0x${n.toString(16)}`,
      (n: number) => `0${n.toString(8)}`,
    );
    const head = fc.constantFrom([10, 0], [127, 0], [169, 254], [172, 16], [192, 168]);
    fc.assert(
      fc.property(
        head,
        byte,
        byte,
        radix,
        radix,
        radix,
        fc.boolean(),
        ([a = 0, b = 0], c, d, first, second, last, dot) => {
          const tail = dot ? "." : "";
          const whole = ((a * 256 + b) * 256 + c) * 256 + d;
          for (const host of [
            `${first(a)}.${second(b)}.${first(c)}.${last(d)}`,
            `${first(a)}.${second(b)}.${last(c * 256 + d)}`,
            last(whole),
          ]) {
            expect(checkUrl(`http://${host}${tail}/`).ok, host).toBe(false);
          }
        },
      ),
      { numRuns: 500 },
    );
  });

  it("answers any text at all without throwing", () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string({ unit: "binary" }),
          fc.webUrl(),
          fc.string().map((text) => `http://${text}`),
        ),
        (text) => void checkUrl(text),
      ),
      { numRuns: 2000 },
    );
  });
});
