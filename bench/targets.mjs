/**
 * What is wanted of the service, row by row: of a figure of bench/cases.mjs itself, or of its ratio
 * to another side's. A row with `by` is measured by another command, which it names.
 *
 * @typedef {object} Target
 * @property {string} title
 * @property {string} [case]
 * @property {string} [figure]
 * @property {string} [of] the side that it is compared with
 * @property {number} [least]
 * @property {number} [most]
 * @property {string} [by]
 */

/** @type {readonly Target[]} */
export const TARGETS = [
  {
    title: "Accepted a second at 16 connections, all executing",
    case: "accept16",
    figure: "accepted",
    of: "dbos",
    least: 1,
  },
  { title: "Accepted a second at 64", case: "accept64", figure: "accepted", of: "dbos", least: 1 },
  {
    title: "Accepted a second at 16",
    case: "accept16",
    figure: "accepted",
    of: "langgraph",
    least: 1,
  },
  { title: "p99 of accepting at 64", case: "accept64", figure: "p99", of: "dbos", most: 1 },
  {
    title: "Finished a second at 16 (1 token)",
    case: "accept16",
    figure: "finished",
    of: "dbos",
    least: 1.2,
  },
  {
    title: "Finished a second at 16 (1 token)",
    case: "accept16",
    figure: "finished",
    of: "langgraph",
    least: 1.5,
  },
  {
    title: "Finished a second at 16 (1 token)",
    case: "accept16",
    figure: "finished",
    of: "reference",
    least: 0.25,
  },
  {
    title: "Processor time a run, database included",
    case: "accept16",
    figure: "cpu",
    of: "dbos",
    most: 1,
  },
  {
    title: "… the database's part, ms",
    case: "accept16",
    figure: "database",
    most: 2.5,
  },
  {
    title: "One run of 200 tokens, request to completed seen",
    case: "one-run",
    figure: "ms",
    of: "langgraph",
    most: 0.4,
  },
  {
    title: "Reads of a run a second at 64",
    case: "read64",
    figure: "perSecond",
    of: "reference",
    least: 0.5,
  },
  {
    title: "1 stream of 100 tokens at 10 ms, time",
    case: "streams1",
    figure: "total",
    of: "reference",
    most: 1.02,
  },
  { title: "50 streams", case: "streams50", figure: "total", of: "reference", most: 1.15 },
  { title: "200 streams", case: "streams200", figure: "total", of: "reference", most: 1.3 },
  {
    title: "First token, p50, at 200",
    case: "streams200",
    figure: "token",
    of: "reference",
    most: 2,
  },
  {
    title: "Processor time a token at 50 streams, database included: of 100 tokens",
    case: "streams50",
    figure: "cpu",
    of: "reference",
    most: 2,
  },
  { title: "… of 1,000 tokens", case: "long50", figure: "cpu", of: "reference", most: 0.6 },
  { title: "1,000 streams: whole", case: "streams1000", figure: "whole", least: 1000 },
  { title: "… time", case: "streams1000", figure: "total", of: "reference", most: 1.6 },
  { title: "… memory, MiB", case: "streams1000", figure: "mib", most: 700 },
  {
    title: "Reads beside 50 runs that stream much and that nobody reads: p99 ÷ p99 without them",
    case: "read-beside",
    figure: "ratio",
    most: 10,
  },
  { title: "… p99, ms", case: "read-beside", figure: "p99", most: 500 },
  { title: "Memory when fresh, MiB", case: "idle", figure: "mib", most: 140 },
  {
    title: "… a minute after 1,000 streams, MiB",
    case: "memory-after",
    figure: "mib",
    most: 250,
  },
  { title: "Idle: statements a second", case: "idle", figure: "statements", most: 1 },
  { title: "… % of a core, without the database", case: "idle", figure: "cpu", most: 0.5 },
  {
    title: "A silent stream: statements a second more",
    case: "silent",
    figure: "statements",
    most: 0.01,
  },
  { title: "1 stream: first event, ms", case: "streams1", figure: "first", most: 10 },
  {
    title: "A follower at another process sees an event later by, p50 ms",
    case: "two-processes",
    figure: "late",
    most: 50,
  },
  {
    title: "Two processes, one database: finished a second ÷ one process (wants four processors)",
    case: "two-processes",
    figure: "ratio",
    least: 1.6,
  },
  {
    title: "A claim with 10,000 runs at work, 20 processes: p99 ≤ 5 ms, flat from 100",
    by: "npm run task -- bench:claims",
  },
  {
    title: "Two web and two worker processes, each killed in turn: nothing lost",
    by: "npm run test:faults",
  },
];
