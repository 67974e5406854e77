/** @param {string} root */
export async function startConformanceTarget(root) {
  throw new Error(root);
}
