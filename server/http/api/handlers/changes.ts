import type { ChangeObject } from "../../../../contract/api.ts";
import type { changeOperations } from "../../../../contract/operations/changes.ts";
import type { Sealer } from "../../../access/sealer.ts";
import { type Caller, limitsOf, type SeenBy } from "../../../domain/callers/caller.ts";
import { isUnlimited } from "../../../domain/callers/scope.ts";
import { ignoreMissing } from "../../../domain/faults/fault.ts";
import { timestamp } from "../../../domain/timestamp.ts";
import type { Feed, FeedPlace, SeenChange } from "../../../feed/feed.ts";
import type { Files } from "../../../files/files.ts";
import { EVENT_STREAM_HEADERS, eventStream } from "../event-stream.ts";
import { feedCursorsFor } from "../feed-cursors.ts";
import { fileObject, folderObject } from "../objects.ts";
import type { Handlers } from "./handler.ts";

const DEFAULT_LIMIT = 100;

export interface ChangeHandlerDeps {
  readonly feed: Feed;
  readonly files: Pick<Files, "look">;
  readonly cursorSealer: Sealer;
  readonly onError: (message: string, cause: unknown) => void;
}

export function changeHandlers(deps: ChangeHandlerDeps): Handlers<keyof typeof changeOperations> {
  const { feed, files, cursorSealer, onError } = deps;

  /** Fault "not_found": the caller sees no such folder. */
  async function folderIdOf(caller: Caller, folder: string): Promise<string> {
    const byId = await files.look.folder(caller, { id: folder }).catch(ignoreMissing);
    return (byId ?? (await files.look.folder(caller, { key: folder }))).id;
  }

  return {
    async listChanges({ query, request, caller, authorize, authenticateAgain }) {
      const { limit = DEFAULT_LIMIT } = query;
      const { folder } = query;
      const cursors = feedCursorsFor(caller, cursorSealer);
      const isStream = acceptsEvents(request);
      const since = (isStream && request.headers.get("last-event-id")) || query.since;
      const given = since === undefined ? undefined : cursors.read(since);
      const folderId = folder === undefined ? undefined : await folderIdOf(caller, folder);
      const reader = await authorize();
      const after = given ?? (await feed.end());
      const place: FeedPlace = { after, folderId };
      const toObject = (change: SeenChange): ChangeObject =>
        changeObject(
          isUnlimited(caller.scope) ? change : limited(change, caller, caller.actor.id),
          cursors.write(change.position),
        );
      if (isStream) {
        if (request.method === "HEAD") return new Response(null, { headers: EVENT_STREAM_HEADERS });
        return eventStream({
          follower: await feed.follow(reader, place),
          after,
          cursorOf: cursors.write,
          toObject,
          mayRead: async () => (await authenticateAgain()) !== undefined,
          signal: request.signal,
          onError: (error) => onError("Sending the change feed failed", error),
        });
      }
      const { changes, position, more } = await feed.page(reader, place, limit);
      return { changes: changes.map(toObject), cursor: cursors.write(position), more };
    },
  };
}

/** Who reads a change, if not with a request. */
export interface ChangeReader extends SeenBy {
  /** false: it sees who makes changes. */
  readonly isLimited: boolean;
  /** The id of its API key or account. */
  readonly makerId: string | null;
}

/** A change as an API object, for such a reader. */
export function describeChange(
  change: SeenChange,
  { isLimited, makerId, within }: ChangeReader,
  cursorSealer: Sealer,
): ChangeObject {
  const cursors = feedCursorsFor({ within }, cursorSealer);
  const seen = isLimited ? limited(change, { within }, makerId) : change;
  return changeObject(seen, cursors.write(change.position));
}

/** `makerId`: of the API key or account that reads the change; null: none. */
function limited(change: SeenChange, caller: SeenBy, makerId: string | null): SeenChange {
  return withoutOthers(withoutOutside(change, caller), makerId);
}

/** The folders that limit the caller have no parent, as in lists. */
function withoutOutside(change: SeenChange, { within }: SeenBy): SeenChange {
  const { folder } = change.view;
  if (folder === null || !limitsOf(within).includes(folder.id)) return change;
  return { ...change, view: { ...change.view, folder: { ...folder, parentId: null } } };
}

/** Only callers without limits learn the names of other API keys and of accounts. */
function withoutOthers(change: SeenChange, makerId: string | null): SeenChange {
  const { kind, id } = change.actor;
  const isCaller = id !== null && id === makerId;
  return isCaller ? change : { ...change, actor: { kind, id: null, name: null } };
}

/** Clients name the media type of event streams only if they want one. */
const acceptsEvents = ({ headers }: Request): boolean =>
  headers.get("accept")?.toLowerCase().includes("text/event-stream") ?? false;

/** A change as an API object. */
export function changeObject({ at, actor, view }: SeenChange, cursor: string): ChangeObject {
  const { kind, id, key, fromKey, file, folder, visibility, hasContent } = view;
  return {
    cursor,
    kind,
    at: timestamp(at),
    actor: { ...actor },
    id,
    key,
    fromKey,
    file: file && fileObject(file),
    folder: folder && folderObject(folder),
    visibility,
    hasContent,
  };
}
