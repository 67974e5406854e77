import { z } from "zod";
import { DESCRIPTION_MAX_CHARACTERS } from "@/lib/model/limits";
import { readAllowedHost } from "@/lib/model/secret/allowed-host";
import { SECRET_MAX_ALLOWED_HOSTS, SECRET_NAME, SECRET_VALUE_MAX_BYTES } from "@/lib/model/secret/secret-limits";

/** What the form holds; `hosts` is a text with one a line. */
export const secretValuesSchema = z.object({
  name: z.string().regex(SECRET_NAME, "Start with a capital letter, then capital letters, digits and _, 64 characters at most."),
  value: z
    .string()
    .min(1, "Enter the value.")
    .refine(
      (text) => new TextEncoder().encode(text).length <= SECRET_VALUE_MAX_BYTES,
      `At most ${SECRET_VALUE_MAX_BYTES.toLocaleString("en")} bytes.`,
    ),
  hosts: z.string().superRefine((text, context) => {
    const hosts = hostsOf(text);
    if (hosts.length === 0)
      context.addIssue({ code: "custom", message: "Name a host that the value may be sent to, such as api.example.com." });
    const bad = hosts.find((host) => readAllowedHost(host) === null);
    if (bad !== undefined)
      context.addIssue({ code: "custom", message: `“${bad.slice(0, 80)}” is no host: write it without https:// and without a path.` });
    if (hosts.length > SECRET_MAX_ALLOWED_HOSTS)
      context.addIssue({ code: "custom", message: `At most ${SECRET_MAX_ALLOWED_HOSTS} hosts.` });
  }),
  description: z.string().max(DESCRIPTION_MAX_CHARACTERS, `At most ${DESCRIPTION_MAX_CHARACTERS.toLocaleString("en")} characters.`),
});

export type SecretValues = z.infer<typeof secretValuesSchema>;

/** The hosts of a text: one a line, or between commas or spaces. */
export function hostsOf(text: string): string[] {
  return text.split(/[\s,]+/).filter(Boolean);
}
