/** One request of an interleaving, with everything in it that is sent. */
export type Act =
  | {
      readonly do: "upload";
      readonly folder: string;
      readonly names: readonly string[];
      readonly content: string;
      readonly visibility: "public" | "private";
      /** Whether the server learns of the folder before it gets the bytes. */
      readonly folderFirst: boolean;
    }
  | { readonly do: "create"; readonly path: string }
  | {
      readonly do: "change";
      readonly kind: "file" | "folder";
      readonly id: string;
      readonly name?: string;
      readonly to?: string;
      readonly visibility?: "public" | "private";
    }
  | { readonly do: "delete files"; readonly ids: readonly string[] }
  | { readonly do: "delete folder"; readonly id: string };

/** What came of it: the status, and of a success what it told, as text that can be compared. */
export interface AuditDetails {
  readonly status: number;
  readonly told: string;
}

/** The content of one of an upload's files. */
export const contentOf = (content: string, name: string): string => `${content} ${name}`;

export const checksumOf = (text: string): number => Bun.hash.crc32(text);
