import type { Figure } from "../figure.ts";
import type { Pace } from "../pace.ts";
import { installPeers } from "../peers/install-peers.ts";
import { startServer } from "../server-process.ts";
import { largeUpload } from "./large-upload.ts";
import { smallUploads } from "./small-uploads.ts";
import { tail } from "./tail.ts";

const MOST_MEMORY = 150;

/** Uploads beside what the machine's disk does by itself, and reads while there are uploads. */
export async function* uploads(pace: Pace): AsyncGenerator<Figure> {
  installPeers();
  const server = await startServer();
  try {
    yield* await smallUploads(server, pace);
    yield* await tail(server, pace);
    yield* await largeUpload(server, pace);
    const what = "Memory throughout, uploads";
    yield { what, value: server.peakMemory(), unit: "MB", bar: MOST_MEMORY };
  } finally {
    await server.stop();
  }
}
