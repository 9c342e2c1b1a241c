import { type ContentHash, type ContentSums, createContentHash } from "./content-hash.ts";

/* The thread that hashes large uploads, so that hashing does not block the thread that serves requests. */

/** `id` identifies the content. */
export type ToHashThread =
  /** The next `length` bytes of the content. They stay as they are until "hashed" is sent. */
  | {
      readonly type: "block";
      readonly id: number;
      readonly buffer: SharedArrayBuffer;
      readonly length: number;
    }
  | { readonly type: "end"; readonly id: number }
  /** The content is not needed any more. */
  | { readonly type: "drop"; readonly id: number };

export type FromHashThread =
  /** One block; blocks are hashed in order. */
  | { readonly type: "hashed"; readonly id: number }
  | { readonly type: "sums"; readonly id: number; readonly sums: ContentSums };

const hashes = new Map<number, ContentHash>();

function hashOf(id: number): ContentHash {
  const hash = hashes.get(id) ?? createContentHash();
  hashes.set(id, hash);
  return hash;
}

function send(message: FromHashThread): void {
  postMessage(message);
}

function receive(message: ToHashThread): void {
  const { type, id } = message;
  if (type === "block") {
    hashOf(id).update(new Uint8Array(message.buffer, 0, message.length));
    send({ type: "hashed", id });
    return;
  }
  if (type === "end") send({ type: "sums", id, sums: hashOf(id).end() });
  hashes.delete(id);
}

addEventListener("message", (event: MessageEvent<ToHashThread>) => receive(event.data));
