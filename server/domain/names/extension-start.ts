const TAR = ".tar";

/**
 * The position at which the extension of a file's name begins, its dot included: that of `a.tar.gz` is `.tar.gz`. The length
 * of the name: it has none. What contains a space is none, as in `Dr. Skov` and `Report v1.2 final`.
 */
export function extensionStart(name: string): number {
  const dot = name.lastIndexOf(".");
  if (dot <= 0 || name.includes(" ", dot)) return name.length;
  const tar = dot - TAR.length;
  return tar > 0 && name.slice(tar, dot).toLowerCase() === TAR ? tar : dot;
}
