import { expect, it } from "vitest";
import { paletteScore } from "./shell";

it("leaves out what lacks a word, and puts a beginning before a middle", () => {
  expect(paletteScore("Create an API key", "rep")).toBe(0);
  expect(paletteScore("Report writer", "rep")).toBeGreaterThan(
    paletteScore("Weekly report", "rep"),
  );
  expect(paletteScore("Weekly report", "rep")).toBeGreaterThan(paletteScore("Unreported", "rep"));
  expect(paletteScore("Weekly report", "report week")).toBeGreaterThan(0);
});
