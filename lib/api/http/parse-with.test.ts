import { expect, test } from "vitest";
import { z } from "zod";
import { parseWith } from "@/lib/api/http/parse-with";
import type { ServiceError } from "@/lib/model/errors";

test.each(["toString", "constructor", "hasOwnProperty", "surprise"])(
  "a property that is not taken is named with a text of ours: %s",
  (key) => {
    try {
      parseWith(z.strictObject({}), { [key]: 1 });
      expect.unreachable();
    } catch (error) {
      expect((error as ServiceError).extras.details).toEqual([{ path: key, message: "is not a property of this request" }]);
    }
  },
);

test("a name of the other family of routes is answered with the right one", () => {
  expect(() => parseWith(z.strictObject({}), { appId: 1 })).toThrow("agent_id");
});
