import { expect, test } from "vitest";
import { AddressLimit } from "@/lib/server/address-limits";

function limitOf(limit: number, addressesMax?: number) {
  let now = 1_000_000;
  const addresses = new AddressLimit(limit, () => now, addressesMax);
  const pass = (ms: number) => {
    now += ms;
  };
  return { addresses, pass };
}

test("an address may ask as often as the limit says in a minute, then again", () => {
  const { addresses, pass } = limitOf(2);
  expect([
    addresses.take("a"),
    addresses.take("a"),
    addresses.take("a"),
    addresses.take("b"),
  ]).toEqual([0, 0, 60, 0]);
  pass(59_999);
  expect(addresses.take("a")).toBe(1);
  pass(1);
  expect([addresses.take("a"), addresses.take("a"), addresses.take("a")]).toEqual([0, 0, 60]);
});

test("a request that is given back was none", () => {
  const { addresses } = limitOf(1);
  expect(addresses.take("a")).toBe(0);
  addresses.refund("a");
  addresses.refund("nobody");
  expect([addresses.take("a"), addresses.take("a")]).toEqual([0, 60]);
});

test("many new addresses push out the oldest alone: one over its limit stays so", () => {
  const { addresses, pass } = limitOf(1, 3);
  addresses.take("oldest");
  pass(1);
  addresses.take("busy");
  addresses.take("busy");
  for (const address of ["x", "y"]) addresses.take(address);
  expect(addresses.take("busy")).toBeGreaterThan(0);
  expect(addresses.take("oldest")).toBe(0);
});

test("zero switches the limit off", () => {
  const { addresses } = limitOf(0);
  expect(Array.from({ length: 1_000 }, () => addresses.take("a")).every((wait) => wait === 0)).toBe(
    true,
  );
});
