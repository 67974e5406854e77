import "server-only";

export const EXAMPLE_SKILL_TEXT =
  "---\nname: invoice-check\ndescription: Checks invoices. Use it for any bill.\n---\n\n# Checking\n\n1. Add the lines up.\n";
