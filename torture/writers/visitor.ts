import type { Reachable } from "../../test/client.ts";
import { field, filePart, multipart } from "../../test/multipart.ts";
import { bytesOf, newContent } from "../content.ts";
import {
  digestOf,
  emptyInventory,
  type Inventory,
  type InventoryFile,
  withFile,
} from "../inventory.ts";
import { pickAny, pickOne, randomInt } from "../random.ts";
import { type RawRequest, type RawResponse, sendRawRequest } from "../raw-request.ts";
import type { Ledger } from "./ledger.ts";
import type { RunControl } from "./writer.ts";

/** Uploads, downloads and lists over a new connection each time, and checks every byte. */
export interface Visitor extends Ledger {
  /** Number of complete responses so far. */
  readonly answered: number;
  /**
   * Sends requests until one gets not a single byte in response; that is a problem unless
   * `mayFail`.
   */
  run(server: Reachable, course: Pick<RunControl, "mayFail">): Promise<void>;
}

export function createVisitor(folder: string, onProblem: (problem: string) => void): Visitor {
  let inventory: Inventory = { files: emptyInventory.files, folders: new Set() };
  let pending: Inventory | undefined;
  let answered = 0;

  async function upload(ask: Ask): Promise<RawResponse> {
    const bytes = bytesOf(
      newContent(pickOne([randomInt(1, 20_000), randomInt(100_000, 3_000_000)])),
    );
    const name = `${crypto.randomUUID()}.bin`;
    const file: InventoryFile = {
      id: null,
      visibility: "public",
      size: bytes.length,
      digest: digestOf(bytes),
    };
    const after = withFile(inventory, `${folder}/${name}`, file);
    const form = multipart([field("folder", folder), filePart(name, bytes)]);
    pending = after;
    const received = await ask("/api/files", {
      method: "POST",
      headers: { "Content-Type": form.contentType, "Content-Length": String(form.bytes.length) },
      body: form.bytes,
    });
    if (received.status === 200) [inventory, pending] = [after, undefined];
    return received;
  }

  async function download(ask: Ask): Promise<RawResponse> {
    const [key, file] = pickAny([...inventory.files]) ?? [];
    if (key === undefined || file === undefined) return upload(ask);
    const pace = pickOne([undefined, { bytes: 100_000, rest: randomInt(1, 20) }]);
    const received = await ask(`/api/hosting/${key}`, { headers: {}, pace });
    if (received.isComplete && digestOf(received.body) !== file.digest)
      onProblem(`${key} was delivered with wrong bytes.`);
    return received;
  }

  const list = (ask: Ask): Promise<RawResponse> =>
    ask(`/api/folders?key=${folder}&limit=${randomInt(0, 50)}`, { headers: {} });

  /** Whether the visitor continues. */
  function judge({ status, isComplete, body }: RawResponse, mayFail: () => boolean): boolean {
    if (status === 0 && body.length === 0) {
      if (!mayFail()) onProblem("There was no response.");
      return false;
    }
    if (isComplete && status === 200) answered += 1;
    else
      onProblem(
        `Status ${status}, ${isComplete ? body.toString() : `truncated after ${body.length} bytes`}`,
      );
    return true;
  }

  return {
    folder,
    expectedStates: () => (pending === undefined ? [inventory] : [inventory, pending]),
    continueFrom(from) {
      inventory = from;
      pending = undefined;
    },
    get answered() {
      return answered;
    },
    async run(server, { mayFail }) {
      const ask: Ask = (path, asked) =>
        sendRawRequest(`${server.url}${path}`, {
          ...asked,
          headers: { "API-Key": server.apiKey, ...asked.headers },
        });
      let received = await upload(ask);
      while (judge(received, mayFail)) {
        received = await pickOne([upload, download, download, list])(ask);
      }
    },
  };
}

type Ask = (path: string, asked: RawRequest) => Promise<RawResponse>;
