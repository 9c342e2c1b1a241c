/**
 * What an operation answers: plain JSON values, lists that are read as they are sent, and after
 * those what is known once they have been read, as functions without parameters.
 */
export type AnswerData = Readonly<Record<string, unknown>>;

type Batches = AsyncIterable<readonly unknown[]>;

const isBatches = (value: unknown): value is Batches =>
  typeof value === "object" && value !== null && Symbol.asyncIterator in value;

/** Whether some field is a list that comes in batches. */
export const isListed = (data: AnswerData): boolean => Object.values(data).some(isBatches);

export const envelopeText = (data: AnswerData): string =>
  `{"data":${JSON.stringify(data)},"error":null}`;

/** Text up to this length, in UTF-16 units, is sent as one body with its length. */
const WHOLE = 512 * 1024;

/**
 * The success envelope of data with lists in batches. A short one is a string; a long one is a
 * stream that reads a batch whenever the client has taken what came before, so that a list of any
 * length takes the memory of one batch. When reading fails midway, the connection is cut: the
 * client sees a broken body, never a short list that looks whole.
 */
export async function streamEnvelope(
  data: AnswerData,
): Promise<string | ReadableStream<Uint8Array>> {
  const pieces = envelopePieces(data);
  let start = "";
  for (;;) {
    const piece = await pieces.next();
    if (piece.done) return start;
    start += piece.value;
    if (start.length > WHOLE) return streamOf(start, pieces);
  }
}

function streamOf(start: string, pieces: AsyncGenerator<string>): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  return new ReadableStream<Uint8Array>(
    {
      start(controller) {
        controller.enqueue(encoder.encode(start));
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

async function* envelopePieces(data: AnswerData): AsyncGenerator<string> {
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

/** The same batches with each element mapped. */
export async function* mapBatches<From, To>(
  batches: AsyncIterable<readonly From[]>,
  map: (element: From) => To,
): AsyncGenerator<To[]> {
  for await (const batch of batches) yield batch.map(map);
}
