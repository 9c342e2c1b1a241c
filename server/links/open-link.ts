import { checkThrottled } from "../access/check-throttled.ts";
import type { ThrottleSubject } from "../access/password-throttle.ts";
import { SHARED_WAIT_MS } from "../access/throttle-subjects.ts";
import type { Actor } from "../domain/activity.ts";
import { Fault } from "../domain/faults/fault.ts";
import { type LinkRecord, visitorOf } from "../domain/links.ts";
import type { FileRecord, FolderRecord, Millis } from "../domain/records.ts";
import { hashLinkToken, isLinkToken } from "../domain/tokens/link-token.ts";
import { VISIT_SECONDS, type VisitSeal } from "../domain/tokens/visit-seal.ts";
import type { LinksDeps } from "./deps.ts";
import { type StartedDrop, startDrop } from "./drop.ts";
import { linkOperations } from "./link-operations.ts";
import type { PlanLimit } from "./plan-limit.ts";
import { authorizeVisitor, type ResolvedLink, type ResolveLink } from "./resolve-link.ts";
import { createSharedFolder, type SharedFolder } from "./shared-folder.ts";
import type { VisitBuffer } from "./visit-buffer.ts";

/** Who asks for a link. */
export interface Visitor {
  /** Every value of the cookie of this link. */
  readonly cookies: readonly string[];
  /** The client's address. */
  readonly client: string;
}

/** What visitors of a link get. */
export type LinkContent =
  | { readonly kind: "file"; readonly file: FileRecord }
  /** Visitors must not see the folder's key. */
  | { readonly kind: "folder"; readonly folder: FolderRecord; readonly service: SharedFolder }
  /** `name`: what the visitor calls the files. Faults: same as `startDrop`. */
  | { readonly kind: "drop"; start(name?: string): Promise<StartedDrop> };

/** A link that works now. */
export interface OpenedLink
  extends Pick<LinkRecord, "kind" | "downloadOnly" | "maxBytes" | "maxFiles" | "expiresAt"> {
  /** The title; otherwise the name of what is shared to be read. null: neither, or a password protects the name. */
  readonly heading: string | null;
  /** visiting: a visit runs; new: `enter` starts one; password: `enter` needs the password. */
  readonly entry: "visiting" | "new" | "password";
  /** Whether everybody may see the content without a visit: there is no password and no limit of visits. */
  readonly isUnlimited: boolean;
  /** The actor that the audit log names for everybody who opens the link. */
  readonly visitor: Actor;
  /** undefined: only in a visit. */
  readonly content: LinkContent | undefined;
  /**
   * Counts a visit. Faults: "not_found": none is left; "unauthorized": the password is wrong or missing;
   * "rate_limited": after wrong passwords.
   */
  enter(password?: string): Promise<StartedVisit>;
}

export interface StartedVisit {
  readonly content: LinkContent;
  /** Proves the visit. `maxAge` in seconds. */
  readonly cookie: { readonly value: string; readonly maxAge: number };
}

/**
 * The only way from a token to what is shared. The catalog is read at each call. Fault "not_found":
 * there is no such link, or it does not work; the fault does not say which.
 */
export type OpenLink = (token: string, visitor: Visitor) => Promise<OpenedLink>;

export interface OpenLinkDeps extends LinksDeps {
  readonly resolve: ResolveLink;
  readonly visitSeal: VisitSeal;
  readonly planLimit: PlanLimit;
  readonly visits: Pick<VisitBuffer, "count">;
}

export function createOpenLink(deps: OpenLinkDeps): OpenLink {
  const { catalog, resolve, visitSeal, visits } = deps;

  async function find(token: string): Promise<ResolvedLink> {
    const record = isLinkToken(token)
      ? await catalog.linkByTokenHash(hashLinkToken(token))
      : undefined;
    const link = record && (await resolve(record));
    if (link === undefined) throw linkGone();
    return link;
  }

  return async (token, { cookies, client }) => {
    const link = await find(token);
    const { record } = link;
    const now = catalog.now();
    const isVisiting = cookies.some((cookie) => visitSeal.verify(record, cookie, now));
    if (!isVisiting && record.usesLeft === 0) throw linkGone();
    const hasPassword = record.passwordHash !== null;
    // Visitors who send files may not learn the name of the folder that receives them.
    const isNameHidden = record.kind === "drop" || (hasPassword && !isVisiting);
    const isUnlimited = !hasPassword && record.usesLeft === null;
    return {
      kind: record.kind,
      downloadOnly: record.downloadOnly,
      expiresAt: record.expiresAt,
      maxBytes: record.maxBytes,
      maxFiles: record.maxFiles,
      heading: record.title ?? (isNameHidden ? null : nameOf(link)),
      entry: isVisiting ? "visiting" : hasPassword ? "password" : "new",
      isUnlimited,
      visitor: visitorOf(record),
      content: isVisiting || isUnlimited ? contentOf(deps, link, client) : undefined,
      async enter(password) {
        await checkPassword(deps, record, password, client);
        // Only where a visit may be the last one, or the password may have changed, it must be written at once.
        if (isUnlimited) visits.count(record.id);
        else if (!(await catalog.countVisit(record))) throw linkGone();
        const value = visitSeal.seal(record, catalog.now());
        return {
          content: contentOf(deps, link, client),
          cookie: { value, maxAge: VISIT_SECONDS },
        };
      },
    };
  };
}

const linkGone = (): Fault =>
  new Fault("not_found", "This link does not exist, or it has ended. Ask for a new one.");

function nameOf(link: ResolvedLink): string | null {
  const { name } = link.kind === "file" ? link.file : link.folder;
  return name === "" ? null : name;
}

function contentOf(deps: OpenLinkDeps, link: ResolvedLink, client: string): LinkContent {
  const { record } = link;
  if (link.kind === "file") return { kind: "file", file: link.file };
  const { folder } = link;
  if (record.kind === "drop") {
    return {
      kind: "drop",
      start: (name) => startDrop(deps, link, { name, client }),
    };
  }
  const visitor = authorizeVisitor(link, linkOperations.readFolder);
  const service = createSharedFolder(visitor, folder, {
    files: deps.files,
    planLimit: deps.planLimit,
    title: record.title,
  });
  return { kind: "folder", folder, service };
}

async function checkPassword(
  { passwords, throttle, clientKey }: LinksDeps,
  { id, passwordHash }: LinkRecord,
  password: string | undefined,
  client: string,
): Promise<void> {
  if (passwordHash === null) return;
  if (password === undefined) {
    throw new Fault("unauthorized", "This link needs its password.");
  }
  await checkThrottled(
    throttle,
    [clientSubject(id, clientKey(client)), linkSubject(id)],
    async () => {
      if (!(await passwords.verify(password, passwordHash))) {
        throw new Fault("unauthorized", "The password is wrong.", { code: "wrong_credentials" });
      }
    },
  );
}

const MINUTE: Millis = 60_000;

/** All attempts of one client on one link, so that success with another link does not clear them. */
const clientSubject = (id: string, client: string): ThrottleSubject => ({
  kind: "link client",
  id: `${id} ${client}`,
  freeAttempts: 5,
  maxWaitMs: 15 * MINUTE,
});

/** All attempts on one link. */
const linkSubject = (id: string): ThrottleSubject => ({
  kind: "link",
  id,
  freeAttempts: 10,
  maxWaitMs: SHARED_WAIT_MS,
  isShared: true,
});
