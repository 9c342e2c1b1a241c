import { type ContentHash, type ContentSums, createContentHash } from "./content-hash.ts";

/* The thread that hashes large uploads, so that hashing does not block the thread that serves requests. */

/** `id` identifies the content. */
export type ToHashThread =
  /** Memory that both threads use for the content from now on: the next one of its blocks. */
  | { readonly type: "share"; readonly id: number; readonly memory: SharedArrayBuffer }
  /** The next `length` bytes of the content are in this block, the first one being 0. */
  | {
      readonly type: "hash";
      readonly id: number;
      readonly block: number;
      readonly length: number;
    }
  /** The content's memory is used for others from now on. */
  | { readonly type: "unshare"; readonly id: number }
  | { readonly type: "end"; readonly id: number }
  /** The content is not needed any more. */
  | { readonly type: "drop"; readonly id: number };

export type FromHashThread =
  | { readonly type: "hashed"; readonly id: number; readonly block: number }
  | { readonly type: "sums"; readonly id: number; readonly sums: ContentSums };

interface Content {
  readonly hash: ContentHash;
  readonly blocks: Uint8Array[];
}

const contents = new Map<number, Content>();

function contentOf(id: number): Content {
  const content = contents.get(id) ?? { hash: createContentHash(), blocks: [] };
  contents.set(id, content);
  return content;
}

const send = (message: FromHashThread): void => postMessage(message);

function receive(message: ToHashThread): void {
  const { type, id } = message;
  const { hash, blocks } = contentOf(id);
  switch (type) {
    case "share":
      blocks.push(new Uint8Array(message.memory));
      break;
    case "hash": {
      const { block, length } = message;
      const bytes = blocks[block];
      if (bytes === undefined) throw new Error(`Block ${block} was not shared.`);
      hash.update(bytes.subarray(0, length));
      send({ type: "hashed", id, block });
      break;
    }
    case "unshare":
      blocks.length = 0;
      break;
    case "end":
      send({ type: "sums", id, sums: hash.end() });
      contents.delete(id);
      break;
    case "drop":
      contents.delete(id);
  }
}

addEventListener("message", (event: MessageEvent<ToHashThread>) => receive(event.data));
