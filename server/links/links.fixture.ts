import { OWNER } from "../access/credentials.fixture.ts";
import { createFindScopes } from "../access/find-scopes.ts";
import { createPasswordThrottle } from "../access/password-throttle.ts";
import { createPasswords } from "../access/passwords.ts";
import type { Actor } from "../domain/activity.ts";
import { COMMAND_EVERYWHERE, callerWith } from "../domain/callers/caller.ts";
import { FULL_SCOPE } from "../domain/callers/scope.ts";
import type { LinkSubject } from "../domain/links.ts";
import { parseKey } from "../domain/names/name.ts";
import type { KeyAction } from "../domain/records.ts";
import { openObjectsFixture } from "../objects/objects.fixture.ts";
import { createUploads } from "../uploads/uploads.ts";
import { createFindVisitorScopes } from "./find-visitor-scopes.ts";
import { createLinks } from "./links.ts";
import type { LinkManager, LinkOptions } from "./manage-links.ts";
import type { OpenedLink } from "./open-link.ts";

const ADA = "ada";
const HOUR = 3_600_000;

/**
 * The service of links, whose password throttle has a clock that stands still, on a catalog in SQLite with the account "ada",
 * whose links it makes.
 */
export async function openLinksFixture() {
  const objects = await openObjectsFixture();
  const { catalog, blobs, files } = objects;
  await catalog.addFirstAccount({
    id: ADA,
    email: "ada@example.org",
    passwordHash: "$argon2id$",
    ...OWNER,
    createdAt: 1,
  });
  const settings = () => ({
    defaultVisibility: "public" as const,
    maxUploadSize: 1024 ** 2,
    maxFilesPerRequest: 10,
    maxPresignSeconds: 60,
    trashDays: 30,
    trashDeletions: false,
    keepVersions: false,
  });
  const scopesOf = createFindScopes(catalog);
  const uploads = createUploads({
    catalog,
    blobs,
    settings,
    storage: files.storage,
    scopesOf: createFindVisitorScopes({ catalog, scopesOf }),
    expiryMs: HOUR,
    isOnlyProcess: true,
    maxOpen: 50,
    onError: objects.fixture.onError,
  });
  const links = createLinks({
    catalog,
    files,
    scopesOf,
    batches: uploads.batches,
    maxLinkDays: () => 0,
    secret: "secret",
    passwords: createPasswords(),
    throttle: createPasswordThrottle({ now: () => 0 }),
    clientKey: (address) => address,
    flushPeers: async () => {},
    onError: objects.fixture.onError,
  });
  const account: Actor = { kind: "account", id: ADA, name: "ada@example.org" };
  const ada: LinkManager = { ...callerWith(account, FULL_SCOPE), makerIds: undefined };

  const self = {
    ...objects,
    uploads,
    links,
    ada,
    /** A new API key as a manager of links. */
    async keyFor(actions: readonly KeyAction[], folder?: string): Promise<LinkManager> {
      const id = Bun.randomUUIDv7();
      const key = await catalog.addApiKey({
        id,
        hash: `hash ${id}`,
        name: "CI",
        prefix: "hd_",
        createdAt: 1,
        lastUsedAt: null,
        expiresAt: null,
        actions,
        parentId: null,
        folder: folder === undefined ? null : { key: parseKey(folder) },
      });
      const actor: Actor = { kind: "key", id, name: "CI" };
      const scope = { actions: new Set(actions), folderIds: key.folderIds };
      return { ...callerWith(actor, scope), makerIds: [id] };
    },
    async subjectAt(path: string): Promise<LinkSubject> {
      const key = parseKey(path);
      const file = await catalog.fileByKey(COMMAND_EVERYWHERE, key);
      if (file !== undefined) return { kind: "file", id: file.id };
      const folder = await catalog.folderByKey(COMMAND_EVERYWHERE, key);
      if (folder === undefined) throw new Error(`There is nothing at ${path}.`);
      return { kind: "folder", id: folder.id };
    },
    /** Makes a link; returns its id and its token. */
    async share(
      path: string,
      options: LinkOptions & { kind?: "read" | "drop" } = {},
      by: LinkManager = ada,
    ): Promise<{ id: string; token: string }> {
      const { kind = "read", ...others } = options;
      const subject = await self.subjectAt(path);
      const { id, token } = await links.create(by, { subject, kind, ...others });
      if (token === null) throw new Error("A new link has no token.");
      return { id, token };
    },
    open: (token: string, ...cookies: string[]): Promise<OpenedLink> =>
      links.open(token, { cookies, client: "192.0.2.1" }),
    openFrom: (client: string, token: string): Promise<OpenedLink> =>
      links.open(token, { cookies: [], client }),
    async end() {
      await uploads.close();
      await objects.end();
    },
  };
  return self;
}

export type LinksFixture = Awaited<ReturnType<typeof openLinksFixture>>;
