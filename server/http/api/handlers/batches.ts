import type { batchOperations } from "../../../../contract/operations/batches.ts";
import { Fault } from "../../../domain/faults/fault.ts";
import { parseKey } from "../../../domain/names/name.ts";
import type { UploadSession } from "../../../files/upload/begin-upload.ts";
import { bodyOf } from "../../connection/body-of.ts";
import { mapBatches } from "../../connection/json-stream.ts";
import type { MultipartLimits } from "../../multipart/limits.ts";
import type { Part } from "../../multipart/part.ts";
import { readMultipart } from "../../multipart/read-multipart.ts";
import { checkBodyDigest } from "../body-digest.ts";
import { LATER_FILE_FIELDS, readLifetime } from "../read-lifetime.ts";
import { recordCommit } from "../record-upload.ts";
import { storeUploadForm, UPLOAD_FIELDS } from "../store-upload-form.ts";
import { batchMember, batchObject, batchUpload } from "../upload-objects.ts";
import type { Handlers } from "./handler.ts";
import { createRespondCreated, type UploadHandlerDeps, uploadRequest } from "./uploads.ts";

export interface BatchHandlerDeps extends Omit<UploadHandlerDeps, "fetches"> {
  readonly multipartLimits: () => MultipartLimits;
}

export function batchHandlers(deps: BatchHandlerDeps): Handlers<keyof typeof batchOperations> {
  const { activity } = deps;
  const { batches } = deps.uploads;
  const respondCreated = createRespondCreated(deps);

  return {
    async createBatch({
      body: { folder, fileExpiresIn, fileExpiresAt, ...others },
      caller,
      authorize,
    }) {
      const given = { expiresIn: fileExpiresIn, expiresAt: fileExpiresAt };
      const lifetime = readLifetime(given, deps.now(), LATER_FILE_FIELDS);
      const wanted = {
        ...others,
        lifetime,
        folder: folder === undefined ? undefined : parseKey(folder),
      };
      const writer = await authorize(() => deps.look.destination(caller, wanted.folder));
      const { batch, token } = await batches.create(writer, wanted);
      return { batch: batchObject(batch), url: `api/batches/${token}` };
    },

    async showBatch({ parameters }) {
      const batch = await batches.find(parameters.batch ?? "");
      const uploads = await batches.uploads(batch);
      return {
        batch: batchObject(batch),
        members: mapBatches(batches.members(batch), batchMember),
        uploads: uploads.map(batchUpload),
      };
    },

    async addToBatch({ parameters, request }) {
      const token = parameters.batch ?? "";
      const { headers } = request;
      const form = withKnownFields(
        readMultipart(
          checkBodyDigest(bodyOf(request), headers),
          headers.get("content-type"),
          deps.multipartLimits(),
        ),
      );
      const begin = await batches.beginUpload(token);
      const session = withoutOnConflict(await begin(Number(headers.get("content-length") ?? 0)));
      // The maker may have been revoked while the body arrived.
      const added = await storeUploadForm(
        form,
        session,
        deps.now,
        async () => void (await batches.find(token)),
      );
      const batch = await batches.find(token);
      return { batch: batchObject(batch), members: added.map(batchMember) };
    },

    async createBatchUpload(input) {
      const { body, request, parameters } = input;
      const wanted = uploadRequest(body, request.headers, deps.now());
      return respondCreated(await batches.createUpload(parameters.batch ?? "", wanted), input);
    },

    async commitBatch({ parameters, client }) {
      const { batch, isNew } = await batches.commit(parameters.batch ?? "");
      if (isNew) recordCommit(activity, client, batch);
      return { batch: batchObject(batch) };
    },

    async dropBatch({ parameters }) {
      await batches.drop(parameters.batch ?? "");
      return {};
    },
  };
}

/** Fault "invalid": a text field is unknown. */
async function* withKnownFields(form: AsyncIterable<Part>): AsyncGenerator<Part> {
  for await (const part of form) {
    if (part.filename === undefined && !UPLOAD_FIELDS.includes(part.name)) {
      const known = FIELDS.map((name) => `\`${name}\``).join(", ");
      const details = { field: part.name, known: FIELDS };
      throw new Fault(
        "invalid",
        `\`${part.name}\` is not a field of this form, which has ${known}.`,
        { code: "unknown_field", details },
      );
    }
    yield part;
  }
}

/** The batch says what to do with taken names. */
const FIELDS = UPLOAD_FIELDS.filter((name) => name !== "onConflict");

/** Fault "invalid": the form says what to do with taken names, which the batch does. */
function withoutOnConflict<S>(session: UploadSession<S>): UploadSession<S> {
  function check({ onConflict }: { readonly onConflict?: unknown }): void {
    if (onConflict === undefined) return;
    throw new Fault(
      "invalid",
      "`onConflict` belongs to the batch: give it when you create the batch.",
    );
  }
  return {
    ...session,
    async expectTarget(target) {
      check(target);
      await session.expectTarget(target);
    },
    async commit(target) {
      check(target);
      return session.commit(target);
    },
  };
}
