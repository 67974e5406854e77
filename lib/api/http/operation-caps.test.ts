import { expect, test } from "vitest";
import { APP_OPERATIONS } from "@/lib/api/apps/operations";
import { CONSOLE_OPERATIONS } from "@/lib/api/console/console-surface";
import { declaredErrors, type Operation } from "@/lib/api/http/operation";
import { openapiDocument } from "@/lib/api/openapi/document-text";
import { V1_OPERATIONS } from "@/lib/api/v1/operations";
import { standardCap } from "@/lib/domain/limits/row-caps";
import { isRowCap, ROW_CAPS } from "@/lib/model/limits";

const OPERATIONS = [...V1_OPERATIONS, ...APP_OPERATIONS, ...CONSOLE_OPERATIONS];

/**
 * Those that answer that something was made, and do not say what of an account's it counts against.
 */
function uncapped(operations: readonly Operation[]): string[] {
  return operations
    .filter(
      ({ responses, creates }) =>
        creates.length === 0 && responses.some(({ status }) => status === 201 || status === 202),
    )
    .map(({ operationId }) => operationId);
}

test("every operation that makes something names the cap of it", () => {
  expect(uncapped(OPERATIONS)).toEqual([]);
});

test("an operation that makes something and names no cap is found", () => {
  const [planted] = OPERATIONS.filter(({ operationId }) => operationId === "createWorkspace").map(
    (each) => ({ ...each, creates: [] }),
  );
  expect(uncapped(planted ? [planted] : [])).toEqual(["createWorkspace"]);
});

test("every cap is named by an operation, which documents its number and its refusal", () => {
  const document = openapiDocument([...V1_OPERATIONS, ...APP_OPERATIONS]);
  const seen = new Set<string>();
  for (const operation of OPERATIONS) {
    for (const cap of operation.creates.filter(isRowCap)) {
      seen.add(cap);
      expect(declaredErrors(operation)).toContain("CONFLICT");
      if (operation.auth === "session") continue;
      const item = document.paths?.[operation.path];
      // Whatever its method, it is an operation.
      const described = item?.[operation.method.toLowerCase() as "post"];
      expect(described?.description).toContain(
        `at most ${standardCap(cap).toLocaleString("en-US")} ${ROW_CAPS[cap].what}`,
      );
      expect(described).toHaveProperty(["x-account-caps", cap], standardCap(cap));
    }
  }
  expect([...seen].sort()).toEqual(Object.keys(ROW_CAPS).sort());
});
