import { basePath } from "../../domain/base-path.ts";
import type { DownloadLog } from "../connection/download-log.ts";
import { publicOriginOf } from "../connection/public-origin.ts";
import type { RunOperation } from "../connection/run-operation.ts";
import type { Deliver } from "../hosting/deliver.ts";
import type { LastingUrls } from "../hosting/lasting-urls.ts";
import type { SendArchive } from "../hosting/send-archive.ts";
import type { MultipartLimits } from "../multipart/limits.ts";
import type { SiteOptions, SiteServices } from "../site-services.ts";
import { createDescribeFiles } from "./describe-file.ts";
import { accountHandlers } from "./handlers/account.ts";
import { batchHandlers } from "./handlers/batches.ts";
import { changeHandlers } from "./handlers/changes.ts";
import { fetchHandlers } from "./handlers/fetches.ts";
import { fileHandlers } from "./handlers/files.ts";
import { folderHandlers } from "./handlers/folders.ts";
import type { UntypedHandlers } from "./handlers/handler.ts";
import { healthHandlers } from "./handlers/health.ts";
import { insightHandlers } from "./handlers/insight.ts";
import { keyHandlers } from "./handlers/keys.ts";
import { linkHandlers } from "./handlers/links.ts";
import { oidcHandlers } from "./handlers/oidc.ts";
import { passkeyHandlers } from "./handlers/passkeys.ts";
import { peopleHandlers } from "./handlers/people.ts";
import { quotaHandlers } from "./handlers/quotas.ts";
import { searchHandlers } from "./handlers/search.ts";
import { secondFactorHandlers } from "./handlers/second-factor.ts";
import { serviceHandlers } from "./handlers/service.ts";
import { settingsHandlers } from "./handlers/settings.ts";
import { trashHandlers } from "./handlers/trash.ts";
import { uploadHandlers } from "./handlers/uploads.ts";
import { versionHandlers } from "./handlers/versions.ts";
import { webhookHandlers } from "./handlers/webhooks.ts";
import { runOperations } from "./run-operations.ts";

/** The dependencies that requests for files share with those for links. */
export interface RequestDeps {
  readonly sendArchive: SendArchive;
  readonly multipartLimits: () => MultipartLimits;
}

interface HandlerDeps extends RequestDeps {
  readonly deliver: Deliver;
  /** Counts for no file: a version could not be listed among the most requested files. */
  readonly deliverVersion: Deliver;
  /** See `DownloadLog`. */
  readonly noteVersion: DownloadLog["noteVersion"];
  readonly openApi: () => string;
  readonly run: RunOperation;
  readonly lastingUrlOf: LastingUrls["urlOf"];
}

/** Returns the handler of each operation of the API, with its permission check, audit entry and dry run. */
export function createHandlers(
  services: SiteServices,
  { publicUrl, passwordSignIn, version, onError }: SiteOptions,
  deps: HandlerDeps,
): UntypedHandlers {
  const { deliver, deliverVersion, noteVersion, openApi, lastingUrlOf } = deps;
  const { sendArchive, multipartLimits } = deps;
  const { files, access, oidc, settings, activity, overview, isReady } = services;
  const describeFiles = createDescribeFiles(lastingUrlOf);
  const uploadDeps = {
    uploads: services.uploads,
    look: files.look,
    activity,
    multipartLimits,
    basePath: basePath(publicUrl),
    now: services.now,
    maxUploadSize: () => settings.current().maxUploadSize,
  };
  const secure = publicUrl?.startsWith("https:") ?? false;
  const maxDeleteBatch = () => settings.current().maxDeleteBatch;
  const handlers = {
    ...fileHandlers({
      files,
      deliver,
      sendArchive,
      multipartLimits,
      maxDeleteBatch,
      describeFiles,
      now: services.now,
    }),
    ...trashHandlers({ files, maxDeleteBatch }),
    ...versionHandlers({ files, deliver: deliverVersion, noteVersion, maxDeleteBatch }),
    ...uploadHandlers({ ...uploadDeps, fetches: services.fetches }),
    ...fetchHandlers({
      fetches: services.fetches,
      look: files.look,
      fetchByKeys: () => services.settings.current().fetchByKeys,
    }),
    ...batchHandlers(uploadDeps),
    ...folderHandlers(files, sendArchive, describeFiles),
    ...quotaHandlers(files),
    ...searchHandlers(files, describeFiles),
    ...changeHandlers({ feed: services.feed, files, cursorSealer: services.cursorSealer, onError }),
    ...keyHandlers({ ...access, keyTraffic: services.keyTraffic }),
    ...linkHandlers({ links: services.links, keys: access.keys, now: services.now }),
    ...webhookHandlers({ webhooks: services.webhooks, keys: access.keys, look: files.look }),
    ...accountHandlers({ ...access, secure, oidc, passwordSignIn }),
    ...oidcHandlers({ ...access, activity, secure, oidc, basePath: basePath(publicUrl) }),
    ...passkeyHandlers({ ...access, secure, publicOrigin: publicOriginOf(publicUrl) }),
    ...secondFactorHandlers(access),
    ...peopleHandlers({ ...access, secure, passwordSignIn }),
    ...insightHandlers({ activity, overview, keys: access.keys }),
    ...settingsHandlers(settings, services.images),
    ...serviceHandlers(openApi, isReady),
    ...healthHandlers({ health: services.health, settings, version }),
  };
  return runOperations(handlers, { run: deps.run, files, keys: access.keys });
}
