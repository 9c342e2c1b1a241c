import type { Actor } from "../domain/activity.ts";
import { Fault } from "../domain/fault.ts";
import { hashLinkToken } from "../domain/link-token.ts";
import type { LinkRecord, LinkSubject } from "../domain/links.ts";
import type { Millis } from "../domain/records.ts";
import { requireAction, type Scope } from "../domain/scope.ts";
import { noSuchFile, noSuchFolder } from "../files/find.ts";
import { uuidV7 } from "../runtime/uuid.ts";
import type { LinksDeps } from "./deps.ts";
import { actionsFor } from "./link-actions.ts";
import type { LinkView, ViewLinks } from "./link-view.ts";
import type { VisitBuffer } from "./visit-buffer.ts";

/** Who manages links. */
export interface LinkManager {
  readonly actor: Actor;
  readonly scope: Scope;
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
}

export interface NewLink extends LinkOptions {
  readonly subject: LinkSubject;
  readonly kind: LinkRecord["kind"];
}

export interface LinkListRequest {
  readonly subject?: LinkSubject | undefined;
  readonly includesRevoked: boolean;
  readonly before?: string | undefined;
  readonly limit: number;
}

/** Links of a caller. A link that it may not manage looks missing. */
export interface ManageLinks {
  /**
   * Faults: "not_found": what is to be shared, also if it is outside the scope; "forbidden"; "invalid": the
   * options contradict each other or the kind of the link.
   */
  create(link: NewLink, manager: LinkManager): Promise<LinkView>;
  /** Newest first. */
  list(request: LinkListRequest, manager: LinkManager): Promise<LinkView[]>;
  /** Faults: "not_found"; "conflict": it is revoked; "invalid" as above. */
  change(id: string, options: LinkOptions, manager: LinkManager): Promise<LinkView>;
  /** Ends the link with its visits and the open uploads of its visitors. Faults "not_found"; "conflict". */
  revoke(id: string, manager: LinkManager): Promise<LinkView>;
}

export interface ManageLinksDeps extends Pick<LinksDeps, "catalog" | "passwords"> {
  readonly tokenOf: (id: string) => string;
  readonly view: ViewLinks;
  readonly visits: Pick<VisitBuffer, "flushAll">;
}

export function createManageLinks({
  catalog,
  passwords,
  tokenOf,
  view,
  visits,
}: ManageLinksDeps): ManageLinks {
  async function requireSubject({ kind, id }: LinkSubject, { folderIds }: Scope): Promise<void> {
    const within = folderIds.length === 0 ? undefined : folderIds;
    if (kind === "file") {
      if ((await catalog.fileById(id, within)) === undefined) throw noSuchFile();
    } else if ((await catalog.folderById(id, within)) === undefined) throw noSuchFolder();
  }

  async function find(id: string, { makerIds }: LinkManager): Promise<LinkRecord> {
    const link = await catalog.linkById(id);
    const isManaged =
      link !== undefined && (makerIds === undefined || makerIds.includes(link.maker.id ?? ""));
    if (!isManaged) throw new Fault("not_found", "Link not found.");
    if (link.revokedAt !== null) {
      throw new Fault("conflict", "This link was revoked, which is permanent. Create a new one.");
    }
    return link;
  }

  /** The link as it is now. */
  async function shown(link: LinkRecord, { scope }: LinkManager): Promise<LinkView> {
    await visits.flushAll();
    const listed = await catalog.listLinks({
      ids: [link.id],
      includesRevoked: true,
      limit: 1,
    });
    const [found] = await view(listed, scope);
    if (found === undefined) throw new Fault("not_found", "Link not found.");
    return found;
  }

  return {
    async create({ subject, kind, ...options }, manager) {
      if (kind === "drop" && subject.kind === "file") {
        throw new Fault("invalid", "A drop link is for a folder: give its `folderId`.");
      }
      checkOptions(options, kind, catalog.now());
      const { actor, scope } = manager;
      await requireSubject(subject, scope);
      for (const action of actionsFor({ kind, subject })) requireAction(scope, action);
      const createdAt = catalog.now();
      const id = uuidV7(createdAt);
      const { password = null } = options;
      const link: LinkRecord = {
        id,
        tokenHash: hashLinkToken(tokenOf(id)),
        kind,
        subject,
        maker: actor,
        title: options.title ?? null,
        passwordVersion: 0,
        passwordHash: password === null ? null : await passwords.hash(password),
        expiresAt: endOf(options, createdAt) ?? null,
        usesLeft: options.uses ?? null,
        visits: 0,
        downloadOnly: options.downloadOnly ?? false,
        maxBytes: options.maxBytes ?? null,
        maxFiles: options.maxFiles ?? null,
        createdAt,
        revokedAt: null,
      };
      await catalog.addLink(link);
      return shown(link, manager);
    },
    async list(request, { makerIds, scope }) {
      await visits.flushAll();
      return view(await catalog.listLinks({ ...request, makerIds }), scope);
    },
    async change(id, options, manager) {
      const { kind, passwordHash } = await find(id, manager);
      checkOptions(options, kind, catalog.now());
      const { password, uses } = options;
      const keepsPassword = password === undefined || (password === null && passwordHash === null);
      const changed = await catalog.changeLink({
        id,
        ...given({
          title: options.title,
          expiresAt: endOf(options, catalog.now()),
          usesLeft: uses,
          downloadOnly: options.downloadOnly,
          maxBytes: options.maxBytes,
          maxFiles: options.maxFiles,
        }),
        ...(keepsPassword
          ? {}
          : { passwordHash: password === null ? null : await passwords.hash(password) }),
      });
      return shown(changed ?? (await find(id, manager)), manager);
    },
    async revoke(id, manager) {
      const link = await find(id, manager);
      if (!(await catalog.revokeLink(id))) await find(id, manager);
      return shown(link, manager);
    },
  };
}

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
  const { expiresAt, expiresIn, downloadOnly, maxBytes, maxFiles } = options;
  if (expiresAt !== undefined && expiresIn !== undefined) {
    throw new Fault("invalid", "Give either `expiresAt` or `expiresIn`, not both.");
  }
  if (expiresAt != null && expiresAt <= now) {
    throw new Fault("invalid", "`expiresAt` must be in the future. Revoke a link to end it now.");
  }
  if (kind === "read" && (maxBytes != null || maxFiles != null)) {
    throw new Fault("invalid", "`maxBytes` and `maxFiles` are for links with `kind` `drop` only.");
  }
  if (kind === "drop" && downloadOnly === true) {
    throw new Fault("invalid", "`downloadOnly` is for links with `kind` `read` only.");
  }
}
