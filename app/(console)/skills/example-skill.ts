/** A small skill that installs as it stands. */
export const EXAMPLE_SKILL = `---
name: invoice-check
description: Checks an invoice for sums, dates and VAT. Use it for any bill or invoice.
---

# Checking an invoice

1. Add the lines up and compare with the total.
2. Check that the due date is after the invoice date.
3. Name the VAT rate of each line; say when one is missing.

Answer with a short list of faults, the worst first, or “No faults found.”
`;
