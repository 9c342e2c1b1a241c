import type { Actor } from "../../domain/activity.ts";
import { callerInMessage } from "../../domain/callers/scope.ts";
import { Fault } from "../../domain/faults/fault.ts";
import type { ReplaceLimit } from "../../domain/keep-time.ts";
import { endOf } from "../../domain/lifetime.ts";
import type { FileRecord, FolderRecord, Millis, Name } from "../../domain/records.ts";
import { metadataOfNewContent } from "../../semantics/file-metadata.ts";
import { condemnBlobs } from "../blobs/condemn-blobs.ts";
import { paddedChunks } from "../engine/chunks.ts";
import { preparedForItems } from "../engine/prepared-statement.ts";
import type { Tx } from "../engine/tx.ts";
import type { KeepsReplaced } from "../port/keeps-replaced.ts";
import { topOfFolder } from "../quotas/usage.ts";
import { selectFiles } from "../records/select-records.ts";
import { keepVersions, type Replaced } from "../trash/versions.ts";
import { fileStep, recordSteps } from "../undo/undo-steps.ts";
import type { FileToStore } from "./file-to-store.ts";
import { lifetimeIn } from "./folder-defaults.ts";
import { updateContents } from "./update-files.ts";

interface Replacements {
  readonly folder: FolderRecord;
  readonly files: readonly FileToStore[];
}

/**
 * Gives files of these folders with these names new content. The old contents are kept as versions, or
 * their blobs are condemned. Fault "forbidden": `replaceLimit` does not allow it.
 */
export async function replaceContent(
  tx: Tx,
  places: readonly Replacements[],
  { keepReplacedMs, replaceLimit }: KeepsReplaced,
): Promise<FileRecord[]> {
  const replaced: FileRecord[] = [];
  const old: Replaced[] = [];
  for (const { folder, files } of places) {
    const contents = new Map(files.map((file) => [file.name, file]));
    for (const file of await filesNamed(tx, folder, [...contents.keys()])) {
      const content = contents.get(file.name);
      if (content === undefined) continue;
      if (replaceLimit === "nothing") throw nothingIsKept(tx.actor);
      old.push({ file, blobId: content.blobId });
      const isKept = keepReplacedMs !== undefined;
      tx.usage.add(topOfFolder(folder.key), {
        bytes: content.size - (isKept ? 0 : file.size),
        files: isKept ? 1 : 0,
      });
      replaced.push(withContent(tx, folder, file, content, replaceLimit));
    }
  }
  await updateContents(tx, replaced);
  await recordSteps(
    tx,
    old.map(({ file }, at) => fileStep(file, replaced[at] ?? file)),
  );
  if (keepReplacedMs !== undefined) await keepVersions(tx, old, keepReplacedMs);
  else {
    await condemnBlobs(
      tx,
      old.map(({ file }) => file.blobId),
    );
  }
  return replaced;
}

async function filesNamed(
  tx: Tx,
  folder: FolderRecord,
  names: readonly Name[],
): Promise<FileRecord[]> {
  const found: FileRecord[] = [];
  for (const chunk of paddedChunks(names)) {
    const items = chunk.map((name) => ({ name }));
    const shared = { folderId: folder.id };
    found.push(...(await tx.all(selectNamed(items.length), { items, shared })));
  }
  return found;
}

function withContent(
  tx: Tx,
  folder: FolderRecord,
  old: FileRecord,
  { replacedVisibility, lifetime: _, replacedLifetime, metadata, ...content }: FileToStore,
  limit: ReplaceLimit | undefined,
): FileRecord {
  // Validators tell contents apart by this time, so it must change.
  const modifiedAt = Math.max(tx.now, old.modifiedAt + 1);
  const lifetime = replacedLifetime ?? lifetimeIn(folder);
  let expiresAt = lifetime === undefined ? old.expiresAt : endOf(lifetime, modifiedAt);
  if (limit !== undefined && isEarlier(expiresAt, old.expiresAt)) {
    if (replacedLifetime !== undefined) throw endsEarlier(tx.actor);
    expiresAt = old.expiresAt;
  }
  return {
    ...old,
    ...content,
    s3: content.s3 ?? null,
    charset: content.charset ?? null,
    visibility: replacedVisibility ?? old.visibility,
    metadata: metadata === undefined ? metadataOfNewContent(old.metadata) : metadata,
    modifiedAt,
    updatedAt: tx.now,
    expiresAt,
  };
}

const isEarlier = (end: Millis | null, other: Millis | null): boolean =>
  end !== null && (other === null || end < other);

const endsEarlier = (actor: Actor): Fault =>
  new Fault(
    "forbidden",
    `${callerInMessage(actor)} may not do that: the file would end earlier than the one that it replaces, which needs the action \`delete\`.`,
  );

const nothingIsKept = (actor: Actor): Fault =>
  new Fault(
    "forbidden",
    `${callerInMessage(actor)} may not replace files: the trash is disabled, so their content would be lost, which needs the action \`delete\`.`,
  );

const selectNamed = preparedForItems<{ name: Name }, { folderId: string }, FileRecord>(
  (db, items, param) =>
    selectFiles(db)
      .where("files.folder_id", "=", param("folderId"))
      .where(
        "files.name",
        "in",
        items.map((item) => item("name")),
      ),
);
