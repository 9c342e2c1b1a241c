/* The parts of the File System Access API that TypeScript does not know. Only some browsers have them. */

interface PermissionOptions {
  readonly mode: "read";
}

interface WithPermission {
  queryPermission?(options: PermissionOptions): Promise<PermissionState>;
  requestPermission?(options: PermissionOptions): Promise<PermissionState>;
}

declare global {
  interface FileSystemHandle extends WithPermission {}
  interface DataTransferItem {
    getAsFileSystemHandle?(): Promise<FileSystemHandle | null>;
  }
  interface Window {
    showOpenFilePicker?: (options: {
      readonly multiple: boolean;
    }) => Promise<FileSystemFileHandle[]>;
  }
}

const READ: PermissionOptions = { mode: "read" };

/** Whether the file can be read now, without asking the user. */
export const isReadable = async (handle: FileSystemHandle): Promise<boolean> =>
  (await handle.queryPermission?.(READ).catch(() => "denied")) === "granted";

/** Asks the user, if that is needed, whether the file may be read. Only in response to a click. */
export const askToRead = async (handle: FileSystemHandle): Promise<boolean> =>
  (await isReadable(handle)) ||
  (await handle.requestPermission?.(READ).catch(() => "denied")) === "granted";

/** The file of a handle; undefined: it does not exist any more. */
export const fileOf = (handle: FileSystemFileHandle): Promise<File | undefined> =>
  handle.getFile().catch(() => undefined);

/** The handle of a dropped file or folder, if the browser has it. Must be called during the event. */
export async function handleOf(item: DataTransferItem): Promise<FileSystemHandle | undefined> {
  try {
    return (await item.getAsFileSystemHandle?.()) ?? undefined;
  } catch {
    return undefined;
  }
}

export const isFileHandle = (
  handle: FileSystemHandle | undefined,
): handle is FileSystemFileHandle => handle?.kind === "file";

export const isFolderHandle = (
  handle: FileSystemHandle | undefined,
): handle is FileSystemDirectoryHandle => handle?.kind === "directory";
