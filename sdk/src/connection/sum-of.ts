/** undefined: one of the sizes is unknown. */
export function sumOf(sizes: readonly (number | undefined)[]): number | undefined {
  const sum = sizes.reduce<number>((total, size = Number.NaN) => total + size, 0);
  return Number.isNaN(sum) ? undefined : sum;
}
