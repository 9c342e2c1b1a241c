/**
 * The `data` of a response: plain JSON values; lists in batches, which are read as they are sent;
 * and functions for fields that are known only after the lists before them have been read.
 */
export type ResponseData = Readonly<Record<string, unknown>>;

type Batches = AsyncIterable<readonly unknown[]>;

const isBatches = (value: unknown): value is Batches =>
  typeof value === "object" && value !== null && Symbol.asyncIterator in value;

/** Whether a field is a list in batches. */
export const isListed = (data: ResponseData): boolean => Object.values(data).some(isBatches);

export const envelopeText = (data: ResponseData): string =>
  `{"data":${JSON.stringify(data)},"error":null}`;

/** Text up to this length, in UTF-16 units, is buffered and sent with `Content-Length`. */
const MAX_BUFFERED = 512 * 1024;
/** The same while very many requests are pending: each of their clients may read slowly. */
const MAX_BUFFERED_OF_MANY = 32 * 1024;
const MANY_REQUESTS = 64;

/**
 * The success envelope of data with lists in batches. A short envelope is a string. A long one is
 * a stream that reads the next batch when the client has received the last, so a list of any
 * length takes the memory of one batch. With many `pendingRequests`, only a very short one is a string. If reading fails midway, the connection is closed: the
 * client sees a broken body, never a short list that looks complete.
 */
export async function streamEnvelope(
  data: ResponseData,
  pendingRequests = 0,
): Promise<string | ReadableStream<Uint8Array>> {
  const maxBuffered = pendingRequests > MANY_REQUESTS ? MAX_BUFFERED_OF_MANY : MAX_BUFFERED;
  const pieces = envelopePieces(data);
  let start = "";
  for (;;) {
    const piece = await pieces.next();
    if (piece.done) return start;
    start += piece.value;
    if (start.length > maxBuffered) return textStream(pieces, start);
  }
}

/** The pieces of a text after its start, each read when the client has received the last. */
export function textStream(pieces: AsyncGenerator<string>, start = ""): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  return new ReadableStream<Uint8Array>(
    {
      start(controller) {
        if (start !== "") controller.enqueue(encoder.encode(start));
      },
      async pull(controller) {
        const piece = await pieces.next();
        if (piece.done) controller.close();
        else controller.enqueue(encoder.encode(piece.value));
      },
      async cancel() {
        await pieces.return(undefined);
      },
    },
    { highWaterMark: 1 },
  );
}

async function* envelopePieces(data: ResponseData): AsyncGenerator<string> {
  let lead = '{"data":{';
  for (const [name, value] of Object.entries(data)) {
    const field = `${lead}${JSON.stringify(name)}:`;
    lead = ",";
    if (isBatches(value)) yield* listPieces(field, value);
    else yield field + JSON.stringify(typeof value === "function" ? value() : value);
  }
  yield '},"error":null}';
}

async function* listPieces(field: string, batches: Batches): AsyncGenerator<string> {
  let lead = `${field}[`;
  for await (const batch of batches) {
    if (batch.length === 0) continue;
    yield lead + JSON.stringify(batch).slice(1, -1);
    lead = ",";
  }
  yield lead === "," ? "]" : `${lead}]`;
}

/** Maps each element of the batches. */
export async function* mapBatches<From, To>(
  batches: AsyncIterable<readonly From[]>,
  map: (element: From) => To,
): AsyncGenerator<To[]> {
  for await (const batch of batches) yield batch.map(map);
}
