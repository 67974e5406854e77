import { expect, test } from "vitest";
import { readQuery } from "@/lib/api/http/parse-with";

const read = (text: string) => readQuery(new URLSearchParams(text));

test("metadata's pairs become one object, and the last of repeated keys counts", () => {
  expect(read("a=1&metadata[k]=v&metadata[k]=w&metadata[l]=&a=2")).toEqual({
    a: "2",
    metadata: { k: "w", l: "" },
  });
  expect(read("metadata[toString]=x")).toEqual({ metadata: { toString: "x" } });
});

test.each(["q=%00", "metadata[%00]=x", "metadata[a]=%00", "%00=x"])(
  "a NUL is refused in names as in values: %s",
  (text) => {
    expect(() => read(text)).toThrow("NUL");
  },
);

test("a metadata key that an object swallows is refused, not passed over", () => {
  expect(() => read("metadata[__proto__]=x")).toThrow("__proto__");
});

test.each(["metadata=1&metadata[a]=b", "metadata[a]=b&metadata=1"])(
  "a plain metadata beside pairs stays, for the schema to refuse: %s",
  (text) => {
    expect(read(text)).toEqual({ metadata: "1" });
  },
);
