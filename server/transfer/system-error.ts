/** The code of a system error ("ENOENT", …); undefined for other errors. */
function codeOf(error: unknown): string | undefined {
  if (!(error instanceof Error) || !("code" in error)) return undefined;
  return typeof error.code === "string" ? error.code : undefined;
}

/** Whether the disk is full, so that continuing is useless. */
export function isFull(error: unknown): boolean {
  return ["ENOSPC", "EDQUOT"].includes(codeOf(error) ?? "");
}

/** For `catch`: undefined when the path does not exist; rethrows other errors. */
export function unlessAbsent(error: unknown): undefined {
  if (codeOf(error) !== "ENOENT") throw error;
}

const MEANINGS: Readonly<Record<string, string>> = {
  EACCES: "permission was denied",
  EPERM: "permission was denied",
  EINVAL: "this disk does not take the name",
  EILSEQ: "this disk does not take the name",
  ENAMETOOLONG: "the path is too long for this disk",
  EFBIG: "the file is too large for this disk",
  EIO: "the disk failed",
  EROFS: "the disk is read-only",
  ENOENT: "it is not there any more",
  ELOOP: "it is a link",
};

/** What happened, as the end of a sentence. */
export function messageOf(error: unknown): string {
  const known = MEANINGS[codeOf(error) ?? ""];
  if (known !== undefined) return known;
  return error instanceof Error ? error.message : String(error);
}
