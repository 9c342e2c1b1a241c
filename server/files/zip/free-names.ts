/** Makes names unique: the first duplicate becomes "name (2).ext", and so on. */
export function createFreeNames(): (name: string) => string {
  const taken = new Set<string>();
  /** The last number given to each name, so that many duplicates take linear time. */
  const numbers = new Map<string, number>();

  return (name) => {
    const dot = name.lastIndexOf(".");
    const stem = dot > 0 ? name.slice(0, dot) : name;
    let free = name;
    while (taken.has(free)) {
      const number = (numbers.get(name) ?? 1) + 1;
      numbers.set(name, number);
      free = `${stem} (${number})${name.slice(stem.length)}`;
    }
    taken.add(free);
    return free;
  };
}
