import type { keyOperations } from "../../../../contract/operations/keys.ts";
import type { ApiKeys, NewApiKey } from "../../../access/api-keys.ts";
import { accountIdOf, expiryOf, limitedMakerOf } from "../../../access/authenticate.ts";
import { rejectLongerLived } from "../../../access/key-rights.ts";
import type { S3Access } from "../../../access/s3/s3-access.ts";
import { Fault } from "../../../domain/faults/fault.ts";
import { parseKey, ROOT_KEY } from "../../../domain/names/name.ts";
import { timestamp } from "../../../domain/timestamp.ts";
import type { KeyTraffic } from "../../../insight/key-traffic.ts";
import { keyObject } from "../objects.ts";
import type { Handlers } from "./handler.ts";

export function keyHandlers({
  keys,
  s3,
  keyTraffic,
}: {
  readonly keys: ApiKeys;
  readonly s3: Pick<S3Access, "credentialsOf">;
  readonly keyTraffic: Pick<KeyTraffic, "totals">;
}): Handlers<keyof typeof keyOperations> {
  return {
    async listKeys({ identity }) {
      return { keys: (await keys.list(limitedMakerOf(identity))).map(keyObject) };
    },

    async keyTraffic({ identity }) {
      const visible = new Map(
        (await keys.list(limitedMakerOf(identity))).map((key) => [key.id, key.name]),
      );
      const { since, keys: counted } = await keyTraffic.totals();
      return {
        since: timestamp(since),
        keys: counted
          .flatMap(({ keyId: id, ...counts }) => {
            const name = visible.get(id);
            return name === undefined ? [] : [{ id, name, ...counts }];
          })
          .toSorted((one, other) => other.requests - one.requests),
      };
    },

    async createKey({ identity, body: { folder, folderId, ...body } }) {
      const notAfter = expiryOf(identity);
      const accountId = accountIdOf(identity);
      const wanted = { ...body, notAfter, accountId, folder: folderOf({ folder, folderId }) };
      const { record, secret } = await keys.create(wanted, limitedMakerOf(identity));
      return { key: keyObject(record), secret };
    },

    async renameKey({ identity, body }) {
      return { key: keyObject(await keys.rename(body.id, body.name, limitedMakerOf(identity))) };
    },

    async revealS3Credentials({ identity, body: { id } }) {
      const key = (await keys.list(limitedMakerOf(identity))).find((each) => each.id === id);
      if (key === undefined) throw new Fault("not_found", "API key not found.");
      rejectLongerLived(key, expiryOf(identity), "see the S3 credentials of a key");
      return s3.credentialsOf(key);
    },

    async rotateKey({ identity, body: { id, oldSecretExpiresIn = 0 } }) {
      const rotation = { id, oldSecretExpiresIn, notAfter: expiryOf(identity) };
      const { record, secret } = await keys.rotate(rotation, limitedMakerOf(identity));
      return { key: keyObject(record), secret };
    },

    async revokeKey({ identity, body }) {
      const deleted = await keys.revoke(body.id, limitedMakerOf(identity));
      if (deleted.length === 0) throw new Fault("not_found", "API key not found.");
      return { deleted };
    },
  };
}

function folderOf({
  folder,
  folderId,
}: {
  folder?: string | undefined;
  folderId?: string | undefined;
}): NewApiKey["folder"] {
  if (folder !== undefined && folderId !== undefined) {
    throw new Fault("invalid", "Give either `folder` or `folderId`, not both.");
  }
  if (folderId !== undefined) return { id: folderId };
  if (folder === undefined) return undefined;
  const key = parseKey(folder);
  // Most likely a variable that is not set: it must not give a key for all folders.
  if (key === ROOT_KEY) {
    throw new Fault(
      "invalid",
      "`folder` is empty: give the key of a folder, or leave it out to limit the new key to none.",
    );
  }
  return { key };
}
