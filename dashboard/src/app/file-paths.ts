/** The address of the files page at a folder; of the root where the key is empty. */
export const folderAddress = (key: string): string =>
  key === "" ? "/files" : `/files/${key.split("/").map(encodeURIComponent).join("/")}`;

/** The address of the files page with this file open. */
export const fileAddress = ({ id, key }: { readonly id: string; readonly key: string }): string =>
  `${placeAddress(key)}?file=${encodeURIComponent(id)}`;

/** The address of the files page at the folder that holds what has this key. */
export const placeAddress = (key: string): string =>
  folderAddress(key.slice(0, Math.max(0, key.lastIndexOf("/"))));
