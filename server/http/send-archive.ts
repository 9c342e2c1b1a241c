import type { Archive } from "../files/archive.ts";
import { contentDisposition } from "../rules/disposition.ts";
import { Fault } from "../rules/fault.ts";

/** Archives up to this size are buffered and sent with `Content-Length`. */
const MAX_BUFFERED = 1024 * 1024;

export type SendArchive = (archive: Archive, request: Request) => Promise<Response>;

/**
 * Streams a zip while it is generated, at the client's speed. The runtime sends no length with a
 * stream, so `X-Archive-Size` carries the size. If the zip cannot be completed, the connection is
 * closed, and `onError` gets the error unless it is a fault. `onSend` gets the archive's size.
 */
export function createSendArchive(
  onError: (error: unknown) => void,
  onSend: (bytes: number) => void,
): SendArchive {
  return async (archive, { method }) => {
    const headers = {
      "Content-Type": "application/zip",
      "Content-Disposition": contentDisposition("attachment", archive.name),
      "Content-Length": String(archive.size),
      "X-Archive-Size": String(archive.size),
      "Cache-Control": "private, no-store",
      "X-Content-Type-Options": "nosniff",
    };
    if (method === "HEAD") return new Response(null, { headers });
    onSend(archive.size);
    if (archive.size <= MAX_BUFFERED) {
      const pieces = await Array.fromAsync(archive.read());
      return new Response(Buffer.concat(pieces), { headers });
    }
    return new Response(streamOf(archive.read(), onError), { headers });
  };
}

function streamOf(
  pieces: AsyncGenerator<Uint8Array>,
  onError: (error: unknown) => void,
): ReadableStream<Uint8Array> {
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        try {
          const piece = await pieces.next();
          if (piece.done) controller.close();
          else controller.enqueue(piece.value);
        } catch (error) {
          if (!(error instanceof Fault)) onError(error);
          // Without the error as an argument, which the runtime would print.
          controller.error();
        }
      },
      async cancel() {
        await pieces.return(undefined);
      },
    },
    { highWaterMark: 0 },
  );
}
