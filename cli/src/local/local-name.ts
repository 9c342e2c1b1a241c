import { parseName } from "../../../server/domain/names/name.ts";

/** Characters and names that Windows gives a meaning of their own. */
const WINDOWS_RESERVED = /[<>:"|?*]|[. ]$|^(?:con|prn|aux|nul|com\d|lpt\d)(?:\.|$)/i;

/**
 * A name from the server as the name of one local file or folder. Fault "invalid": it is not a single
 * path segment, so it could lead out of the target folder, or this system does not allow it.
 */
export function localName(name: string, platform: NodeJS.Platform = process.platform): string {
  const parsed = parseName(name);
  if (platform === "win32" && WINDOWS_RESERVED.test(parsed)) {
    throw new Error("Windows does not allow this name.");
  }
  // Not the NFC form: a name that changes could become that of another file.
  return name;
}
