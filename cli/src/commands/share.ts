import type { LinkObject, NewLink } from "../../../sdk/src/holdall.ts";
import { parseDuration } from "../../../server/config/parse-units.ts";
import { UsageError } from "../../../server/terminal/usage-error.ts";
import { exitCodes } from "../exit-codes.ts";
import { type Entry, requireEntry } from "../find-entry.ts";
import type { OutputOptions } from "../output.ts";
import { parseSeconds } from "../parse-seconds.ts";
import type { RemoteSession } from "../run-remote.ts";

/** The options of `link` that make a link, or revoke links. */
export interface ShareOptions extends OutputOptions {
  readonly share?: boolean | undefined;
  readonly drop?: boolean | undefined;
  readonly revoke?: boolean | undefined;
  readonly "download-only"?: boolean | undefined;
  readonly password?: string | undefined;
  readonly title?: string | undefined;
  readonly uses?: string | undefined;
  readonly "expires-in"?: string | undefined;
  readonly expires?: string | undefined;
}

/** Whether the options ask for a link that can be revoked, and not for a signed URL. */
export const isShare = ({
  "expires-in": _,
  json: __,
  text: ___,
  ...others
}: ShareOptions): boolean => Object.values(others).some((value) => value !== undefined);

/** `link KEY --share …`: makes a link for visitors and prints its URL. `--revoke`: revokes all links to it. */
export async function shareRemote(
  session: RemoteSession,
  key: string,
  options: ShareOptions,
): Promise<number> {
  const { holdall, output, signal } = session;
  if (options.revoke === true) return revokeLinks(session, key, options);
  const wanted = optionsOf(options);
  const entry = await requireEntry(holdall, key, signal);
  const link = await holdall.links.create({ ...subjectOf(entry), ...wanted }, { signal });
  await output.print(lineOf(session, link), urlOf(session, link));
  return exitCodes.done;
}

async function revokeLinks(
  session: RemoteSession,
  key: string,
  { revoke: _, json: __, text: ___, ...others }: ShareOptions,
): Promise<number> {
  if (Object.values(others).some((value) => value !== undefined)) {
    throw new UsageError("--revoke takes no other options.");
  }
  const { holdall, output, signal } = session;
  const subject = subjectOf(await requireEntry(holdall, key, signal));
  // All of them before the first is revoked, since the pages of the list change then.
  const ids: string[] = [];
  for await (const { id } of holdall.links.each({ ...subject, signal })) ids.push(id);
  for (const id of ids) {
    const link = await holdall.links.revoke(id, { signal });
    await output.print({ type: "revoked", ...link }, `Revoked the link ${id}`);
  }
  return exitCodes.done;
}

/** `links [KEY]`: lists the links, newest first, or those to a file or folder. */
export async function linksRemote(
  session: RemoteSession,
  [key, ...more]: readonly string[],
): Promise<number> {
  if (more.length > 0) throw new UsageError("`links` takes at most one key.");
  const { holdall, output, signal } = session;
  const subject = key === undefined ? {} : subjectOf(await requireEntry(holdall, key, signal));
  for await (const link of holdall.links.each({ ...subject, signal })) {
    const visits =
      link.usesLeft === null ? `${link.visits}` : `${link.visits}, ${link.usesLeft} left`;
    const about = [link.subject.key ?? "(deleted)", link.kind, link.state, `visits: ${visits}`];
    const text = `${urlOf(session, link)}  ${about.join("  ")}`;
    await output.print(lineOf(session, link), text);
  }
  return exitCodes.done;
}

const subjectOf = (entry: Entry) =>
  entry.type === "file" ? { fileId: entry.file.id } : { folderId: entry.folder.id };

function optionsOf(options: ShareOptions): Omit<NewLink, "fileId" | "folderId"> {
  const { drop, password, title, uses, "download-only": downloadOnly } = options;
  const expiresIn = parseSeconds(options["expires-in"]);
  const expires = options.expires === undefined ? {} : parseExpires(options.expires);
  if (expiresIn !== undefined && options.expires !== undefined) {
    throw new UsageError("Give either --expires or --expires-in.");
  }
  return {
    ...expires,
    ...(drop === true ? { kind: "drop" } : {}),
    ...(password === undefined ? {} : { password }),
    ...(title === undefined ? {} : { title }),
    ...(uses === undefined ? {} : { uses: parseUses(uses) }),
    ...(downloadOnly === true ? { downloadOnly } : {}),
    ...(expiresIn === undefined ? {} : { expiresIn }),
  };
}

/** The value of `--expires`: a duration from now, such as `7d`, or a day or time in ISO 8601. */
function parseExpires(text: string): { expiresIn: number } | { expiresAt: string } {
  const ms = parseDuration(text);
  if (ms !== undefined && ms >= 1000) return { expiresIn: Math.floor(ms / 1000) };
  const isTime = /^\d{4}-\d\d-\d\d(T\d\d:\d\d(:\d\d)?(Z|[+-]\d\d:\d\d)?)?$/.test(text);
  const time = isTime ? new Date(text) : undefined;
  if (time === undefined || Number.isNaN(time.getTime())) {
    throw new UsageError(
      "--expires takes a duration, such as 12h or 7d, or a time, such as 2027-01-31 or 2027-01-31T18:00Z.",
    );
  }
  return { expiresAt: time.toISOString() };
}

function parseUses(text: string): number {
  const uses = /^\d{1,9}$/.test(text) ? Number(text) : 0;
  if (uses < 1) throw new UsageError("--uses takes a whole number of visits, at least 1.");
  return uses;
}

const lineOf = (session: RemoteSession, link: LinkObject) => ({
  type: "link",
  ...link,
  url: link.url === null ? null : urlOf(session, link),
});

const urlOf = ({ holdall }: RemoteSession, { url }: LinkObject): string =>
  url === null ? "(unknown, because AUTH_SECRET has changed)" : holdall.url({ url });
