import type { changeOperations } from "../../../../contract/operations/changes.ts";
import type { ChangeObject } from "../../../../contract/types/changes.ts";
import type { Caller } from "../../../access/authenticate.ts";
import type { Sealer } from "../../../access/sealer.ts";
import { Fault } from "../../../domain/fault.ts";
import { isUnlimited, requireAction, type Scope } from "../../../domain/scope.ts";
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
  readonly files: Pick<Files, "within">;
  readonly cursorSealer: Sealer;
  readonly onError: (message: string, cause: unknown) => void;
}

export function changeHandlers(deps: ChangeHandlerDeps): Handlers<keyof typeof changeOperations> {
  const { feed, cursorSealer, onError } = deps;

  /** Fault "not_found": the folder does not exist, or is outside the scope. */
  async function folderId(folder: string, scope: Scope): Promise<string> {
    const files = deps.files.within(scope);
    const byId = await files.findFolder({ id: folder }).catch(ignoreMissing);
    return (byId ?? (await files.findFolder({ key: folder }))).id;
  }

  return {
    async listChanges({ query, request, caller, scope, authenticateAgain }) {
      const { limit = DEFAULT_LIMIT } = query;
      const folder = query.folder === undefined ? [] : [await folderId(query.folder, scope)];
      requireAction(scope, "list");
      const cursors = feedCursorsFor(scope, cursorSealer);
      const isStream = acceptsEvents(request);
      const since = (isStream && request.headers.get("last-event-id")) || query.since;
      const after = since === undefined ? await feed.end() : cursors.read(since);
      const place: FeedPlace = { after, within: [...scope.folderIds, ...folder] };
      const toObject = (change: SeenChange): ChangeObject =>
        changeObject(
          isUnlimited(scope) ? change : limited(change, scope, caller),
          cursors.write(change.position),
        );
      if (isStream) {
        if (request.method === "HEAD") return new Response(null, { headers: EVENT_STREAM_HEADERS });
        return eventStream({
          follower: await feed.follow(place),
          after,
          cursorOf: cursors.write,
          toObject,
          mayRead: async () => (await authenticateAgain()) !== undefined,
          signal: request.signal,
          onError: (error) => onError("Sending the change feed failed", error),
        });
      }
      const { changes, position, more } = await feed.page(place, limit);
      return { changes: changes.map(toObject), cursor: cursors.write(position), more };
    },
  };
}

function limited(change: SeenChange, scope: Scope, caller: Caller | undefined): SeenChange {
  return withoutOthers(withoutOutside(change, scope), caller);
}

/** The folders that limit the caller have no parent, as in lists. */
function withoutOutside(change: SeenChange, { folderIds }: Scope): SeenChange {
  const { folder } = change.view;
  if (folder === null || !folderIds.includes(folder.id)) return change;
  return { ...change, view: { ...change.view, folder: { ...folder, parentId: null } } };
}

/** Only callers without limits learn the names of other API keys and of accounts. */
function withoutOthers(change: SeenChange, caller: Caller | undefined): SeenChange {
  const { kind, id } = change.actor;
  const isCaller = kind === "key" && caller?.kind === "key" && caller.key.id === id;
  return isCaller ? change : { ...change, actor: { kind, id: null, name: null } };
}

/** Clients name the media type of event streams only if they want one. */
const acceptsEvents = ({ headers }: Request): boolean =>
  headers.get("accept")?.toLowerCase().includes("text/event-stream") ?? false;

function ignoreMissing(cause: unknown): undefined {
  if (cause instanceof Fault && cause.kind === "not_found") return undefined;
  throw cause;
}

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
