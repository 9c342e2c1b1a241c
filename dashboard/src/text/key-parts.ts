/** The key of the parent folder: "" for an entry of the root; undefined for the root itself. */
export function parentKey(key: string): string | undefined {
  return key === "" ? undefined : key.slice(0, Math.max(0, key.lastIndexOf("/")));
}

/** The last segment of a key, or "Files" for the root. */
export const displayName = (key: string): string => key.slice(key.lastIndexOf("/") + 1) || "Files";
