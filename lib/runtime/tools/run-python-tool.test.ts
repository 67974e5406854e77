import { expect, test } from "vitest";
import { TEST_PORTS } from "@/lib/runtime/test/test-tools";
import { RUN_PYTHON } from "@/lib/runtime/tools/run-python-tool";

test("a model is told of packages where an operator's image has them, else of none", () => {
  const told = (pythonImage: boolean) =>
    RUN_PYTHON.make({ ...TEST_PORTS, pythonImage })?.description;
  expect(told(false)).toContain("standard library alone (no numpy, pandas or matplotlib)");
  expect(told(true)).toContain("packages that the operator put into its image");
  expect(told(true)).not.toMatch(/alone|no numpy|no processes|640 MB/);
});
