import { readFileSync } from "node:fs";

/** How many files and connections this process may have open; undefined: the system does not say. */
export function descriptorLimit(): number | undefined {
  try {
    const found = /^Max open files +(\d+)/m.exec(readFileSync("/proc/self/limits", "latin1"));
    return found === null ? undefined : Number(found[1]);
  } catch {
    return undefined;
  }
}
