import { fileURLToPath } from "node:url";
import { findAccountlessQueries } from "./account-queries.mjs";
import { ACCOUNT_QUERY_EXCEPTIONS } from "./account-query-exceptions.mjs";

/** Part of `npm run check`: refuses a query that finds rows of an account by an id alone. */
const faults = findAccountlessQueries(
  fileURLToPath(new URL("../..", import.meta.url)),
  ACCOUNT_QUERY_EXCEPTIONS,
);
for (const fault of faults) console.error(fault);
if (faults.length > 0)
  console.error(
    "Name the account in the where, or say in scripts/checks/account-query-exceptions.mjs who " +
      "hands the id on and why it can be no stranger's.",
  );
process.exitCode = faults.length > 0 ? 1 : 0;
