import type { Actor, Subject } from "../../domain/activity.ts";
import type { FileRecord, Millis } from "../../domain/records.ts";
import type { Activity } from "../../insight/activity.ts";
import { createTwoGenerationCache } from "../../lib/two-generation-cache.ts";

type DownloadedFile = Pick<FileRecord, "id" | "key" | "size" | "visibility">;

/** Records downloads of private files and through links in the audit log, while the setting is on. */
export interface DownloadLog {
  /** The request comes through a link, so that public files count too. */
  noteVisitor(request: Request, visitor: Actor): void;
  /** The request is for a version of the file with this id. The record of a version has an id of its own. */
  noteVersion(request: Request, fileId: string): void;
  /** Call it for each successful response to a request for the file, with the length of the body. 304 has no entry. */
  recordFile(bytes: number, request: Request, file: DownloadedFile): void;
  /** Call it for each response with a zip, whose files have no entries of their own. */
  recordZip(request: Request, name: string): void;
}

export interface DownloadLogDeps {
  /** The current setting. */
  readonly isOn: () => boolean;
  readonly activity: Pick<Activity, "record">;
  /** Who has authenticated the request; undefined: nobody, as with a signed URL. */
  readonly actorOf: (request: Request) => Actor | undefined;
  /** The client's address; "": it has gone. */
  readonly clientOf: (request: Request) => string;
  readonly now?: () => Millis;
}

/** A player or a download manager asks for a file in many ranges, which are one download for this long. */
const SAME_MS = 10 * 60_000;
/** Downloads that are remembered, so that their other ranges have no entries. */
const MAX_REMEMBERED = 50_000;

const NOBODY: Actor = { kind: "none", id: null, name: null };

export function createDownloadLog(deps: DownloadLogDeps): DownloadLog {
  const { isOn, activity, actorOf, clientOf, now = Date.now } = deps;
  const visitors = new WeakMap<Request, Actor>();
  const filesOfVersions = new WeakMap<Request, string>();
  const recordedAt = createTwoGenerationCache<string, Millis>(MAX_REMEMBERED);

  function isNew(actor: Actor, client: string, { id }: DownloadedFile): boolean {
    const key = `${actor.kind} ${actor.id} ${client} ${id}`;
    const at = now();
    const last = recordedAt.get(key);
    if (last !== undefined && at - last < SAME_MS) return false;
    recordedAt.set(key, at, 1);
    return true;
  }

  function record(
    actor: Actor,
    client: string,
    { subject, detail }: { subject: Subject | null; detail: Record<string, string | number> },
  ): void {
    activity.record({
      action: "download",
      outcome: "done",
      status: 200,
      actor,
      address: client === "" ? null : client,
      subject,
      detail,
    });
  }

  return {
    noteVisitor(request, visitor) {
      if (isOn()) visitors.set(request, visitor);
    },
    noteVersion(request, fileId) {
      if (isOn()) filesOfVersions.set(request, fileId);
    },
    recordFile(bytes, request, file) {
      if (!isOn() || request.method === "HEAD") return;
      if (bytes === 0 && isConditional(request)) return;
      const visitor = visitors.get(request);
      if (visitor === undefined && file.visibility === "public") return;
      const actor = visitor ?? actorOf(request) ?? NOBODY;
      const client = clientOf(request);
      if (!isNew(actor, client, file)) return;
      const { key: name, size } = file;
      const id = filesOfVersions.get(request) ?? file.id;
      record(actor, client, { subject: { kind: "file", id, name }, detail: { bytes: size } });
    },
    recordZip(request, name) {
      if (!isOn() || request.method === "HEAD") return;
      const actor = visitors.get(request) ?? actorOf(request) ?? NOBODY;
      record(actor, clientOf(request), { subject: null, detail: { zip: name } });
    },
  };
}

/** A response without bytes to such a request is 304: the server redirects only requests without conditions. */
const isConditional = ({ headers }: Request): boolean =>
  headers.has("if-none-match") || headers.has("if-modified-since");
