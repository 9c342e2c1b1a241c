import { authorize, noSuchFolder } from "../domain/callers/authorize.ts";
import type { Caller, SeenBy } from "../domain/callers/caller.ts";
import type { Ref } from "../domain/callers/ref.ts";
import { Fault } from "../domain/faults/fault.ts";
import type { Lifetime } from "../domain/lifetime.ts";
import type { LinkRecord, LinkSubject } from "../domain/links.ts";
import type { Millis } from "../domain/records.ts";
import { hashLinkToken } from "../domain/tokens/link-token.ts";
import { asSeenBy, noSuchFile } from "../files/find.ts";
import { uuidV7 } from "../runtime/uuid.ts";
import type { LinksDeps } from "./deps.ts";
import { makerActions } from "./link-operations.ts";
import type { LinkView, ViewLinks } from "./link-view.ts";
import type { VisitBuffer } from "./visit-buffer.ts";

/** Who manages links. */
export interface LinkManager extends Caller {
  /** The ids of the keys whose links it may manage; undefined: it may manage all links. */
  readonly makerIds: readonly string[] | undefined;
}

/** What is left out has the default, or stays as it is; null removes. */
export interface LinkOptions {
  readonly title?: string | null | undefined;
  readonly password?: string | null | undefined;
  readonly expiresAt?: Millis | null | undefined;
  /** In seconds, instead of `expiresAt`. */
  readonly expiresIn?: number | undefined;
  /** Visits from now on. */
  readonly uses?: number | null | undefined;
  readonly downloadOnly?: boolean | undefined;
  readonly maxBytes?: number | null | undefined;
  readonly maxFiles?: number | null | undefined;
  /** The lifetime of files that visitors send. */
  readonly lifetime?: Lifetime | null | undefined;
  readonly deleteAtEnd?: boolean | undefined;
}

/** By its id or its key. */
export interface WantedSubject extends Omit<LinkSubject, "id"> {
  readonly id: Ref;
}

export interface NewLink extends LinkOptions {
  readonly subject: WantedSubject;
  readonly kind: LinkRecord["kind"];
}

export interface LinkListRequest {
  readonly subject?: WantedSubject | undefined;
  readonly includesRevoked: boolean;
  readonly before?: string | undefined;
  readonly limit: number;
}

/** Links of a caller. A link that it may not manage looks missing. */
export interface ManageLinks {
  /**
   * Faults: "not_found": what is to be shared, also if the manager does not see it; "forbidden"; "invalid": the
   * options contradict each other or the kind of the link.
   */
  create(manager: LinkManager, link: NewLink): Promise<LinkView>;
  /** Newest first. Fault "not_found": nothing has the key. */
  list(manager: LinkManager, request: LinkListRequest): Promise<LinkView[]>;
  /** Faults: "not_found"; "conflict": it is revoked; "invalid" as above. */
  change(manager: LinkManager, id: string, options: LinkOptions): Promise<LinkView>;
  /** Ends the link with its visits and the open uploads of its visitors. Faults "not_found"; "conflict". */
  revoke(manager: LinkManager, id: string): Promise<LinkView>;
}

export interface ManageLinksDeps extends Pick<LinksDeps, "catalog" | "passwords" | "maxLinkDays"> {
  readonly tokenOf: (id: string) => string;
  readonly view: ViewLinks;
  readonly visits: Pick<VisitBuffer, "flushAll">;
}

export function createManageLinks({
  catalog,
  passwords,
  maxLinkDays,
  tokenOf,
  view,
  visits,
}: ManageLinksDeps): ManageLinks {
  async function findSubject(caller: SeenBy, { kind, id }: WantedSubject): Promise<LinkSubject> {
    if (kind === "file") {
      const file = await (typeof id === "string"
        ? catalog.fileById(caller, id)
        : catalog.fileByKey(caller, id.key));
      if (file === undefined) throw noSuchFile();
      return { kind, id: file.id };
    }
    const folder = await (typeof id === "string"
      ? catalog.folderById(caller, id)
      : catalog.folderByKey(caller, id.key));
    if (folder === undefined) throw noSuchFolder();
    return { kind, id: folder.id };
  }

  /** An id may be that of something in the trash; a key names something that is there. */
  const listedSubject = async (caller: SeenBy, { kind, id }: WantedSubject) =>
    typeof id === "string" ? { kind, id } : findSubject(caller, { kind, id });

  /** The end of a link within the maximum, which a link without an end gets. Fault "invalid": a later end is wanted. */
  function within(expiresAt: Millis | null, now: Millis): Millis | null {
    const days = maxLinkDays();
    if (days === 0) return expiresAt;
    const latest = now + days * DAY;
    if (expiresAt === null) return latest;
    if (expiresAt <= latest) return expiresAt;
    throw new Fault(
      "invalid",
      `A link may be valid for at most \`maxLinkDays\`, which is ${days}.`,
    );
  }

  async function find({ makerIds }: LinkManager, id: string): Promise<LinkRecord> {
    const link = await catalog.linkById(id);
    const isManaged =
      link !== undefined && (makerIds === undefined || makerIds.includes(link.maker.id ?? ""));
    if (!isManaged) throw new Fault("not_found", "Link not found.");
    if (link.revokedAt !== null) {
      throw new Fault("conflict", "This link was revoked, which is permanent. Create a new one.");
    }
    return link;
  }

  /** Fault "invalid": the link never ends by itself, or what it leads to cannot move to the trash. */
  async function checkDeleteAtEnd(
    caller: SeenBy,
    { kind, id }: LinkSubject,
    expiresAt: Millis | null,
  ): Promise<void> {
    if (expiresAt === null) {
      throw new Fault("invalid", "`deleteAtEnd` needs `expiresAt` or `expiresIn`.");
    }
    if (kind === "file") return;
    const folder = await catalog.folderById(caller, id);
    if (folder !== undefined && asSeenBy(caller, folder).parentId === null) {
      throw new Fault(
        "invalid",
        "`deleteAtEnd` cannot delete the root, or the folder that you are limited to.",
      );
    }
  }

  /** The link as it is now. */
  async function shown(manager: LinkManager, link: LinkRecord): Promise<LinkView> {
    await visits.flushAll();
    const listed = await catalog.listLinks({
      ids: [link.id],
      includesRevoked: true,
      limit: 1,
    });
    const [found] = await view(manager, listed);
    if (found === undefined) throw new Fault("not_found", "Link not found.");
    return found;
  }

  return {
    async create(manager, { subject: wanted, kind, ...options }) {
      if (kind === "drop" && wanted.kind === "file") {
        throw new Fault("invalid", "A drop link is for a folder: give its `folderId`.");
      }
      const createdAt = catalog.now();
      checkOptions(options, kind, createdAt);
      const subject = await findSubject(manager, wanted);
      authorize(manager, makerActions({ kind, subject }));
      const expiresAt = within(endOf(options, createdAt) ?? null, createdAt);
      if (options.deleteAtEnd === true) {
        authorize(manager, "delete");
        await checkDeleteAtEnd(manager, subject, expiresAt);
      }
      const id = uuidV7(createdAt);
      const { password = null } = options;
      const link: LinkRecord = {
        id,
        tokenHash: hashLinkToken(tokenOf(id)),
        kind,
        subject,
        maker: manager.actor,
        title: options.title ?? null,
        passwordVersion: 0,
        passwordHash: password === null ? null : await passwords.hash(password),
        expiresAt,
        usesLeft: options.uses ?? null,
        visits: 0,
        downloadOnly: options.downloadOnly ?? false,
        maxBytes: options.maxBytes ?? null,
        maxFiles: options.maxFiles ?? null,
        lifetime: options.lifetime ?? null,
        deleteAtEnd: options.deleteAtEnd ?? false,
        createdAt,
        revokedAt: null,
      };
      await catalog.addLink(link);
      return shown(manager, link);
    },
    async list(manager, { subject: wanted, ...request }) {
      await visits.flushAll();
      const { makerIds } = manager;
      const subject = wanted && (await listedSubject(manager, wanted));
      return view(manager, await catalog.listLinks({ ...request, subject, makerIds }));
    },
    async change(manager, id, options) {
      const { kind, passwordHash, ...link } = await find(manager, id);
      const now = catalog.now();
      checkOptions(options, kind, now);
      const wanted = endOf(options, now);
      const end = wanted === undefined ? undefined : within(wanted, now);
      if (options.deleteAtEnd ?? link.deleteAtEnd) {
        if (options.deleteAtEnd === true) authorize(manager, "delete");
        await checkDeleteAtEnd(manager, link.subject, end === undefined ? link.expiresAt : end);
      }
      const { password, uses } = options;
      const keepsPassword = password === undefined || (password === null && passwordHash === null);
      const changed = await catalog.changeLink({
        id,
        ...given({
          title: options.title,
          expiresAt: end,
          usesLeft: uses,
          downloadOnly: options.downloadOnly,
          maxBytes: options.maxBytes,
          maxFiles: options.maxFiles,
          lifetime: options.lifetime,
          deleteAtEnd: options.deleteAtEnd,
        }),
        ...(keepsPassword
          ? {}
          : { passwordHash: password === null ? null : await passwords.hash(password) }),
      });
      return shown(manager, changed ?? (await find(manager, id)));
    },
    async revoke(manager, id) {
      const link = await find(manager, id);
      if (!(await catalog.revokeLink(id))) await find(manager, id);
      return shown(manager, link);
    },
  };
}

const DAY: Millis = 24 * 3600 * 1000;

/** Without the fields that are undefined. */
function given<T extends object>(fields: T): { [F in keyof T]?: Exclude<T[F], undefined> } {
  const found: { [F in keyof T]?: Exclude<T[F], undefined> } = {};
  for (const name in fields) {
    const value = fields[name];
    if (value !== undefined) Object.assign(found, { [name]: value });
  }
  return found;
}

function endOf({ expiresAt, expiresIn }: LinkOptions, now: Millis): Millis | null | undefined {
  return expiresIn === undefined ? expiresAt : now + Math.floor(expiresIn * 1000);
}

/** Fault "invalid": the options contradict each other or the kind of the link. */
function checkOptions(options: LinkOptions, kind: LinkRecord["kind"], now: Millis): void {
  const { expiresAt, expiresIn, downloadOnly, maxBytes, maxFiles, lifetime } = options;
  if (expiresAt !== undefined && expiresIn !== undefined) {
    throw new Fault("invalid", "Give either `expiresAt` or `expiresIn`, not both.");
  }
  if (expiresAt != null && expiresAt <= now) {
    throw new Fault("invalid", "`expiresAt` must be in the future. Revoke a link to end it now.");
  }
  if (kind === "read" && lifetime != null) {
    throw new Fault(
      "invalid",
      "`fileExpiresIn` and `fileExpiresAt` are for links with `kind` `drop` only.",
    );
  }
  if (kind === "read" && (maxBytes != null || maxFiles != null)) {
    throw new Fault("invalid", "`maxBytes` and `maxFiles` are for links with `kind` `drop` only.");
  }
  if (kind === "drop" && downloadOnly === true) {
    throw new Fault("invalid", "`downloadOnly` is for links with `kind` `read` only.");
  }
}
