import type { Holdall } from "../../../../sdk/src/holdall.ts";

/**
 * Finds the folders that do not exist, all of which are inside `top`. Creating one that exists would
 * be recorded as a failure.
 */
export async function missingFolders(
  { folders }: Holdall,
  top: string,
  keys: readonly string[],
  signal: AbortSignal,
): Promise<string[]> {
  const known = new Map<string, ReadonlySet<string>>();
  const subfolders = async (key: string): Promise<ReadonlySet<string>> => {
    const found =
      known.get(key) ??
      new Set(
        (await folders.browse({ key }, { limit: 0, signal })).folders.map((each) => each.key),
      );
    known.set(key, found);
    return found;
  };
  const missing: string[] = [];
  for (const wanted of keys) {
    const key = wanted.normalize("NFC");
    let parent = top.normalize("NFC");
    for (let end = parent === "" ? 0 : parent.length + 1; parent !== key; ) {
      const slash = key.indexOf("/", end);
      const child = slash < 0 ? key : key.slice(0, slash);
      if (!(await subfolders(parent)).has(child)) {
        missing.push(wanted);
        break;
      }
      parent = child;
      end = child.length + 1;
    }
  }
  return missing;
}
