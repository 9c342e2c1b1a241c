/** The content as a blob, for which a stream is read completely. */
export const blobOf = async (content: Blob | ReadableStream<Uint8Array>): Promise<Blob> =>
  content instanceof Blob ? content : new Response(content).blob();

/** The bytes of content. */
export const bytesOf = (content: Blob | ReadableStream<Uint8Array>): ReadableStream<Uint8Array> =>
  content instanceof Blob ? content.stream() : content;

/** The chunks of a stream, which is cancelled at the end. */
export async function* chunksOf<Chunk>(
  reader: ReadableStreamDefaultReader<Chunk>,
): AsyncGenerator<Chunk, void> {
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      yield value;
    }
  } finally {
    await reader.cancel().catch(() => {});
  }
}

/** A stream that reads its chunks only when it is read. `onError`: called before the stream fails. */
export function streamOf(
  chunks: AsyncGenerator<Uint8Array>,
  onError?: (error: unknown) => void,
  cancel: () => unknown = () => chunks.return(undefined),
): ReadableStream<Uint8Array> {
  let hasEnded = false;
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        try {
          const { done, value } = await chunks.next();
          if (hasEnded) return;
          if (done) controller.close();
          else controller.enqueue(value);
        } catch (error) {
          onError?.(error);
          throw error;
        }
      },
      async cancel() {
        hasEnded = true;
        await cancel();
      },
    },
    { highWaterMark: 0 },
  );
}
