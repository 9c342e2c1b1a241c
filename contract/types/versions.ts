/** Content that a file had before. */
export interface FileVersion {
  id: string;
  size: number;
  mimeType: string;
  /** Lower-case hexadecimal; null: not computed yet. */
  sha256: string | null;
  /** When the content was stored. */
  modifiedAt: string;
  replacedAt: string;
  /** The name of the API key or account. null: unknown, or hidden from the caller. */
  replacedBy: string | null;
  /** From when on it may be deleted permanently. */
  expiresAt: string;
}

export interface VersionPage {
  /** Latest first. */
  versions: FileVersion[];
  /** null on the last page. */
  nextCursor: string | null;
}
