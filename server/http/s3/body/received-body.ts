import { Fault } from "../../../domain/faults/fault.ts";
import { bodyOf } from "../../connection/body-of.ts";
import { incomplete } from "./byte-reader.ts";

/** The chunks of a request's body. Faults of `bodyOf`; S3Fault "IncompleteBody": the connection breaks before its end. */
export async function* receivedBody(request: Request): AsyncGenerator<Uint8Array, void, void> {
  const chunks = bodyOf(request);
  try {
    for (;;) {
      const next = await receive(chunks);
      if (next.done === true) return;
      yield next.value;
    }
  } finally {
    await chunks.return();
  }
}

const receive = (
  chunks: AsyncGenerator<Uint8Array, void, void>,
): Promise<IteratorResult<Uint8Array, void>> =>
  chunks.next().catch((cause: unknown) => {
    throw cause instanceof Fault ? cause : incomplete(cause);
  });
