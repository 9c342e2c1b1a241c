import { z } from "zod";
import { keyActions } from "../contract/key-actions.ts";

/* The objects of the API with exactly the fields of the specification. */

const stamp = z.string().regex(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/);

export const fileShape = z.strictObject({
  id: z.string().min(1),
  name: z.string().min(1),
  key: z.string().min(1),
  mimeType: z.string().regex(/^[^/\s]+\/[^/\s]+/),
  size: z.int().min(0),
  folderId: z.string().min(1),
  visibility: z.enum(["public", "private"]),
  url: z.string().startsWith("api/hosting/"),
  createdAt: stamp,
  updatedAt: stamp,
});

export const folderShape = z.strictObject({
  id: z.string().min(1),
  name: z.string(),
  key: z.string(),
  parentId: z.string().min(1).nullable(),
  createdAt: stamp,
  updatedAt: stamp,
});

export const fileData = z.strictObject({ file: fileShape });
export const filesData = z.strictObject({ files: z.array(fileShape) });
export const filesChanged = filesData.extend({
  failed: z.array(
    z.strictObject({
      id: z.string(),
      message: z.string(),
      takenBy: z.enum(["file", "folder"]).optional(),
    }),
  ),
  undoId: z.string().optional(),
});
export const pageData = filesData.extend({ nextCursor: z.string().nullable() });
export const folderData = z.strictObject({ folder: folderShape });
export const browseData = z.strictObject({
  folder: folderShape,
  files: z.array(fileShape),
  folders: z.array(folderShape),
});
/** With `peek=1`. */
export const peekedData = browseData.extend({
  folders: z.array(folderShape.extend({ peek: z.array(fileShape) })),
});
/** With `hasFolders=1`. */
export const branchingData = browseData.extend({
  folders: z.array(folderShape.extend({ hasFolders: z.boolean() })),
});
export const browsePageData = browseData.extend({ nextCursor: z.string().nullable() });
export const searchData = z.strictObject({
  files: z.array(fileShape),
  folders: z.array(folderShape),
  nextCursor: z.string().nullable(),
  total: z.int().min(0).nullable(),
});
export const sizeData = z.strictObject({
  files: z.int().min(0),
  folders: z.int().min(0),
  bytes: z.int().min(0),
});
export const sizesData = sizeData.extend({ each: z.array(sizeData.extend({ id: z.string() })) });
export const deletedData = z.strictObject({ deleted: z.array(z.string()) });
export const batchData = z.strictObject({
  deleted: z.array(z.string()),
  failed: z.array(z.strictObject({ id: z.string(), message: z.string().min(1) })),
});
export const signedData = z.strictObject({
  url: z.string().regex(/^api\/hosting\/[^?]+\?exp=\d{1,12}&sig=[A-Za-z0-9_-]+$/),
  expiresAt: z.string().regex(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
});

export const signedFolderData = z.strictObject({
  url: z.string().regex(/^api\/hosting\/~[A-Za-z0-9_-]+\/$/),
  expiresAt: z.string().regex(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
});

export const keyShape = z.strictObject({
  id: z.string().min(1),
  name: z.string(),
  prefix: z.string(),
  createdAt: stamp,
  lastUsedAt: stamp.nullable(),
  expiresAt: stamp.nullable(),
  actions: z.array(z.enum(keyActions)),
  folder: z.strictObject({ id: z.string(), key: z.string().nullable() }).nullable(),
  parentId: z.string().nullable(),
  accountId: z.string().nullable(),
  oldSecretExpiresAt: z.string().nullable(),
});
export const keysData = z.strictObject({ keys: z.array(keyShape) });
export const keyData = z.strictObject({ key: keyShape });
export const s3CredentialsData = z.strictObject({
  accessKeyId: z.string().regex(/^[0-9a-f]{32}$/),
  secretAccessKey: z.string().regex(/^[\w-]{43}$/),
});

export const newKeyData = z.strictObject({ key: keyShape, secret: z.string() });

export const accountShape = z.strictObject({
  id: z.string(),
  email: z.string(),
  role: z.enum(["owner", "member"]),
  hasPassword: z.boolean(),
  createdAt: stamp,
});
export const spaceShape = z.strictObject({
  id: z.string(),
  folder: z.strictObject({ id: z.string(), key: z.string().nullable() }),
  actions: z.array(z.string()),
});
export const sessionShape = z.strictObject({
  id: z.string(),
  current: z.boolean(),
  userAgent: z.string(),
  address: z.string(),
  createdAt: stamp,
  lastSeenAt: stamp,
  expiresAt: stamp,
});
export const accountData = z.strictObject({ account: accountShape });
export const whoData = z.strictObject({
  account: accountShape,
  session: sessionShape,
  spaces: z.array(spaceShape),
  hasOthers: z.boolean(),
  needsSecondFactor: z.boolean(),
});
export const sessionsData = z.strictObject({ sessions: z.array(sessionShape) });

export type FileShape = z.infer<typeof fileShape>;
export type FolderShape = z.infer<typeof folderShape>;
