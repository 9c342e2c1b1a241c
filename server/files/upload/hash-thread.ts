import { type ContentHash, type ContentSums, createContentHash } from "./content-hash.ts";

/* The thread that hashes large uploads, so that hashing does not block the thread that serves requests. */

/** `id` identifies the content. */
export type ToHashThread =
  /** The next `length` bytes of the content, in a buffer that the thread sends back. */
  | {
      readonly type: "block";
      readonly id: number;
      readonly buffer: ArrayBuffer;
      readonly length: number;
    }
  | { readonly type: "end"; readonly id: number }
  /** The content is not needed any more. */
  | { readonly type: "drop"; readonly id: number };

export type FromHashThread =
  | { readonly type: "hashed"; readonly id: number; readonly buffer: ArrayBuffer }
  | { readonly type: "sums"; readonly id: number; readonly sums: ContentSums };

const hashes = new Map<number, ContentHash>();

function hashOf(id: number): ContentHash {
  const hash = hashes.get(id) ?? createContentHash();
  hashes.set(id, hash);
  return hash;
}

function send(message: FromHashThread, transfer: ArrayBuffer[] = []): void {
  postMessage(message, transfer);
}

function receive(message: ToHashThread): void {
  const { type, id } = message;
  if (type === "block") {
    hashOf(id).update(new Uint8Array(message.buffer, 0, message.length));
    send({ type: "hashed", id, buffer: message.buffer }, [message.buffer]);
    return;
  }
  if (type === "end") send({ type: "sums", id, sums: hashOf(id).end() });
  hashes.delete(id);
}

addEventListener("message", (event: MessageEvent<ToHashThread>) => receive(event.data));
