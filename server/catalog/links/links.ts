import { sql } from "kysely";
import { Fault } from "../../domain/faults/fault.ts";
import type { LinkRecord, LinkSubject } from "../../domain/links.ts";
import type { Millis } from "../../domain/records.ts";
import type { Tx } from "../engine/tx.ts";
import { lockFolderRef } from "../folders/lock-folder-refs.ts";
import { setImplicit } from "../objects/put-object.ts";
import type { LinkChange, LinkVisit, VisitCount } from "../port/links.ts";
import { selectFiles } from "../records/select-records.ts";
import type { LinksTable } from "../tables/links.ts";
import { removeUploadsOf } from "../uploads/remove-uploads-of.ts";
import { selectLinks, toLink } from "./select-links.ts";

export async function addLink(tx: Tx, link: LinkRecord): Promise<void> {
  if (!(await isInTree(tx, link.subject))) {
    throw new Fault(
      "not_found",
      link.subject.kind === "file" ? "File not found." : "Folder not found.",
    );
  }
  // The link would lose its folder with the last object in it.
  if (link.subject.kind === "folder") {
    await tx.all(setImplicit, { id: link.subject.id, implicit: 0 });
  }
  await tx.db
    .insertInto("links")
    .values({
      id: link.id,
      token_hash: link.tokenHash,
      kind: link.kind,
      subject_kind: link.subject.kind,
      subject_id: link.subject.id,
      maker_kind: link.maker.kind,
      maker_id: link.maker.id,
      maker_name: link.maker.name,
      title: link.title,
      password_hash: link.passwordHash,
      password_version: link.passwordVersion,
      expires_at: link.expiresAt,
      uses_left: link.usesLeft,
      visits: link.visits,
      download_only: link.downloadOnly ? 1 : 0,
      max_bytes: link.maxBytes,
      max_files: link.maxFiles,
      lifetime: link.lifetime,
      delete_at_end: link.deleteAtEnd ? 1 : null,
      created_at: link.createdAt,
      revoked_at: link.revokedAt,
    })
    .execute();
}

/** Whether the subject is in the tree. A folder is locked, so that it stays there until the transaction ends. */
async function isInTree(tx: Tx, { kind, id }: LinkSubject): Promise<boolean> {
  const found =
    kind === "file"
      ? await selectFiles(tx.db).where("files.id", "=", id).executeTakeFirst()
      : await lockFolderRef(tx, id);
  return found !== undefined;
}

export async function changeLink(
  tx: Tx,
  { id, ...change }: LinkChange,
): Promise<LinkRecord | undefined> {
  const current = await selectLinks(tx.db)
    .where("id", "=", id)
    .where("revoked_at", "is", null)
    .forUpdate()
    .executeTakeFirst();
  if (current === undefined) return undefined;
  const columns = columnsOf(change, current);
  if (Object.keys(columns).length > 0) {
    await tx.db.updateTable("links").set(columns).where("id", "=", id).execute();
  }
  // Those who know only the password of before send nothing more.
  if (change.passwordHash != null) await removeUploadsOf(tx, "link", [id]);
  return toLink({ ...current, ...columns });
}

function columnsOf(change: Omit<LinkChange, "id">, current: LinksTable): Partial<LinksTable> {
  const { title, passwordHash, expiresAt, usesLeft, downloadOnly, maxBytes, maxFiles } = change;
  const { lifetime, deleteAtEnd } = change;
  return {
    ...(title === undefined ? {} : { title }),
    ...(passwordHash === undefined
      ? {}
      : { password_hash: passwordHash, password_version: current.password_version + 1 }),
    ...(expiresAt === undefined ? {} : { expires_at: expiresAt }),
    ...(usesLeft === undefined ? {} : { uses_left: usesLeft }),
    ...(downloadOnly === undefined ? {} : { download_only: downloadOnly ? 1 : 0 }),
    ...(maxBytes === undefined ? {} : { max_bytes: maxBytes }),
    ...(maxFiles === undefined ? {} : { max_files: maxFiles }),
    ...(lifetime === undefined ? {} : { lifetime }),
    ...(deleteAtEnd === undefined ? {} : { delete_at_end: deleteAtEnd ? 1 : null }),
  };
}

export async function revokeLink(tx: Tx, id: string): Promise<boolean> {
  const revoked = await tx.db
    .updateTable("links")
    .set({ revoked_at: tx.now })
    .where("id", "=", id)
    .where("revoked_at", "is", null)
    .executeTakeFirst();
  if (revoked.numUpdatedRows === 0n) return false;
  await removeUploadsOf(tx, "link", [id]);
  return true;
}

export async function countVisit(tx: Tx, { id, passwordVersion }: LinkVisit): Promise<boolean> {
  const counted = await tx.db
    .updateTable("links")
    .set({ visits: sql<number>`visits + 1`, uses_left: sql<number | null>`uses_left - 1` })
    .where("id", "=", id)
    .where("password_version", "=", passwordVersion)
    .where("revoked_at", "is", null)
    .where((eb) => eb.or([eb("expires_at", "is", null), eb("expires_at", ">", tx.now)]))
    .where((eb) => eb.or([eb("uses_left", "is", null), eb("uses_left", ">", 0)]))
    .executeTakeFirst();
  return counted.numUpdatedRows > 0n;
}

export async function addVisits(tx: Tx, counts: readonly VisitCount[]): Promise<void> {
  // In a fixed order, so that two transactions cannot deadlock.
  for (const { id, count } of counts.toSorted((a, b) => (a.id < b.id ? -1 : 1))) {
    await tx.db
      .updateTable("links")
      .set({ visits: sql<number>`visits + ${count}` })
      .where("id", "=", id)
      .execute();
  }
}

export async function removeEndedLinks(
  tx: Tx,
  endedBefore: Millis,
  limit: number,
): Promise<boolean> {
  const ended = await tx.db
    .selectFrom("links")
    .select("id")
    .where((eb) =>
      eb.or([
        eb("revoked_at", "<", endedBefore),
        eb("expires_at", "<", endedBefore),
        sql<boolean>`case subject_kind
          when 'file' then not exists (select 1 from files where files.id = links.subject_id)
          else not exists (select 1 from folders where folders.id = links.subject_id) end`,
      ]),
    )
    .limit(limit)
    .forUpdate()
    .execute();
  if (ended.length === 0) return false;
  const ids = ended.map(({ id }) => id);
  await removeUploadsOf(tx, "link", ids);
  await tx.db.deleteFrom("links").where("id", "in", ids).execute();
  return ended.length === limit;
}
