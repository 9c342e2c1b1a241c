import type { z } from "zod";
import type { createUploadBody } from "../../../../contract/bodies/uploads.ts";
import type { uploadOperations } from "../../../../contract/operations/uploads.ts";
import { parseKey, parseName } from "../../../domain/names/name.ts";
import type { Millis } from "../../../domain/records.ts";
import { parseSha256 } from "../../../domain/sha256.ts";
import type { Fetches } from "../../../fetches/fetches.ts";
import type { Lookups } from "../../../files/lookups.ts";
import type { Activity } from "../../../insight/activity.ts";
import { changeMetadata, parseMetadata } from "../../../semantics/file-metadata.ts";
import { parseTusMetadata } from "../../../semantics/tus-metadata.ts";
import { CHECKSUM_ALGORITHMS } from "../../../semantics/upload-checksum.ts";
import type { CreatedUpload, UploadRequest } from "../../../uploads/create-upload.ts";
import { OffsetFault } from "../../../uploads/upload-faults.ts";
import type { Uploads } from "../../../uploads/uploads.ts";
import { failure, type HeaderFields } from "../../connection/reply.ts";
import { preflightHeaders } from "../../tus/cors.ts";
import { bringsWholeFile, readAppend, readFirstBytes } from "../../tus/read-append.ts";
import { progressFields, stateFields } from "../../tus/upload-fields.ts";
import { TUS_VERSION } from "../../tus/upload-headers.ts";
import { fileObject } from "../objects.ts";
import { LATER_FILE_FIELDS, readLifetime } from "../read-lifetime.ts";
import { recordUpload } from "../record-upload.ts";
import { shownUpload, uploadObject } from "../upload-objects.ts";
import type { Handlers } from "./handler.ts";

export interface UploadHandlerDeps {
  readonly uploads: Uploads;
  readonly look: Pick<Lookups, "destination">;
  readonly fetches: Pick<Fetches, "stateOf">;
  readonly activity: Pick<Activity, "record">;
  readonly maxUploadSize: () => number;
  /** The path below which a proxy shows the site. */
  readonly basePath: string;
  /** The clock that lifetimes count by. */
  readonly now: () => Millis;
}

const EXTENSIONS = [
  ...["creation", "creation-with-upload", "creation-defer-length"],
  ...["expiration", "checksum", "termination"],
];
const METHODS = ["GET", "HEAD", "PATCH", "POST", "DELETE"];

export function uploadHandlers(deps: UploadHandlerDeps): Handlers<keyof typeof uploadOperations> {
  const { uploads, activity, basePath } = deps;
  const respondCreated = createRespondCreated(deps);

  const features = (): HeaderFields => ({
    "Tus-Version": TUS_VERSION,
    "Tus-Extension": EXTENSIONS.join(","),
    "Tus-Max-Size": String(deps.maxUploadSize()),
    "Tus-Checksum-Algorithm": CHECKSUM_ALGORITHMS.join(","),
  });

  return {
    async createUpload(input) {
      const { body, request, caller, authorize } = input;
      const wanted = uploadRequest(body, request.headers, deps.now());
      const writer = await authorize(() => deps.look.destination(caller, wanted.folder));
      return respondCreated(await uploads.create(writer, wanted), input);
    },

    async tusFeatures() {
      return new Response(null, { status: 204, headers: features() });
    },

    async uploadState({ parameters }) {
      const state = await uploads.state(parameters.upload ?? "");
      return new Response(null, { headers: stateFields(state, basePath) });
    },

    async showUpload({ parameters }) {
      const { upload, file } = await uploads.state(parameters.upload ?? "");
      return {
        upload: shownUpload(upload),
        complete: upload.state === "finished",
        file: file === undefined ? null : fileObject(file),
        fetch: (await deps.fetches.stateOf(upload)) ?? null,
      };
    },

    async appendToUpload({ parameters, request, client }) {
      try {
        const result = await uploads.append(parameters.upload ?? "", readAppend(request));
        const { upload, file, isCompleted } = result;
        if (isCompleted && file !== undefined) recordUpload(activity, client, upload, file);
        return new Response(null, { status: 204, headers: progressFields(result, basePath) });
      } catch (error) {
        if (!(error instanceof OffsetFault)) throw error;
        return failure(error, { "Upload-Offset": String(error.offset) });
      }
    },

    async cancelUpload({ parameters }) {
      await uploads.cancel(parameters.upload ?? "");
      return new Response(null, { status: 204 });
    },

    async uploadOptions() {
      const headers = { ...features(), ...preflightHeaders(METHODS) };
      return new Response(null, { status: 204, headers });
    },
  };
}

/** The part of a handler's input that the response to a creation needs. */
interface CreationInput {
  readonly request: Request;
  readonly client: string;
  readonly setHeader: (name: string, value: string) => void;
}

/** Stores the first bytes, if there are any, and responds with the URL. */
export function createRespondCreated({
  uploads,
  activity,
  basePath,
}: Omit<UploadHandlerDeps, "fetches">) {
  return async (
    { upload: created, token }: CreatedUpload,
    { request, client, setHeader }: CreationInput,
  ) => {
    let upload = created;
    try {
      const bytes = readFirstBytes(request, created.length);
      if (bytes !== undefined) {
        const result = await uploads.append(token, bytes);
        upload = result.upload;
        const { file, isCompleted } = result;
        if (isCompleted && file !== undefined) recordUpload(activity, client, upload, file);
        for (const field of Object.entries(progressFields(result, basePath))) setHeader(...field);
      } else {
        const view = { upload, file: undefined, sha256: undefined };
        for (const field of Object.entries(progressFields(view, basePath))) setHeader(...field);
      }
    } catch (error) {
      // The client gets no URL, so nobody could continue or cancel it.
      await uploads.cancel(token).catch(() => {});
      throw error;
    }
    setHeader("Location", `${basePath}/api/uploads/${token}`);
    return { upload: uploadObject(upload, token) };
  };
}

type UploadBody = Omit<z.output<typeof createUploadBody>, "onConflict"> &
  Pick<Partial<z.output<typeof createUploadBody>>, "onConflict">;

/** Fault "invalid": a name, the folder, the digest, the metadata or `Upload-Metadata` is malformed. */
export function uploadRequest(
  { folder, name, metadata, sha256, fileExpiresIn, fileExpiresAt, ...others }: UploadBody,
  headers: Headers,
  now: Millis,
): UploadRequest {
  return {
    ...others,
    lifetime: readLifetime(
      { expiresIn: fileExpiresIn, expiresAt: fileExpiresAt },
      now,
      LATER_FILE_FIELDS,
    ),
    isWhole: bringsWholeFile(headers, others.size),
    tusMetadata: checkedMetadata(headers.get("upload-metadata")),
    ...(folder === undefined ? {} : { folder: parseKey(folder) }),
    ...(name === undefined ? {} : { name: parseName(name) }),
    ...(metadata === undefined ? {} : { metadata: changeMetadata(null, parseMetadata(metadata)) }),
    ...(sha256 === undefined ? {} : { sha256: parseSha256(sha256) }),
  };
}

/** `HEAD` returns it as it was sent, so it must be well-formed also beside a JSON body. */
function checkedMetadata(header: string | null): string | null {
  if (header !== null) parseTusMetadata(header);
  return header;
}
