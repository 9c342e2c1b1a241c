import type { Reachable } from "../../test/client.ts";
import { field, filePart, multipart } from "../../test/multipart.ts";
import { bytesOf, newContent } from "../content.ts";
import { anyOf, between, oneOf } from "../dice.ts";
import { digestOf, type HeldFile, type Holdings, nothing, withFile } from "../holdings.ts";
import { type Asked, type Received, receive } from "../receive.ts";
import type { Ledger } from "./ledger.ts";
import type { Course } from "./writer.ts";

/** One who uploads, downloads and lists over a new connection each time, and looks at every byte. */
export interface Visitor extends Ledger {
  /** How many answers came whole so far. */
  readonly answered: number;
  /** Comes again and again, until there is not one byte of an answer: a problem unless `isOver`. */
  run(server: Reachable, course: Pick<Course, "isOver">): Promise<void>;
}

export function createVisitor(folder: string, onProblem: (problem: string) => void): Visitor {
  let held: Holdings = { files: nothing.files, folders: new Set() };
  let pending: Holdings | undefined;
  let answered = 0;

  async function upload(ask: Ask): Promise<Received> {
    const bytes = bytesOf(newContent(oneOf([between(1, 20_000), between(100_000, 3_000_000)])));
    const name = `${crypto.randomUUID()}.bin`;
    const file: HeldFile = {
      id: null,
      visibility: "public",
      size: bytes.length,
      digest: digestOf(bytes),
    };
    const after = withFile(held, `${folder}/${name}`, file);
    const form = multipart([field("folder", folder), filePart(name, bytes)]);
    pending = after;
    const received = await ask("/api/files", {
      method: "POST",
      headers: { "Content-Type": form.contentType, "Content-Length": String(form.bytes.length) },
      body: form.bytes,
    });
    if (received.status === 200) [held, pending] = [after, undefined];
    return received;
  }

  async function download(ask: Ask): Promise<Received> {
    const [key, file] = anyOf([...held.files]) ?? [];
    if (key === undefined || file === undefined) return upload(ask);
    const pace = oneOf([undefined, { bytes: 100_000, rest: between(1, 20) }]);
    const received = await ask(`/api/hosting/${key}`, { headers: {}, pace });
    if (received.isWhole && digestOf(received.body) !== file.digest)
      onProblem(`${key} came with other bytes.`);
    return received;
  }

  const list = (ask: Ask): Promise<Received> =>
    ask(`/api/folders?key=${folder}&limit=${between(0, 50)}`, { headers: {} });

  /** Whether there is more to come. */
  function judge({ status, isWhole, body }: Received, isOver: () => boolean): boolean {
    if (status === 0 && body.length === 0) {
      if (!isOver()) onProblem("There was no answer.");
      return false;
    }
    if (isWhole && status === 200) answered += 1;
    else
      onProblem(
        `Status ${status}, ${isWhole ? body.toString() : `cut after ${body.length} bytes`}`,
      );
    return true;
  }

  return {
    folder,
    promises: () => (pending === undefined ? [held] : [held, pending]),
    resume(from) {
      held = from;
      pending = undefined;
    },
    get answered() {
      return answered;
    },
    async run(server, { isOver }) {
      const ask: Ask = (path, asked) =>
        receive(`${server.url}${path}`, {
          ...asked,
          headers: { "API-Key": server.apiKey, ...asked.headers },
        });
      let received = await upload(ask);
      while (judge(received, isOver)) {
        received = await oneOf([upload, download, download, list])(ask);
      }
    },
  };
}

type Ask = (path: string, asked: Asked) => Promise<Received>;
