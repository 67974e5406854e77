import "server-only";
import { Decrypter, Encrypter, generateX25519Identity, identityToRecipient } from "age-encryption";

/**
 * Streams in the age format (age-encryption.org/v1) under a key of their own, which alone is sealed
 * to the passphrase or the recipients: a passphrase costs a second of work each time it is used,
 * and what has many parts would pay it for each.
 */
export interface AgeSealer {
  /** The streams' key as an age identity, sealed: an age file. */
  sealedKey: Uint8Array;
  seal(source: ReadableStream<Uint8Array>): Promise<ReadableStream<Uint8Array>>;
}

export interface AgeOpener {
  /** Its stream fails where what it reads is not what was sealed. */
  open(source: ReadableStream<Uint8Array>): Promise<ReadableStream<Uint8Array>>;
}

/** For whom something is sealed: one passphrase, or recipients (`age1…`). */
export type SealTo = { passphrase: string } | { recipients: readonly string[] };
/**
 * What opens it: the passphrase, or a text that holds identities (`AGE-SECRET-KEY-…`, one a line,
 * as `age-keygen` writes them).
 */
export type OpenWith = { passphrase: string } | { identities: string };

/**
 * What was given cannot be used, or does not open it; the message is a sentence, and holds no
 * secret.
 */
export class AgeError extends Error {
  override readonly name = "AgeError";
}

/** @throws AgeError for what is no recipient */
export async function createAgeSealer(to: SealTo): Promise<AgeSealer> {
  const identity = await generateX25519Identity();
  const recipient = await identityToRecipient(identity);
  return {
    sealedKey: await encrypterFor(to).encrypt(`${identity}\n`),
    seal: (source) => {
      const encrypter = new Encrypter();
      encrypter.addRecipient(recipient);
      return encrypter.encrypt(source);
    },
  };
}

function encrypterFor(to: SealTo): Encrypter {
  const encrypter = new Encrypter();
  if ("passphrase" in to) {
    if (to.passphrase === "") throw new AgeError("The passphrase is empty.");
    encrypter.setPassphrase(to.passphrase);
    return encrypter;
  }
  for (const recipient of to.recipients) {
    try {
      encrypter.addRecipient(recipient);
    } catch {
      // Never the word itself: it may be the secret key, given in the wrong place.
      throw new AgeError(
        "A recipient of a backup is a public key such as age1…, as age-keygen -y prints it.",
      );
    }
  }
  return encrypter;
}

/** @throws AgeError where it does not open */
export async function openAgeSealed(sealedKey: Uint8Array, withKey: OpenWith): Promise<AgeOpener> {
  const decrypter = new Decrypter();
  if ("passphrase" in withKey) decrypter.addPassphrase(withKey.passphrase);
  else for (const identity of identitiesIn(withKey.identities)) addIdentity(decrypter, identity);
  const key = await decrypter.decrypt(sealedKey, "text").catch(() => {
    throw new AgeError(
      `This ${"passphrase" in withKey ? "passphrase" : "identity"} does not open it.`,
    );
  });
  return {
    open: (source) => {
      const parts = new Decrypter();
      parts.addIdentity(key.trim());
      return parts.decrypt(source);
    },
  };
}

function identitiesIn(text: string): string[] {
  const lines = text.split("\n").map((line) => line.trim());
  return lines.filter((line) => line !== "" && !line.startsWith("#"));
}

function addIdentity(decrypter: Decrypter, identity: string): void {
  try {
    decrypter.addIdentity(identity);
  } catch {
    throw new AgeError(
      "An identity is a secret key such as AGE-SECRET-KEY-1…, as age-keygen prints it.",
    );
  }
}
