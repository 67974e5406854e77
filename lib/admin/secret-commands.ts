import "server-only";
import { command } from "@/lib/admin/command";
import { operatorActor } from "@/lib/domain/audit/operator-actor";
import { rotateEncryptionKey } from "@/lib/domain/secrets/rotate-encryption-key";

const secretsRotateKey = command({
  name: "secrets rotate-key",
  summary: "Makes a fresh encryption key, seals every stored secret anew with it and retires the older ones, beside running servers.",
  flags: {},
  run: () => rotateEncryptionKey(operatorActor()),
});

export const SECRET_COMMANDS = [secretsRotateKey];
