import "server-only";
import { command } from "@/lib/admin/command";
import { rotateSealedValues } from "@/lib/domain/secrets/rotate-sealed-values";

const secretsRotateKey = command({
  name: "secrets rotate-key",
  summary: "Seals every stored secret anew with the ring's first key.",
  flags: {},
  run: () => rotateSealedValues(),
});

export const SECRET_COMMANDS = [secretsRotateKey];
