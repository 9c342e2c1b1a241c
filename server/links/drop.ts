import { Fault } from "../domain/faults/fault.ts";
import { childKey, parseName } from "../domain/names/name.ts";
import type { Millis, Name } from "../domain/records.ts";
import { timestamp } from "../domain/timestamp.ts";
import type { BatchRecord } from "../domain/uploads.ts";
import type { LinksDeps } from "./deps.ts";
import { linkOperations } from "./link-operations.ts";
import { authorizeVisitor, type FolderLink } from "./resolve-link.ts";

/** A batch for what one visitor sends, and the secret of its URL. */
export interface StartedDrop {
  readonly batch: BatchRecord;
  readonly token: string;
}

const MAX_NAME_LENGTH = 100;

/**
 * Starts a batch of private files, which appear together in a new folder. `name`: of that folder; by
 * default the time. If it is taken when the batch is committed, it gets a number. `client`: the visitor's
 * address. Faults: "invalid": the name; "rate_limited": the client or the link has too many open batches;
 * "not_found": the link has ended, or has another password.
 */
export function startDrop(
  { batches, clientKey }: Pick<LinksDeps, "batches" | "clientKey">,
  link: FolderLink,
  { name, client }: { readonly name: string | undefined; readonly client: string },
): Promise<StartedDrop> {
  const { record, folder } = link;
  const visitor = { client: clientKey(client), passwordVersion: record.passwordVersion };
  return batches.create(
    authorizeVisitor(link, linkOperations.sendFiles),
    {
      folder: childKey(folder.key, nameOf(name?.trim() ?? "", Date.now())),
      visibility: "private",
      lifetime: record.lifetime,
      onConflict: "keepBoth",
    },
    visitor,
  );
}

function nameOf(name: string, now: Millis): Name {
  if (name === "") return parseName(timestamp(now).slice(0, 16).replace(":", "."));
  // A visitor of the company "Skov A/S" means no path.
  if (name.length <= MAX_NAME_LENGTH) return parseName(name.replaceAll(/[/\\]/g, "-"));
  throw new Fault("invalid", `The name must have at most ${MAX_NAME_LENGTH} characters.`);
}
