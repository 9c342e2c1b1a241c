import { HoldallError } from "./error.ts";

export interface LocalFile {
  readonly name: string;
  readonly size: number;
  stream(): ReadableStream<Uint8Array>;
}

const CHUNK = 256 * 1024;

/** Opens a local file. Throws if the file or the file system does not exist. */
export async function openLocalFile(path: string): Promise<LocalFile> {
  const { stat, open, basename } = await fileSystem(path);
  const { size, isFile } = await stat(path).then(
    (found) => ({ size: found.size, isFile: found.isFile() }),
    (cause: unknown) => {
      throw new HoldallError(400, `The file ${path} cannot be read.`, { cause });
    },
  );
  if (!isFile) throw new HoldallError(400, `${path} is not a file.`);
  return { name: basename(path), size, stream: () => readChunks(() => open(path)) };
}

interface Readable {
  read(buffer: Uint8Array): Promise<{ bytesRead: number }>;
  close(): Promise<void>;
}

/** Reads on demand, so that only one chunk is in memory. */
function readChunks(open: () => Promise<Readable>): ReadableStream<Uint8Array> {
  let file: Readable | undefined;
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        file ??= await open();
        const buffer = new Uint8Array(CHUNK);
        const { bytesRead } = await file.read(buffer);
        if (bytesRead > 0) {
          controller.enqueue(buffer.subarray(0, bytesRead));
          return;
        }
        controller.close();
        await file.close();
      },
      async cancel() {
        await file?.close();
      },
    },
    { highWaterMark: 0 },
  );
}

async function fileSystem(path: string) {
  // Variables keep browser bundlers from resolving the modules.
  const names = { fs: "node:fs/promises", paths: "node:path" };
  try {
    const fs: typeof import("node:fs/promises") = await import(/* @vite-ignore */ names.fs);
    const paths: typeof import("node:path") = await import(/* @vite-ignore */ names.paths);
    return { stat: fs.stat, open: fs.open, basename: paths.basename };
  } catch (cause) {
    throw new HoldallError(400, `Cannot read "${path}": this runtime has no file system.`, {
      cause,
    });
  }
}
