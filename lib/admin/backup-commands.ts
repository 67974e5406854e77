import "server-only";
import { type Command, commandHelp } from "@/lib/admin/command";
import { UsageError } from "@/lib/admin/flags";
import { restoreBackup } from "@/lib/domain/backup/restore-backup";
import { writeBackup } from "@/lib/domain/backup/write-backup";

/** A command that takes a folder and nothing else. */
function onFolder(name: string, summary: string, work: (path: string) => Promise<object>): Command {
  return {
    name,
    summary,
    flags: {},
    async run(words) {
      const [path, ...more] = words;
      if (path === "--help" || path === "-h") return commandHelp({ name: `${name} PATH`, summary, flags: {} });
      if (path === undefined || path === "" || path.startsWith("-") || more.length > 0)
        throw new UsageError(`Say the one folder: npm run -s admin -- ${name} PATH`);
      return work(path);
    },
  };
}

export const BACKUP_COMMANDS = [
  onFolder("backup", "Saves database, files and keys into a new folder, of one moment, while the service runs.", writeBackup),
  onFolder("restore", "Fills a stopped, empty service from such a folder.", restoreBackup),
];
