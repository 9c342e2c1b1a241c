import type { Archive } from "../files/archive.ts";
import { contentDisposition } from "../rules/disposition.ts";
import { Fault } from "../rules/fault.ts";

/** Up to so many bytes are sent as one body, with its length. */
const WHOLE = 1024 * 1024;

export type SendArchive = (archive: Archive, request: Request) => Promise<Response>;

/**
 * Sends a zip while it is made, at the client's pace. The runtime sends no length with a stream,
 * so the size has a header of its own as well. When the zip cannot be completed, the connection
 * breaks; `onError` hears of it unless it is a fault. `sending` hears of the bytes.
 */
export function createSendArchive(
  onError: (error: unknown) => void,
  sending: (bytes: number) => void,
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
    sending(archive.size);
    if (archive.size <= WHOLE) {
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
          // Nothing is handed over, since the runtime would print it.
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
