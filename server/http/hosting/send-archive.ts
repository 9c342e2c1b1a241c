import { Fault } from "../../domain/faults/fault.ts";
import type { Archive } from "../../files/zip/archive.ts";
import { contentDisposition } from "../../semantics/disposition.ts";
import { mayBuffer } from "./buffer-response.ts";

/** Takes over the archive and releases it, whatever becomes of the response. */
export type SendArchive = (archive: Archive, request: Request) => Promise<Response>;

export interface SendArchiveDeps {
  /** Gets the error that a zip could not be completed for, unless it is a fault. */
  readonly onError: (error: unknown) => void;
  /** Gets the bytes of an archive as they are sent, also of one that is not sent to its end. */
  readonly onSend: (bytes: number, request: Request) => void;
  readonly pendingRequests: () => number;
}

/**
 * Streams a zip while it is generated, at the client's speed. The runtime sends no length with a
 * stream, so `X-Archive-Size` carries the size; short zips are buffered and have a `Content-Length`,
 * unless very many requests are pending. If a zip cannot be completed, the connection is closed.
 */
export function createSendArchive(deps: SendArchiveDeps): SendArchive {
  const { onSend, pendingRequests } = deps;
  return async (archive, request) => {
    const headers = {
      ...archiveHeaders(archive.name),
      "Content-Length": String(archive.size),
      "X-Archive-Size": String(archive.size),
    };
    if (request.method === "HEAD") {
      archive.release();
      return new Response(null, { headers });
    }
    if (mayBuffer(archive.size, pendingRequests())) {
      onSend(archive.size, request);
      return new Response(await bufferArchive(archive), { headers });
    }
    return new Response(streamArchive(archive, request, deps), { headers });
  };
}

/** The headers of a zip whose size is not known. */
export const archiveHeaders = (name: string) => ({
  "Content-Type": "application/zip",
  "Content-Disposition": contentDisposition("attachment", name),
  "Cache-Control": "private, no-store",
  "X-Content-Type-Options": "nosniff",
});

async function bufferArchive(archive: Archive): Promise<Uint8Array<ArrayBuffer>> {
  try {
    const whole = new Uint8Array(archive.size);
    let length = 0;
    for await (const piece of archive.read()) {
      whole.set(piece, length);
      length += piece.length;
    }
    return whole;
  } finally {
    archive.release();
  }
}

function streamArchive(
  archive: Archive,
  request: Request,
  { onError, onSend }: SendArchiveDeps,
): ReadableStream<Uint8Array> {
  const pieces = archive.read();
  let isCancelled = false;
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        try {
          const piece = await pieces.next();
          if (isCancelled) return;
          if (!piece.done) {
            onSend(piece.value.length, request);
            return controller.enqueue(piece.value);
          }
          archive.release();
          controller.close();
        } catch (error) {
          archive.release();
          if (isCancelled) return;
          if (!(error instanceof Fault)) onError(error);
          // Without the error as an argument, which the runtime would print.
          controller.error();
        }
      },
      // Also called when the client was gone before the first pull, and during a pull.
      async cancel() {
        isCancelled = true;
        try {
          await pieces.return(undefined);
        } finally {
          archive.release();
        }
      },
    },
    { highWaterMark: 0 },
  );
}
