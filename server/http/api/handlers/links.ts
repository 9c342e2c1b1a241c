import type { linkOperations } from "../../../../contract/operations/links.ts";
import type { ApiKeys } from "../../../access/api-keys.ts";
import { type Identity, makerIdsOf } from "../../../access/authenticate.ts";
import type { Caller } from "../../../domain/callers/caller.ts";
import { textOf } from "../../../domain/callers/ref.ts";
import { Fault } from "../../../domain/faults/fault.ts";
import type { Millis } from "../../../domain/records.ts";
import type { LinkManager, ManageLinks, WantedSubject } from "../../../links/manage-links.ts";
import { linkObject } from "../objects.ts";
import { LATER_FILE_FIELDS, readLifetime } from "../read-lifetime.ts";
import { invalidCursor, readCursor, writeCursor } from "./cursor.ts";
import { givenTarget } from "./given-refs.ts";
import type { Handlers } from "./handler.ts";

export interface LinkHandlerDeps {
  readonly links: ManageLinks;
  readonly keys: Pick<ApiKeys, "list">;
  /** The clock that lifetimes count by. */
  readonly now: () => Millis;
}

interface LaterLifetime {
  readonly fileExpiresIn?: number | null | undefined;
  readonly fileExpiresAt?: Millis | null | undefined;
}

const DEFAULT_PAGE = 50;

interface Subject {
  readonly fileId?: string | undefined;
  readonly folderId?: string | undefined;
  /** The file's key. */
  readonly key?: string | undefined;
  /** The folder's key. */
  readonly folder?: string | undefined;
}

export function linkHandlers({
  links,
  keys,
  now,
}: LinkHandlerDeps): Handlers<keyof typeof linkOperations> {
  async function managerOf({
    identity,
    caller,
  }: {
    readonly identity: Identity | undefined;
    readonly caller: Caller;
  }): Promise<LinkManager> {
    return { ...caller, makerIds: await makerIdsOf(identity, keys) };
  }

  const withLifetime = <Given extends LaterLifetime>({
    fileExpiresIn: expiresIn,
    fileExpiresAt: expiresAt,
    ...options
  }: Given) => ({
    ...options,
    lifetime: readLifetime({ expiresIn, expiresAt }, now(), LATER_FILE_FIELDS),
  });

  return {
    async listLinks(input) {
      const { limit = DEFAULT_PAGE, cursor = "", includeRevoked, ...wanted } = input.query;
      const subject = subjectOf(wanted);
      const list = `links ${subject?.kind} ${subject && textOf(subject.id)} ${includeRevoked}`;
      const before = cursor === "" ? undefined : readBefore(list, cursor);
      // One more shows whether there is another page.
      const request = { subject, before, includesRevoked: includeRevoked === "1" };
      const found = await links.list(await managerOf(input), { ...request, limit: limit + 1 });
      const page = found.slice(0, limit);
      const last = page.at(-1);
      return {
        links: page.map(linkObject),
        nextCursor:
          found.length > page.length && last !== undefined ? writeCursor(list, [last.id]) : null,
      };
    },

    async createLink(input) {
      const { fileId, folderId, key, folder, kind = "read", ...given } = input.body;
      const options = withLifetime(given);
      const subject = sharedBy({ fileId, folderId, key, folder });
      const manager = await managerOf(input);
      return { link: linkObject(await links.create(manager, { subject, kind, ...options })) };
    },

    async changeLink(input) {
      const { id, ...given } = input.body;
      const options = withLifetime(given);
      return { link: linkObject(await links.change(await managerOf(input), id, options)) };
    },

    async revokeLink(input) {
      const link = await links.revoke(await managerOf(input), input.body.id);
      return { deleted: [link.id], link: linkObject(link) };
    },
  };
}

/** undefined: none is given. Fault "invalid": several are, or a key is empty or malformed. */
function subjectOf({ fileId, folderId, key, folder }: Subject): WantedSubject | undefined {
  if (fileId !== undefined && folderId !== undefined) {
    throw new Fault("invalid", "Give either `fileId` or `folderId`, not both.");
  }
  const file = givenTarget({ id: fileId, key }, ["fileId", "key"]);
  const inFolder = givenTarget({ id: folderId, key: folder }, ["folderId", "folder"]);
  if (file !== undefined && inFolder !== undefined) {
    throw new Fault("invalid", "Give either a file (`fileId`, `key`) or a folder, not both.");
  }
  if (file !== undefined) return { kind: "file", id: file };
  return inFolder === undefined ? undefined : { kind: "folder", id: inFolder };
}

/** Fault "invalid": not exactly one of the fields is given, or a key is empty or malformed. */
function sharedBy(given: Subject): WantedSubject {
  const subject = subjectOf(given);
  if (subject !== undefined) return subject;
  throw new Fault(
    "invalid",
    "Give the `fileId` or the `folderId` of what is to be shared, or its `key` or `folder`.",
  );
}

function readBefore(list: string, cursor: string): string {
  const [id, ...more] = readCursor(list, cursor);
  if (typeof id !== "string" || more.length > 0) throw invalidCursor();
  return id;
}
