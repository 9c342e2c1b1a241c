import { type AuditDetails, givenFields } from "../../../../contract/audit.ts";
import { MAX_CHANGED_FILES } from "../../../../contract/max-changed-files.ts";
import { MAX_SIGNED_FILES } from "../../../../contract/max-signed-files.ts";
import type { downloadOperations } from "../../../../contract/operations/downloads.ts";
import type { fileChangeOperations } from "../../../../contract/operations/file-changes.ts";
import type { fileContentOperations } from "../../../../contract/operations/file-content.ts";
import type { fileOperations } from "../../../../contract/operations/files.ts";
import { expiryOf } from "../../../access/authenticate.ts";
import type { Caller } from "../../../domain/callers/caller.ts";
import { Fault, ignoreMissing } from "../../../domain/faults/fault.ts";
import { parseName } from "../../../domain/names/name.ts";
import type { FileRecord, KeyAction, Millis } from "../../../domain/records.ts";
import { parseSha256 } from "../../../domain/sha256.ts";
import type { FileService } from "../../../files/file-service.ts";
import type { Files } from "../../../files/files.ts";
import { noSuchFile, type Selector } from "../../../files/find.ts";
import { notDone } from "../../../files/remove.ts";
import { etag } from "../../../semantics/etag.ts";
import { parseMetadata, readMetadata } from "../../../semantics/file-metadata.ts";
import { bodyOf } from "../../connection/body-of.ts";
import type { Deliver } from "../../hosting/deliver.ts";
import type { SendArchive } from "../../hosting/send-archive.ts";
import type { MultipartLimits } from "../../multipart/limits.ts";
import { readMultipart } from "../../multipart/read-multipart.ts";
import { checkBodyDigest } from "../body-digest.ts";
import type { DescribeFiles } from "../describe-file.ts";
import { fileObject, maybeTimestamp, signedUrlObject } from "../objects.ts";
import { readLifetime } from "../read-lifetime.ts";
import { storeUploadForm } from "../store-upload-form.ts";
import { givenRefs, givenTarget, requireKey } from "./given-refs.ts";
import type { Authorize, Handlers } from "./handler.ts";
import { filePage, requirePage } from "./page.ts";
import { createPutContent } from "./put-content.ts";

export interface FileHandlerDeps {
  readonly files: Files;
  readonly deliver: Deliver;
  readonly sendArchive: SendArchive;
  readonly multipartLimits: () => MultipartLimits;
  readonly maxDeleteBatch: () => number;
  readonly describeFiles: DescribeFiles;
  /** The clock that lifetimes count by. */
  readonly now: () => Millis;
}

type FileOperations =
  | keyof typeof fileOperations
  | keyof typeof fileContentOperations
  | keyof typeof fileChangeOperations
  | Exclude<keyof typeof downloadOperations, "hostFile">;

export function fileHandlers(deps: FileHandlerDeps): Handlers<FileOperations> {
  const { files, deliver, sendArchive } = deps;
  const { look } = files;
  async function sendSelection(
    given: GivenSelection,
    { request, caller, authorize }: ArchiveInput,
  ): Promise<Response> {
    const selection = selectionOf(given);
    const reader = await authorize(() => files.archive.checkSelection(caller, selection));
    return sendArchive(await files.archive.selection(reader, selection, request.signal), request);
  }

  /** The authorized caller, and the file that its request names. */
  async function selected<A extends KeyAction>({ query, caller, authorize }: FindInput<A>) {
    const selector = requireSelector(query);
    return [await authorize(() => look.file(caller, selector)), selector] as const;
  }

  const findSelected = async (input: FindInput<"list">): Promise<FileRecord> =>
    files.find(...(await selected(input)));
  const findToRead = async (input: FindInput<"read">): Promise<FileRecord> =>
    files.findToRead(...(await selected(input)));

  return {
    async listFiles({ query, caller, authorize }) {
      const { id, key, name, sha256 } = query;
      const describe = deps.describeFiles(query.include);
      if ([id, key, name, sha256].filter((selector) => selector !== undefined).length > 1) {
        throw new Fault("invalid", "Give only one of `id`, `key`, `name` and `sha256`.");
      }
      if (id !== undefined || key !== undefined) {
        return { file: describe(await findSelected({ query: { id, key }, caller, authorize })) };
      }
      const digest = sha256 === undefined ? undefined : parseSha256(sha256);
      requirePage(query);
      const reader = await authorize();
      if (digest !== undefined) {
        const list = `files with ${digest}`;
        return filePage(query, list, (page) => files.listByDigest(reader, digest, page), describe);
      }
      const filter = name === undefined ? "files" : `files ${name}`;
      return filePage(query, filter, (page) => files.list(reader, name, page), describe);
    },

    async fileDigest(input) {
      const { id, key, size, sha256, modifiedAt } = await findSelected(input);
      return { id, key, size, sha256, etag: etag(size, modifiedAt) };
    },

    async fileLifetime(input) {
      const { id, key, expiresAt } = await findSelected(input);
      return { id, key, expiresAt: maybeTimestamp(expiresAt) };
    },

    async fileMetadata(input) {
      const { id, key, metadata } = await findSelected(input);
      return { id, key, metadata: readMetadata(metadata) };
    },

    async uploadFiles({ request, authorize, requireStillAuthenticated }) {
      const { headers } = request;
      const form = readMultipart(
        checkBodyDigest(bodyOf(request), headers),
        headers.get("content-type"),
        deps.multipartLimits(),
      );
      const expectedBytes = Number(headers.get("content-length") ?? 0);
      const upload = await files.beginUpload(await authorize(), expectedBytes);
      const added = await storeUploadForm(form, upload, deps.now, requireStillAuthenticated);
      return { files: added.map(fileObject) };
    },

    putContent: createPutContent(files, deps.now),

    async readContent(input) {
      return deliver(await findToRead(input), input.request, "attachment");
    },

    async changeFile({ body, caller, authorize, addAuditDetails }) {
      const { name, visibility, metadata, onConflict, trash } = body;
      const folderId = targetOf(body);
      const lifetime = readLifetime(body, deps.now());
      requireChange({ name, visibility, folderId, metadata, expiresIn: lifetime });
      const { isOne, refs } = givenRefs(body, MAX_CHANGED_FILES);
      if (!isOne) {
        if (name !== undefined || metadata !== undefined) throw oneAtATime();
        const result = await files.changeMany(
          await authorize(() => look.anyFile(caller, refs)),
          {
            ids: refs,
            onConflict,
            ...(visibility === undefined ? {} : { visibility }),
            ...(folderId === undefined ? {} : { folderId }),
            ...(lifetime === undefined ? {} : { lifetime }),
          },
          trash,
        );
        addAuditDetails(auditOfSeveral(result));
        const { changed, failed, undoId } = result;
        const replaced = undoId === undefined ? {} : { undoId };
        return { files: changed.map(fileObject), failed: [...failed], ...replaced };
      }
      const change = {
        id: refs[0],
        onConflict,
        ...(name === undefined ? {} : { name: parseName(name) }),
        ...(visibility === undefined ? {} : { visibility }),
        ...(folderId === undefined ? {} : { folderId }),
        ...(lifetime === undefined ? {} : { lifetime }),
        ...(metadata === undefined ? {} : { metadata: metadata && parseMetadata(metadata) }),
      };
      const writer = await authorize(() => look.allFiles(caller, refs));
      const { undoId, ...file } = await files.change(writer, change, trash);
      return { file: fileObject(file), ...(undoId === undefined ? {} : { undoId }) };
    },

    async copyFiles({ request, body, caller, authorize, requireStillAuthenticated }) {
      const { name, onConflict = "refuse" } = body;
      const { isOne, refs } = givenRefs(body, MAX_CHANGED_FILES);
      if (!isOne && name !== undefined) {
        throw new Fault("invalid", "`name` is for one file: give its `id` instead of `ids`.");
      }
      const wanted = {
        ids: refs,
        folderId: targetOf(body),
        name: name === undefined ? undefined : parseName(name),
        onConflict,
        lifetime: readLifetime(body, deps.now()),
      };
      const copied = await files.copy.files(
        await authorize(() => look.allFiles(caller, refs)),
        wanted,
        { signal: request.signal, beforeCommit: requireStillAuthenticated },
      );
      return { files: copied.map(fileObject) };
    },

    async deleteFiles({ body, caller, authorize, addAuditDetails }) {
      const { refs } = givenRefs(body, deps.maxDeleteBatch());
      const remover = await authorize(() => look.anyFile(caller, refs));
      const removal = await files.remove(remover, refs, body.trash);
      const { deleted, failed, undoId } = removal;
      addAuditDetails(auditOfSeveral({ altered: deleted, failed }));
      return {
        deleted: deleted.map(({ id }) => id),
        failed,
        ...(undoId === undefined ? {} : { undoId }),
      };
    },

    async signFile({ body, identity, caller, authorize }) {
      const { id, key, ids, keys, expiresIn } = body;
      const lifetime = { expiresIn, notAfter: expiryOf(identity) };
      if (ids === undefined && keys === undefined) {
        if (key !== undefined) requireKey("key", key);
        const wanted = { id, key, ...lifetime };
        const signer = await authorize(() => files.sign.checkFile(caller, wanted));
        return signedUrlObject(await files.sign.file(signer, wanted));
      }
      const { refs } = givenRefs({ id, key, ids, keys }, MAX_SIGNED_FILES);
      const signer = await Promise.resolve(
        authorize(() => files.sign.checkFiles(caller, refs, lifetime)),
      ).catch(ignoreMissing);
      // It needs no action to learn that it sees none of them.
      if (signer === undefined) {
        return { signed: [], failed: refs.map((ref) => notDone(ref, noSuchFile())) };
      }
      const { signed, failed } = await files.sign.files(signer, refs, lifetime);
      return {
        signed: signed.map((each) => ({ id: each.id, key: each.key, ...signedUrlObject(each) })),
        failed: [...failed],
      };
    },

    async downloadFile({ request, parameters, caller, authorize }) {
      const query = { id: parameters.id ?? "" };
      const file = await findToRead({ query, caller, authorize });
      return deliver(file, request, "attachment");
    },

    downloadFiles: (input) => sendSelection(input.body, input),
    downloadSelection: (input) => sendSelection(input.query, input),
  };
}

interface FindInput<A extends KeyAction> {
  readonly query: Parameters<typeof requireSelector>[0];
  readonly caller: Caller;
  readonly authorize: Authorize<A>;
}

interface ArchiveInput {
  readonly request: Request;
  readonly caller: Caller;
  readonly authorize: Authorize<"list" | "read">;
}

interface GivenSelection {
  readonly ids?: readonly string[] | undefined;
  readonly folderIds?: readonly string[] | undefined;
  readonly keys?: readonly string[] | undefined;
  readonly folders?: readonly string[] | undefined;
}

const selectionOf = ({ ids = [], folderIds = [], keys = [], folders = [] }: GivenSelection) => ({
  ids: [...ids, ...keys.map((key) => requireKey("keys", key))],
  folderIds: [...folderIds, ...folders.map((key) => requireKey("folders", key))],
});

const targetOf = ({
  folderId,
  folder,
}: {
  readonly folderId?: string | undefined;
  readonly folder?: string | undefined;
}) => givenTarget({ id: folderId, key: folder }, ["folderId", "folder"]);

type FilesChanged = Awaited<ReturnType<FileService["changeMany"]>>;

/** Names the first file that has changed or, if none has, the first that could not. */
function auditOfSeveral({
  altered,
  failed,
  movedFrom,
}: Pick<FilesChanged, "altered" | "failed" | "movedFrom">): AuditDetails {
  const [first] = altered;
  const [refused] = failed;
  if (first !== undefined) {
    return {
      subject: { kind: "file", id: first.id, name: first.key },
      detail: givenFields({
        files: altered.length,
        origin: movedFrom,
        failed: failed.length === 0 ? undefined : failed.length,
      }),
    };
  }
  if (refused === undefined) return { isUnchanged: true };
  return {
    subject:
      "id" in refused
        ? { kind: "file", id: refused.id }
        : { kind: "file", id: null, name: refused.key },
    detail: { files: failed.length },
    failure: refused.message,
  };
}

const oneAtATime = (): Fault =>
  new Fault("invalid", "`name` and `metadata` change one file: give its `id` instead of `ids`.");

/** Fault "invalid": neither `id` nor `key` is given, or both. */
export function requireSelector({
  id,
  key,
}: {
  readonly id?: string | undefined;
  readonly key?: string | undefined;
}): Selector {
  if (id !== undefined && key === undefined) return { id };
  if (key !== undefined && id === undefined) return { key };
  throw new Fault("invalid", "Give either `id` or `key`.");
}

/** Fault "invalid": no field to change is given. */
export function requireChange(changes: Readonly<Record<string, unknown>>): void {
  if (Object.values(changes).some((value) => value !== undefined)) return;
  const fields = Object.keys(changes).map((field) => `\`${field}\``);
  throw new Fault("invalid", `Give at least one of ${fields.join(", ")}.`);
}
