/** The code of a system error ("ENOENT", …); undefined for other errors. */
function codeOf(error: unknown): string | undefined {
  if (!(error instanceof Error) || !("code" in error)) return undefined;
  return typeof error.code === "string" ? error.code : undefined;
}

/** Whether the disk is full, so that the transfer must stop. */
export function isFull(error: unknown): boolean {
  return ["ENOSPC", "EDQUOT"].includes(codeOf(error) ?? "");
}

/** For `catch`: undefined when the path does not exist; rethrows other errors. */
export function ignoreAbsent(error: unknown): undefined {
  if (codeOf(error) !== "ENOENT") throw error;
}

const MEANINGS: Readonly<Record<string, string>> = {
  EACCES: "permission was denied",
  EPERM: "permission was denied",
  EINVAL: "the name is not allowed on this disk",
  EILSEQ: "the name is not allowed on this disk",
  ENAMETOOLONG: "the path is too long for this disk",
  EFBIG: "the file is too large for this disk",
  EIO: "the disk failed",
  EROFS: "the disk is read-only",
  ENOENT: "it no longer exists",
  ELOOP: "it is a link",
};

/** The problem, as the end of a sentence. */
export function messageOf(error: unknown): string {
  const known = MEANINGS[codeOf(error) ?? ""];
  if (known !== undefined) return known;
  return error instanceof Error ? error.message : String(error);
}
