import { api, type Reachable } from "../../test/client.ts";
import { bytesOf, newContent } from "../content.ts";
import { emptyInventory, type Inventory, withoutFiles } from "../inventory.ts";
import { chance, pickOne, randomInt } from "../random.ts";
import { failuresIn } from "../writers/steps.ts";
import type { RunControl, Writer } from "../writers/writer.ts";
import { withContent } from "./contents.ts";
import { type TrackedUpload, trackUpload } from "./track-upload.ts";
import { addMembers, commitBatch, createBatch, createUpload } from "./upload-client.ts";

/** With more, it deletes half of them: every audit reads all. */
const MAX_FILES = 40;

/** A writer that makes resumable uploads, which it continues after a crash, and small batches, and deletes old files. */
export function createUploader(folder: string, onProblem: (problem: string) => void): Writer {
  let inventory: Inventory = { files: emptyInventory.files, folders: new Set() };
  let pending: Inventory | undefined;
  let upload: TrackedUpload | undefined;
  let [names, changes, offsetsAcknowledged] = [0, 0, 0];
  let broken: string[] = [];

  const newName = (): string => {
    names += 1;
    return `${names}.bin`;
  };

  const someBytes = (): Uint8Array =>
    bytesOf(newContent(pickOne([randomInt(1, 20_000), randomInt(1, 3_000_000)])));

  /** Only a response that a real client could have received counts. */
  function acknowledge(control: RunControl): boolean {
    if (control.ignoresResponses()) return false;
    if (pending !== undefined) inventory = pending;
    pending = undefined;
    changes += 1;
    return true;
  }

  async function begin(server: Reachable): Promise<TrackedUpload> {
    const [name, content] = [newName(), someBytes()];
    const path = await createUpload(server, { folder, name, size: content.length });
    const notes = { path, key: `${folder}/${name}`, content, acknowledged: 0 };
    return trackUpload(notes, (text) => broken.push(text));
  }

  /** Whether the writer continues. */
  async function sendNext(
    server: Reachable,
    current: TrackedUpload,
    control: RunControl,
  ): Promise<boolean> {
    const { content, key, acknowledged } = current;
    const size = randomInt(1, 1_500_000);
    if (acknowledged + size >= content.length) pending = withContent(inventory, key, content);
    const answer = await current.send(server, size);
    if (control.ignoresResponses()) return false;
    if (answer.status === 423 || answer.status === 409) {
      await Bun.sleep(100);
      if (control.ignoresResponses()) return false;
      return await resume(server, current, control);
    }
    if (answer.status !== 204) {
      if (!control.mayFail()) onProblem(`PATCH responded with ${answer.status} ${answer.text}`);
      return false;
    }
    current.note(answer);
    offsetsAcknowledged += 1;
    return current.isComplete ? complete(control) : true;
  }

  function complete(control: RunControl): boolean {
    upload = undefined;
    return acknowledge(control);
  }

  /** Asks where to continue. */
  async function resume(
    server: Reachable,
    current: TrackedUpload,
    control: RunControl,
  ): Promise<boolean> {
    const { status } = await current.ask(server);
    if (control.ignoresResponses()) return false;
    if (status !== 200) {
      if (!control.mayFail()) onProblem(`HEAD responded with ${status}`);
      return false;
    }
    if (!current.isComplete) return true;
    pending ??= withContent(inventory, current.key, current.content);
    return complete(control);
  }

  async function makeBatch(server: Reachable, control: RunControl): Promise<boolean> {
    const members = new Map([1, 2, 3].map(() => [newName(), someBytes()] as const));
    const batch = await createBatch(server, folder);
    const added = await addMembers(server, batch, "batch", members);
    if (added.status === 200) {
      pending = [...members].reduce(
        (all, [name, content]) => withContent(all, `${folder}/batch/${name}`, content),
        inventory,
      );
    }
    const answer = added.status === 200 ? await commitBatch(server, batch) : added;
    if (answer.status === 200) return acknowledge(control);
    if (!control.mayFail()) onProblem(`A batch got ${answer.status} ${answer.text}`);
    return false;
  }

  async function deleteOldest(server: Reachable, control: RunControl): Promise<boolean> {
    const keys = [...inventory.files.keys()].slice(0, MAX_FILES / 2);
    pending = withoutFiles(inventory, keys);
    const answer = await api(server).json("DELETE", "/api/files", { keys });
    if (answer.status === 200 && failuresIn(answer).length === 0) return acknowledge(control);
    if (!control.mayFail()) onProblem(`A deletion got ${answer.status} ${answer.text}`);
    return false;
  }

  async function step(server: Reachable, control: RunControl): Promise<boolean> {
    if (upload === undefined && inventory.files.size > MAX_FILES) {
      return await deleteOldest(server, control);
    }
    if (upload === undefined && chance(0.2)) return await makeBatch(server, control);
    const current = upload ?? (await begin(server));
    // After a power cut, nobody has its URL.
    if (control.ignoresResponses()) return false;
    upload = current;
    return await sendNext(server, upload, control);
  }

  return {
    folder,
    expectedStates: () => (pending === undefined ? [inventory] : [inventory, pending]),
    continueFrom(from) {
      inventory = from;
      pending = undefined;
      if (upload !== undefined && from.files.has(upload.key)) upload = undefined;
    },
    get acknowledged() {
      return changes;
    },
    get offsetsAcknowledged() {
      return offsetsAcknowledged;
    },
    findBroken: async (server) => {
      if (upload !== undefined) {
        const { status } = await upload.ask(server);
        if (status !== 200) broken.push(`${upload.key}: HEAD responded with ${status}.`);
      }
      const found = broken;
      broken = [];
      return found;
    },
    async run(server, control) {
      try {
        while (control.isDone?.() !== true) {
          if (!(await step(server, control))) return;
        }
      } catch (error) {
        if (!control.mayFail()) onProblem(error instanceof Error ? error.message : String(error));
      }
    },
  };
}
