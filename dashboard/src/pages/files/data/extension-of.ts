/** The extension of a name in upper case, such as "PDF" or "TAR.GZ"; empty without one. */
export function extensionOf(name: string): string {
  const end = /\.(tar\.[a-z0-9]{1,4}|[a-z0-9]{1,8})$/i.exec(name)?.[1] ?? "";
  return name.length > end.length + 1 ? end.toUpperCase() : "";
}
