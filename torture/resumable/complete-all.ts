import type { Reachable } from "../../test/client.ts";
import type { Inventory } from "../inventory.ts";
import { withContent } from "./contents.ts";
import { addedMember, type Scenario, withMembers } from "./scenarios.ts";
import type { BatchName, BatchNotes, UploadName, UploadSeed } from "./seed.ts";
import { trackUpload, type UploadNotes } from "./track-upload.ts";
import { commitBatch, parseBatch, readBatch } from "./upload-client.ts";

export interface Completion {
  /** What must be visible now. */
  readonly inventory: Inventory;
  /** Broken promises, one sentence each. */
  readonly broken: readonly string[];
}

/**
 * After a crash during the request of a scenario: continues all uploads where the server says, commits
 * all batches, and checks every response. `succeeded`: the client received the response.
 */
export async function completeAll(
  server: Reachable,
  seed: UploadSeed,
  scenario: Scenario,
  succeeded: boolean,
): Promise<Completion> {
  const broken: string[] = [];
  let { inventory } = seed;

  /** Whether something is gone, as far as that is allowed. */
  function isGone(name: UploadName | BatchName, status: number): boolean {
    const mayBeGone = scenario.removes === name;
    if (status === 404 ? !mayBeGone : mayBeGone && succeeded) {
      broken.push(`${name}: the response was ${status}.`);
    }
    return status === 404;
  }

  async function finish(name: UploadName | undefined, notes: UploadNotes): Promise<void> {
    const { acknowledges } = scenario;
    const isAcknowledged = succeeded && acknowledges !== undefined && acknowledges.upload === name;
    const acknowledged = isAcknowledged ? acknowledges.offset : notes.acknowledged;
    const upload = trackUpload({ ...notes, acknowledged }, (text) => broken.push(text));
    const { status } = await upload.ask(server);
    if (name !== undefined && isGone(name, status)) return;
    await upload.finish(server);
    if (notes.isSealed !== true) inventory = withContent(inventory, notes.key, notes.content);
  }

  async function commit(name: BatchName, { path, members, upload }: BatchNotes): Promise<void> {
    const first = await commitBatch(server, path);
    if (isGone(name, first.status)) return;
    if (first.status === 409 && upload !== undefined) {
      await finish(undefined, upload);
      return await commit(name, { path, members: withUpload(members, upload) });
    }
    const committed = parseBatch(first);
    const again = await commitBatch(server, path);
    if (again.text !== first.text) broken.push(`${name}: ${again.text} after ${first.text}.`);
    inventory = withMembers(inventory, members);
    if (upload !== undefined) inventory = withContent(inventory, upload.key, upload.content);
    const expected = members.size + (upload === undefined ? 0 : 1);
    const added = committed.result?.added ?? 0;
    if (added === expected) return;
    const mayHaveMore = scenario.addsTo === name && added === expected + 1;
    if (!mayHaveMore) broken.push(`${name}: ${added} files were added, not ${expected}.`);
    else inventory = withAddedMember(inventory, members);
  }

  for (const name of ["partial", "fresh", "replacing"] as const) {
    await finish(name, seed.uploads[name]);
  }
  for (const name of ["ready", "filling"] as const) {
    await expectMember(server, seed.batches[name], scenario.addsTo === name && succeeded, broken);
    await commit(name, seed.batches[name]);
  }
  return { inventory, broken };
}

const withUpload = (
  members: ReadonlyMap<string, Uint8Array>,
  { key, content }: UploadNotes,
): ReadonlyMap<string, Uint8Array> => new Map([...members, [key, content]]);

/** Below the same folder as the other members. */
function withAddedMember(
  inventory: Inventory,
  members: ReadonlyMap<string, Uint8Array>,
): Inventory {
  const [root] = [...members.keys()].map((key) => key.slice(0, key.indexOf("/")));
  return withContent(
    inventory,
    `${root}/${addedMember.folder}/${addedMember.name}`,
    addedMember.content,
  );
}

/** An acknowledged member must be in its batch. */
async function expectMember(
  server: Reachable,
  { path, members }: BatchNotes,
  isAdded: boolean,
  broken: string[],
): Promise<void> {
  if (!isAdded) return;
  const { files } = await readBatch(server, path);
  if (files !== members.size + 1) broken.push(`The batch has ${files} members.`);
}
