/** One request of an interleaving. */
export type Operation =
  | {
      readonly do: "upload";
      readonly folder: string;
      readonly names: readonly string[];
      readonly content: string;
      readonly visibility: "public" | "private";
      /** Whether the folder field comes before the files. */
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

/** The status, and for a success the response as comparable text. */
export interface Outcome {
  readonly status: number;
  readonly result: string;
}

/** The content of one file of an upload. */
export const contentOf = (content: string, name: string): string => `${content} ${name}`;

export const checksumOf = (text: string): number => Bun.hash.crc32(text);
