import "server-only";
import { command } from "@/lib/admin/command";
import { toggle, whole } from "@/lib/admin/flags";
import { checkInvariants } from "@/lib/domain/admin/check-invariants";
import { adoptFileStore, adoptKeyRing } from "@/lib/domain/admin/service-identity";
import { findLeakedFiles, findMissingFiles } from "@/lib/domain/blobs/blob-audit";

const SHOWN = 20;

const check = command({
  name: "check",
  summary: "Looks at the books and the states of everything, beside the running service; prints {ok: true}, or what is broken.",
  flags: { grace: whole("Seconds that what is under way may take to become true: 60, or 0 where everything stands still.") },
  run: ({ grace }) => checkInvariants(grace),
});

const filesCheck = command({
  name: "files check",
  summary: "Compares the file store with the rows that name files: bytes that no row has named for a day, and rows whose bytes are gone.",
  flags: { delete: toggle("Whether the bytes that no row names are removed.") },
  async run(flags) {
    const { looked, leaked } = await findLeakedFiles("", { remove: flags.delete === true });
    const { rows, missing } = await findMissingFiles();
    const removed = flags.delete === true ? leaked.length : 0;
    return {
      ok: missing.length === 0 && leaked.length === removed,
      files: looked,
      rows,
      leaked: leaked.length,
      leaked_bytes: leaked.reduce((sum, { size_bytes }) => sum + size_bytes, 0),
      leaked_keys: leaked.slice(0, SHOWN).map(({ key }) => key),
      removed,
      missing: missing.length,
      missing_rows: missing.slice(0, SHOWN).map(({ table, id, account_id, key }) => ({ table, id, account_id, key })),
    };
  },
});

const filesAdopt = command({
  name: "files adopt",
  summary: "Says that the files of this database lie in the store of these settings, where each of them is looked for first.",
  flags: {},
  run: () => adoptFileStore(),
});

const secretsAdopt = command({
  name: "secrets adopt",
  summary: "Says that the encryption keys of these settings are this database's from now on, where the older ones are lost.",
  flags: {},
  run: () => adoptKeyRing(),
});

export const CHECK_COMMANDS = [check, filesCheck, filesAdopt, secretsAdopt];
