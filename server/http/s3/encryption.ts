import { createHash } from "node:crypto";
import { S3Fault } from "../../domain/faults/s3-fault.ts";
import { isRead } from "./s3-target.ts";

/** The header that asks for encryption by the server, and that says of an object that it is encrypted. */
export const ENCRYPTION = "x-amz-server-side-encryption";
export const AES256 = "AES256";

/** What the other algorithms of S3 need: a service that keeps the keys. */
const KEY_SERVICE = ["aws:kms", "aws:kms:dsse", "aws:fsx"];
const KEY_ID = `${ENCRYPTION}-aws-kms-key-id`;
const CUSTOMER = `${ENCRYPTION}-customer-`;
const KEY_BYTES = 32;

/**
 * Checks what a request for content asks for. `isVolumeEncrypted`: the operator says so.
 *
 * S3Faults "InvalidArgument" and "InvalidEncryptionAlgorithmError": the headers contradict each other or have
 * no meaning; "InvalidRequest": a key for an object that needs none; "NotImplemented": what they ask for is
 * possible in S3, and not here.
 */
export function checkEncryption(
  headers: Headers,
  method: string,
  isVolumeEncrypted: boolean,
): void {
  const reads = isRead(method);
  const algorithm = headers.get(ENCRYPTION);
  if (hasCustomerKey(headers)) {
    if (algorithm !== null) {
      throw invalid(`${ENCRYPTION} and a key of the customer exclude each other.`);
    }
    checkCustomerKey(headers);
    if (reads) {
      throw new S3Fault(
        "InvalidRequest",
        "The encryption parameters are not applicable to this object.",
      );
    }
    throw new S3Fault("NotImplemented", "The server does not encrypt with keys of customers.");
  }
  const keyId = headers.get(KEY_ID);
  if (algorithm === null) {
    if (keyId !== null) throw invalid(`${KEY_ID} needs ${ENCRYPTION}: aws:kms.`);
    return;
  }
  if (reads) throw invalid(`${ENCRYPTION} is not supported for this operation.`);
  if (keyId !== null && algorithm === AES256) {
    throw invalid(`${KEY_ID} needs ${ENCRYPTION}: aws:kms.`);
  }
  checkAlgorithm(algorithm, isVolumeEncrypted);
}

/** S3Faults: same as `checkEncryption`. */
export function checkAlgorithm(algorithm: string, isVolumeEncrypted: boolean): void {
  if (KEY_SERVICE.includes(algorithm)) {
    throw new S3Fault("NotImplemented", `The server has no service for keys, so no ${algorithm}.`);
  }
  if (algorithm !== AES256) {
    throw invalid("The encryption method specified is not supported: AES256 is.");
  }
  if (isVolumeEncrypted) return;
  throw new S3Fault(
    "NotImplemented",
    "The server does not encrypt objects. If it keeps them on an encrypted volume, S3_ACCEPT_SSE=true makes it accept AES256.",
  );
}

const hasCustomerKey = (headers: Headers): boolean =>
  ["algorithm", "key", "key-md5"].some((name) => headers.has(`${CUSTOMER}${name}`));

/** The key is compared with its digest, so that a client learns of a mistake in it first. */
function checkCustomerKey(headers: Headers): void {
  const algorithm = headers.get(`${CUSTOMER}algorithm`);
  const key = headers.get(`${CUSTOMER}key`);
  const md5 = headers.get(`${CUSTOMER}key-md5`);
  if (algorithm === null) throw invalid("The key of the customer needs an encryption algorithm.");
  if (algorithm !== AES256) {
    throw new S3Fault(
      "InvalidEncryptionAlgorithmError",
      "The encryption request that you specified is not valid. The valid value is AES256.",
    );
  }
  if (key === null) throw invalid("The encryption algorithm needs a key of the customer.");
  const bytes = Buffer.from(key, "base64");
  if (bytes.length !== KEY_BYTES || bytes.toString("base64") !== key.trim()) {
    throw invalid("The secret key was invalid for the specified algorithm.");
  }
  if (md5 === null) throw invalid("The key of the customer needs its MD5.");
  if (createHash("md5").update(bytes).digest("base64") !== md5.trim()) {
    throw invalid("The calculated MD5 hash of the key did not match the hash that was provided.");
  }
}

const invalid = (message: string): S3Fault => new S3Fault("InvalidArgument", message);
