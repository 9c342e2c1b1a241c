import type { Holdall } from "../../../../sdk/src/holdall.ts";
import type { Group } from "../group.ts";
import type { Item } from "../item.ts";
import { change, type Queue } from "../queue.ts";
import { batchPaths, pathInBatch } from "../sending/send-to-batch.ts";
import type { Work } from "../work.ts";
import { hasStatus } from "./find-file.ts";

/** Asks the server how much it has of these interrupted items and groups. */
export async function askServer(
  work: Work,
  client: Holdall,
  ids: ReadonlySet<number>,
): Promise<void> {
  const isMeant = ({ id }: { readonly id: number }): boolean => ids.has(id);
  for (const group of work.groups.filter(isMeant)) await askForBatches(work, client, group);
  for (const item of work.items.filter(isMeant)) {
    if (item.url !== undefined) await askForOffset(work, client, item, item.url);
  }
  work.publish();
}

const setItem = (work: Work, id: number, changes: Partial<Item>): void => {
  work.items = change(
    work.items,
    (item) => item.id === id && item.state === "interrupted",
    (item) => ({ ...item, ...changes }),
  );
};

async function askForOffset(work: Work, client: Holdall, item: Item, url: string): Promise<void> {
  try {
    const { offset, isComplete } = await client.uploads.state(url);
    // The response to the last request was lost.
    if (isComplete) setItem(work, item.id, { state: "done", sent: item.size, url: undefined });
    else setItem(work, item.id, { sent: offset });
  } catch (error) {
    // It expired: the file starts again once it is given.
    if (hasStatus(error, 404, 410)) setItem(work, item.id, { url: undefined, sent: 0 });
  }
}

async function askForBatches(work: Work, client: Holdall, { id }: Group): Promise<void> {
  const group = work.group(id);
  if (group?.state !== "interrupted") return;
  try {
    for (const [index, url] of group.batches.entries()) {
      const { batch, members } = await client.batches.show(url);
      const isIn =
        batch.state === "committed"
          ? (item: Item) => item.batch === index
          : isOneOf(group, members);
      work.items = storedIn(work.items, index, (item) => item.group === id && isIn(item));
    }
  } catch (error) {
    if (!hasStatus(error, 404, 410)) return;
    work.changeGroup(id, { batches: [] });
    work.items = change(
      work.items,
      (item) => item.group === id,
      (item) => ({ ...item, batch: undefined, url: undefined, sent: 0, state: "interrupted" }),
    );
    return;
  }
  const items = work.itemsOf(id);
  // Everything is stored, so nothing has to be given again.
  if (group.batches.length > 0 && items.every(({ state }) => state === "done")) {
    work.changeGroup(id, { state: "sending" });
  }
}

function isOneOf(
  group: Group,
  members: readonly { readonly folder: string; readonly name: string }[],
): (item: Item) => boolean {
  const paths = batchPaths(members);
  return (item) => paths.has(pathInBatch(item, group));
}

const storedIn = (queue: Queue, batch: number, isIn: (item: Item) => boolean): Queue =>
  change(queue, isIn, (item) => ({
    ...item,
    batch,
    url: undefined,
    state: "done",
    sent: item.size,
  }));
