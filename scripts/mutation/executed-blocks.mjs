import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import path from "node:path";
import { blocksOf } from "./instrument.mjs";

/**
 * What one test file was seen executing, and of which texts: of a source that has changed since it
 * says nothing any more.
 * @typedef {{ hash: string, ms: number, passed: boolean, sources: Record<string, { hash: string,
 * blocks: number[] }> }} Recording
 */

/**
 * Which tests execute which blocks of the sources in which faults are planted, as far as they have
 * run: each run adds to it, and it is kept between commands.
 */
export class ExecutedBlocks {
  /** @type {Record<string, Recording>} */
  #recordings;
  #memory;
  /** @type {Map<string, string>} */
  #texts = new Map();
  /** @type {Map<string, string>} */
  #hashes = new Map();

  /**
   * @param {string} root @param {string[]} files the sources and tests, as they are now: they may
   * be edited while faults are planted in the copy
   */
  constructor(root, files) {
    for (const file of files) this.#texts.set(file, readFileSync(path.join(root, file), "utf8"));
    this.#memory = path.join(root, ".cache/executed-blocks.json");
    this.#recordings = existsSync(this.#memory)
      ? JSON.parse(readFileSync(this.#memory, "utf8"))
      : {};
  }

  /**
   * Adds what a test that passed has executed. With a fault in a source it may have executed less
   * than it would: what was seen before stays.
   * @param {string} test @param {number} ms @param {string[]} executed each as `file:start`
   */
  add(test, ms, executed) {
    const hash = this.#hash(test);
    const known = this.#recordings[test];
    const recording = known?.hash === hash ? known : { hash, ms, passed: true, sources: {} };
    recording.ms = ms;
    recording.passed = true;
    this.#recordings[test] = recording;
    for (const each of executed) {
      const [file = "", start] = each.split(":");
      let source = recording.sources[file];
      if (source?.hash !== this.#hash(file)) source = { hash: this.#hash(file), blocks: [] };
      recording.sources[file] = source;
      if (!source.blocks.includes(Number(start))) source.blocks.push(Number(start));
    }
  }

  save() {
    mkdirSync(path.dirname(this.#memory), { recursive: true });
    writeFileSync(`${this.#memory}.new`, JSON.stringify(this.#recordings));
    renameSync(`${this.#memory}.new`, this.#memory);
  }

  /**
   * @param {string} file @param {number} at an offset in it
   * @returns {(test: string) => boolean} whether a test executes that place, or may: nothing is
   * known of one that has not run as it stands, and what is outside of every function all execute
   * that load the file
   */
  executorsOf(file, at) {
    const block = blocksOf(file, this.#text(file)).findLast(
      ({ start, end }) => start <= at && at < end,
    );
    return (test) => {
      const recording = this.#recordings[test];
      if (!block || recording?.hash !== this.#hash(test)) return true;
      const source = recording.sources[file];
      return source
        ? source.hash !== this.#hash(file) || source.blocks.includes(block.start)
        : false;
    };
  }

  /** @param {string} test @returns {boolean} whether it has passed as it stands */
  hasPassed(test) {
    const recording = this.#recordings[test];
    return recording?.hash === this.#hash(test) && recording.passed;
  }

  /**
   * @param {string} test @param {string} file @returns {boolean} whether it was seen calling
   * anything of that file
   */
  wasSeenIn(test, file) {
    return this.#recordings[test]?.sources[file] !== undefined;
  }

  /** @param {string} test @returns {number} how long its last run took; 0 where it is not known */
  millisecondsOf(test) {
    return this.#recordings[test]?.ms ?? 0;
  }

  /** @param {string} file */
  #hash(file) {
    const known =
      this.#hashes.get(file) ??
      createHash("sha256").update(this.#text(file)).digest("base64url").slice(0, 16);
    this.#hashes.set(file, known);
    return known;
  }

  /** @param {string} file */
  #text(file) {
    return this.#texts.get(file) ?? "";
  }
}
