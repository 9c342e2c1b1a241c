import { streamOf } from "./stream-of.ts";
import type { RequestWith, Transport } from "./transport.ts";

interface StreamRequest extends Omit<RequestWith, "body" | "signal"> {
  readonly method: string;
  readonly body: Blob | AsyncGenerator<Uint8Array>;
  /** Ends the reading of the body. Default: after the chunk that is being read. */
  readonly cancel?: () => unknown;
  readonly signal: AbortSignal | undefined;
}

/** Sends a body that is read while it is sent, in one attempt. */
export async function sendStream<Result>(
  transport: Transport,
  path: string,
  { body, cancel, signal, ...request }: StreamRequest,
  read: (response: Response) => Promise<Result>,
): Promise<Result> {
  let readError: unknown;
  const onError = (error: unknown): void => {
    readError = error;
  };
  try {
    const response = await transport.once(path, {
      ...request,
      body: body instanceof Blob ? body : streamOf(body, onError, cancel),
      signal: signal ?? null,
      // To follow redirects, Node would buffer the whole body.
      redirect: "error",
      // The Fetch standard requires this for streams.
      ...{ duplex: "half" },
    });
    return await read(response);
  } catch (error) {
    signal?.throwIfAborted();
    // A failure of the source explains more than the connection failure that it causes.
    throw readError ?? error;
  }
}
