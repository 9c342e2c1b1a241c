/** `count` items, evenly spaced from a random offset; all of them if there are not more. */
export function sampleEvenly<Item>(items: readonly Item[], count: number): Item[] {
  if (count >= items.length) return [...items];
  const step = items.length / count;
  const offset = Math.random() * step;
  return items.filter(
    (_, at) =>
      Math.floor((at - offset + step) / step) !== Math.floor((at - 1 - offset + step) / step),
  );
}
