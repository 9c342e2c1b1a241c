import { matchOf } from "./match-of.ts";
import { chunksOf } from "./stream-of.ts";

/** A server-sent event; `data` is undefined if it only moves the position. */
export interface ServerEvent {
  readonly id: string | undefined;
  readonly data: string | undefined;
}

/** The events in a body (WHATWG HTML, section 9.2.6). Ends or throws when the connection does. */
export async function* readEventStream(
  body: ReadableStream<Uint8Array>,
): AsyncGenerator<ServerEvent, void> {
  const reader = body.pipeThrough(new TextDecoderStream() as DecoderPair).getReader();
  let text = "";
  for await (const chunk of chunksOf(reader)) {
    text += chunk;
    const blocks = text.split(/\r?\n\r?\n/);
    text = blocks.pop() ?? "";
    for (const block of blocks) yield parseEvent(block);
  }
}

/** The type that the library gives `TextDecoderStream` does not fit byte streams. */
type DecoderPair = ReadableWritablePair<string, Uint8Array>;

function parseEvent(block: string): ServerEvent {
  let id: string | undefined;
  const data: string[] = [];
  for (const line of block.split(/\r?\n/)) {
    const [field, value = ""] = matchOf(/^([a-z]+):? ?(.*)$/, line);
    if (field === "id") id = value;
    if (field === "data") data.push(value);
  }
  return { id, data: data.length === 0 ? undefined : data.join("\n") };
}
