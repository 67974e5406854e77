/** The letters of a column, from 0. @param {number} column */
export function lettersOf(column) {
  let text = "";
  for (let left = column + 1; left > 0; left = Math.floor((left - 1) / 26))
    text = String.fromCharCode(65 + ((left - 1) % 26)) + text;
  return text;
}

/** A sheet's name as formulas write it. @param {string} name */
export function sheetReference(name) {
  return `'${name.replaceAll("'", "''")}'`;
}
