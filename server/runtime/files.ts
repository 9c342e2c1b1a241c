/** The file as a Blob whose bytes are read when they are needed, and sent by the system itself. */
export const { file: fileBlob, write: writeFile } = Bun;

/** Maps a file into memory: only the parts that are read take memory. Nothing may change the file meanwhile. */
export const mapFile = (path: string): Uint8Array => Bun.mmap(path);
