import type { Figure } from "../figure.ts";
import { createPageCache } from "../page-cache.ts";
import { installPeers } from "../peers/install-peers.ts";
import type { RunLength } from "../run-length.ts";
import { startServer } from "../server-process.ts";
import { largeUpload } from "./large-upload.ts";
import { openUploads } from "./open-uploads.ts";
import { resumableUpload } from "./resumable.ts";
import { smallUploads } from "./small-uploads.ts";
import { tail } from "./tail.ts";

const MAX_MEMORY_MB = 150;

/** Uploads compared with the raw disk, and reads during uploads. */
export async function* uploads(runLength: RunLength): AsyncGenerator<Figure> {
  installPeers();
  const server = await startServer();
  const pageCache = createPageCache(server.dataPath);
  try {
    yield* await smallUploads(server, runLength);
    yield* await tail(server, runLength);
    yield* await largeUpload(server, runLength, pageCache);
    yield* await resumableUpload(server, runLength, pageCache);
    const what = "Memory throughout, uploads";
    yield { what, value: server.peakMemory(), unit: "MB", bar: MAX_MEMORY_MB };
  } finally {
    pageCache.close();
    await server.stop();
  }
  yield* await openUploads();
}
