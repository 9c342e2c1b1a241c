import { Fault, type FaultKind, type FaultOptions, LostBytes } from "../domain/faults/fault.ts";

/** Also when the maker has lost the right to upload there: the URL then looks wrong. */
export const unknownUpload = (): Fault =>
  new Fault("not_found", "There is no such upload. Create a new one.");

export const unknownBatch = (): Fault =>
  new Fault("not_found", "There is no such batch. Create a new one.");

export const expiredUpload = (): Fault =>
  new Fault("gone", "This upload has expired. Create a new one.");

export const expiredBatch = (): Fault =>
  new Fault("gone", "This batch has expired. Create a new one.");

/** Bytes that were received are lost, so the upload cannot be completed. */
export const damagedUpload = (): LostBytes =>
  new LostBytes("Bytes of this upload are damaged, so it was removed. Create a new one.");

/** Stored bytes of the upload are needed, and reading them failed. The upload stays. */
export const unreadableUpload = (): Fault =>
  new Fault(
    "unavailable",
    "The storage could not read stored bytes of this upload. Try again shortly; nothing is lost.",
    { retryAfter: 5 },
  );

export const lockedUpload = (): Fault =>
  new Fault(
    "locked",
    "Another request is writing to this upload, and was asked to stop. Try again in a second.",
    { retryAfter: 1 },
  );

/** The response says where the upload continues. */
export class OffsetFault extends Fault {
  readonly offset: number;

  constructor(
    kind: FaultKind,
    message: string,
    { offset, code }: Pick<FaultOptions, "code"> & { readonly offset: number },
  ) {
    super(kind, message, { code, details: { offset } });
    this.offset = offset;
  }
}

/** A request does not begin where the upload ends. */
export const wrongOffset = (offset: number): OffsetFault =>
  new OffsetFault(
    "conflict",
    `The upload continues at offset ${offset}: send the bytes from there on.`,
    { offset, code: "wrong_offset" },
  );

/** A request says that the file ends with its body, which ends before the length of the file. */
export const endsEarly = (end: number, length: number, offset: number): OffsetFault =>
  new OffsetFault(
    "invalid",
    `The body with \`Upload-Complete: ?1\` ends at byte ${end}, but the file has ${length} bytes. The upload continues at offset ${offset}: send the rest from there on.`,
    { offset },
  );

/** The name is taken. Clients of tus repeat a request after 409, so this is another fault. */
export function nameTaken(name: string): Fault {
  return new Fault("unprocessable", `"${name}" already exists in this folder.`, {
    code: "name_taken",
    details: { name },
  });
}

/** Rejects with "unprocessable" instead of "conflict". */
export async function withoutConflict<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    if (!(error instanceof Fault) || error.kind !== "conflict") throw error;
    const { message, code, details } = error;
    throw new Fault("unprocessable", message, {
      code: code === "name_taken" ? code : "unprocessable",
      details,
    });
  }
}
