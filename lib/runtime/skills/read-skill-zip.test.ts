import fc from "fast-check";
import { type Zippable, zipSync } from "fflate";
import { describe, expect, it } from "vitest";
import { parseSkill } from "@/lib/model/skill/parse-skill";
import { readSkillZip, SkillZipRefused } from "@/lib/runtime/skills/read-skill-zip";

const text = (value: string) => new TextEncoder().encode(value);
const SKILL = text("---\nname: a-skill\ndescription: Does a thing.\n---\n# Do it\n");
const zip = (files: Zippable) => Buffer.from(zipSync(files));
const readZip = (bytes: Buffer) => readSkillZip(bytes, parseSkill);
const MEBIBYTE = 1_024 * 1_024;

/** Replaces every occurrence of one text in the zip's own headers by another of the same length. */
function patch(bytes: Buffer, from: string, to: string): Buffer {
  const patched = Buffer.from(bytes);
  for (let at = patched.indexOf(from); at !== -1; at = patched.indexOf(from, at + 1))
    patched.write(to, at, "latin1");
  return patched;
}

const refusal = async (bytes: Buffer) => {
  const failure = await readZip(bytes).then(
    () => null,
    (error: unknown) => error,
  );
  expect(failure).toBeInstanceOf(SkillZipRefused);
  return failure instanceof Error ? failure.message : "";
};

describe("readSkillZip", () => {
  it("reads a skill at the root, with the files beside it", async () => {
    const { skill, files } = await readZip(
      zip({
        "SKILL.md": SKILL,
        scripts: { "run.js": text("1") },
        "data.bin": new Uint8Array([0, 255, 128]),
      }),
    );
    expect(skill).toMatchObject({ name: "a-skill", body: "# Do it\n" });
    expect(files.map(({ path, bytes }) => [path, [...bytes]])).toEqual([
      ["scripts/run.js", [49]],
      ["data.bin", [0, 255, 128]],
    ]);
  });

  it("reads a skill in the zip's one folder, and skips what systems leave behind", async () => {
    const { skill, files } = await readZip(
      zip({
        "a-skill/": new Uint8Array(),
        "a-skill/SKILL.md": SKILL,
        "a-skill/é.txt": text("x"),
        "a-skill/.DS_Store": text("x"),
        "__MACOSX/a-skill/._SKILL.md": text("x"),
      }),
    );
    expect(skill.name).toBe("a-skill");
    expect(files.map(({ path }) => path)).toEqual(["é.txt"]);
  });

  it("keeps the root's SKILL.md apart from one in a folder", async () => {
    const { files } = await readZip(zip({ "SKILL.md": SKILL, "more/SKILL.md": text("x") }));
    expect(files.map(({ path }) => path)).toEqual(["more/SKILL.md"]);
  });

  it.each([
    ["nothing", Buffer.alloc(0), "broken"],
    ["no zip", Buffer.from("PK\u0003\u0004 no zip at all".repeat(10)), "broken"],
    ["an empty zip", zip({}), "must hold SKILL.md"],
    ["no SKILL.md", zip({ "README.md": SKILL }), "must hold SKILL.md"],
    ["skill.md in lower case", zip({ "skill.md": SKILL }), "must hold SKILL.md"],
    ["two folders", zip({ "a/SKILL.md": SKILL, "b/x": text("x") }), "must hold SKILL.md"],
    ["a folder in a folder", zip({ "a/b/SKILL.md": SKILL }), "must hold SKILL.md"],
    ["a file beside the folder", zip({ "a/SKILL.md": SKILL, x: text("x") }), "must hold SKILL.md"],
    [
      "a SKILL.md without a name",
      zip({ "SKILL.md": text("---\ndescription: x\n---\n") }),
      "SKILL.md: line 2",
    ],
    [
      "a SKILL.md that is no UTF-8",
      zip({ "SKILL.md": Buffer.concat([SKILL, Buffer.from([0xff, 0xfe])]) }),
      "must be UTF-8",
    ],
    [
      "a SKILL.md that is too long",
      zip({ "SKILL.md": Buffer.concat([SKILL, Buffer.alloc(262_144, "x")]) }),
      "at most 262144 bytes",
    ],
    ["a way up", zip({ "SKILL.md": SKILL, "../x": text("x") }), "broken"],
    ["a way up inside", zip({ "SKILL.md": SKILL, "a/../../x": text("x") }), "broken"],
    ["an absolute name", zip({ "SKILL.md": SKILL, "/etc/x": text("x") }), "broken"],
    ["a drive", zip({ "SKILL.md": SKILL, "C:/x": text("x") }), "broken"],
    ["a backslash", zip({ "SKILL.md": SKILL, "a\\x": text("x") }), "broken"],
    ["a dot", zip({ "SKILL.md": SKILL, "./x": text("x") }), "bad path"],
    ["an empty piece", zip({ "SKILL.md": SKILL, "a//x": text("x") }), "bad path"],
    ["a line end in a name", zip({ "SKILL.md": SKILL, "é\nx": text("x") }), "bad path"],
    [
      "a name that is too long",
      zip({ "SKILL.md": SKILL, ["x".repeat(1_025)]: text("x") }),
      "bad path",
    ],
    [
      "names that differ in case",
      zip({ "SKILL.md": SKILL, "a/x": text("x"), "a/X": text("x") }),
      "same name",
    ],
    ["another Skill.md", zip({ "SKILL.md": SKILL, "Skill.md": text("x") }), "same name"],
    [
      "folders that differ in case",
      zip({ "SKILL.md": SKILL, "a/x": text("x"), "A/y": text("x") }),
      "differ in upper and lower case",
    ],
    [
      "two spellings of one letter",
      zip({ "SKILL.md": SKILL, "\u00e9": text("x"), "e\u0301": text("x") }),
      "same name",
    ],
    [
      "a file that is a folder too",
      zip({ "SKILL.md": SKILL, a: text("x"), "a/b": text("x") }),
      "same name",
    ],
    [
      "the same name twice",
      patch(
        zip({ "SKILL.md": SKILL, "twin-a": text("x"), "twin-b": text("y") }),
        "twin-b",
        "twin-a",
      ),
      "same name",
    ],
    [
      "SKILL.md twice",
      patch(zip({ "SKILL.md": SKILL, "SKILL.mx": text("y") }), "SKILL.mx", "SKILL.md"),
      "same name",
    ],
    [
      "a link",
      zip({ "SKILL.md": SKILL, link: [text("/etc/passwd"), { os: 3, attrs: 0o120777 << 16 }] }),
      "link or a special file",
    ],
    [
      "a link for SKILL.md",
      zip({ "SKILL.md": [text("/etc/passwd"), { os: 3, attrs: 0o120777 << 16 }] }),
      "link or a special file",
    ],
    [
      "a device",
      zip({ "SKILL.md": SKILL, dev: [text(""), { os: 3, attrs: 0o060666 << 16 }] }),
      "link or a special file",
    ],
  ])("refuses %s", async (_, bytes, expected) => {
    expect(await refusal(bytes)).toContain(expected);
  });

  it("takes 200 files, and not one more", async () => {
    const files = (count: number) =>
      Object.fromEntries(Array.from({ length: count }, (_, index) => [`f${index}`, text("x")]));
    expect((await readZip(zip({ "SKILL.md": SKILL, ...files(199) }))).files).toHaveLength(199);
    expect(await refusal(zip({ "SKILL.md": SKILL, ...files(200) }))).toContain(
      "more than 200 files",
    );
    expect(await refusal(zip({ "SKILL.md": SKILL, ...files(600) }))).toContain(
      "more than 450 entries",
    );
  });

  it("takes 20 MiB unpacked, and not one byte more, whatever the zip declares", async () => {
    const most = 20 * MEBIBYTE - SKILL.length;
    const { files } = await readZip(zip({ "SKILL.md": SKILL, zeros: new Uint8Array(most) }));
    expect(files[0]?.bytes).toHaveLength(most);
    const bomb = zip({ "SKILL.md": SKILL, zeros: new Uint8Array(most + 1) });
    expect(await refusal(bomb)).toContain("bytes unpacked");
    const lying = Buffer.from(bomb);
    const size = Buffer.alloc(4);
    size.writeUInt32LE(most + 1);
    for (let at = lying.indexOf(size); at !== -1; at = lying.indexOf(size, at + 1))
      lying.writeUInt32LE(10, at);
    expect(await refusal(lying)).toContain("cannot be unpacked");
  });

  it("takes 5 MiB packed, and not one byte more", async () => {
    expect(await refusal(Buffer.alloc(5 * MEBIBYTE + 1))).toContain("at most 5242880 bytes");
  });

  it("notices bytes that were changed after packing", async () => {
    const stored = Buffer.from(zipSync({ "SKILL.md": SKILL, x: text("original") }, { level: 0 }));
    expect(await refusal(patch(stored, "original", "tampered"))).toContain("not what it was");
  });

  it("reads or refuses any damaged zip, and never does anything else", async () => {
    const good = zip({
      "SKILL.md": SKILL,
      "a/b.txt": text("hello".repeat(50)),
      c: new Uint8Array(300),
    });
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.tuple(fc.nat(good.length - 1), fc.nat(255)), { minLength: 1, maxLength: 4 }),
        fc.nat(good.length),
        async (changes, cut) => {
          const bytes = Buffer.from(good.subarray(0, cut % 5 === 0 ? cut : good.length));
          for (const [at, byte] of changes) if (at < bytes.length) bytes[at] = byte;
          const outcome = await readZip(bytes).then(
            ({ files }) => files.length <= 2,
            (error: unknown) => error instanceof SkillZipRefused,
          );
          expect(outcome).toBe(true);
        },
      ),
      { numRuns: 1_500 },
    );
  });
});
