import { statfs } from "node:fs/promises";

/** The types of file systems whose files can share bytes, as `statfs` returns them. */
const SHARING_TYPES: ReadonlySet<number> = new Set([
  0x9123683e, // btrfs
  0x58465342, // XFS
  0xca451a4e, // bcachefs
  0x2fc12fc1, // ZFS
]);

/** Whether a copy by the kernel may share the bytes of its source, so that it takes no time and no space. */
export async function sharesBytes(path: string): Promise<boolean> {
  const { type } = await statfs(path);
  return SHARING_TYPES.has(type);
}
