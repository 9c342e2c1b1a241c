/** The file as a Blob whose bytes are read when they are needed, and sent by the system itself. */
export const { file: fileBlob, write: writeFile } = Bun;

/** The file's bytes in memory as far as they are read. Nothing else may change the file. */
export const mapFile = (path: string): Uint8Array => Bun.mmap(path);
