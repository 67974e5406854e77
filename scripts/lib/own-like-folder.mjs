import { chownSync, statSync } from "node:fs";
import { dirname } from "node:path";

/** As root: gives `path` to the owner of its folder, so that who owns a data folder is not locked out of it by one start as root. */
export function ownLikeFolder(path) {
  if (process.getuid?.() !== 0) return;
  const { uid, gid } = statSync(dirname(path));
  if (uid !== 0) chownSync(path, uid, gid);
}
