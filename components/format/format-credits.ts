const large = new Intl.NumberFormat("en", { maximumFractionDigits: 0 });
const middle = new Intl.NumberFormat("en", { maximumFractionDigits: 2 });
const small = new Intl.NumberFormat("en", { maximumSignificantDigits: 2, maximumFractionDigits: 6 });

/** Credits as a person reads them: `12,408`, `3.25`, `0.0042`. What is more than nothing never reads as 0. */
export function formatCredits(credits: number): string {
  if (Math.abs(credits) >= 1000) return large.format(credits);
  return (Math.abs(credits) >= 1 || credits === 0 ? middle : small).format(credits);
}
