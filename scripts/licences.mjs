import "./setup/on-supported-node.mjs";

import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { licencesText, lockedPackages } from "./checks/licences.mjs";

/** `npm run task -- licences`: writes THIRD_PARTY_LICENSES from the lock file and the packages. */
const root = fileURLToPath(new URL("..", import.meta.url));
writeFileSync(join(root, "THIRD_PARTY_LICENSES"), licencesText(root, lockedPackages(root)));
