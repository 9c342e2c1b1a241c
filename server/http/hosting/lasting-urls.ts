import { imageSizeSettings, imageSizes } from "../../../contract/settings.ts";
import { hostingUrl } from "../../domain/names/hosting-url.ts";
import type { FileRecord } from "../../domain/records.ts";
import { lastingVersion } from "../../semantics/lasting-version.ts";
import { fileHeaders } from "../../semantics/plan-delivery.ts";
import type { Settings } from "../../settings/settings.ts";

/** Change it when the same image gets other bytes in a smaller size. */
const SCALING = 1;

export interface LastingUrls {
  /** The current `v`; undefined: lasting URLs are off, the file is private, or its digest is not known yet. */
  versionOf(file: FileRecord): string | undefined;
  /** Relative to the base URL; undefined: as `versionOf`. */
  urlOf(file: FileRecord): string | undefined;
}

export function createLastingUrls(settings: Pick<Settings, "current">): LastingUrls {
  const known = new WeakMap<
    FileRecord,
    { readonly scaling: string; readonly version: string | undefined }
  >();

  function versionOf(file: FileRecord): string | undefined {
    const current = settings.current();
    if (!current.lastingUrls || file.visibility !== "public") return undefined;
    const edges = imageSizes.map((size) => current[imageSizeSettings[size]]);
    const scaling = [SCALING, current.imageQuality, ...edges].join(" ");
    const last = known.get(file);
    if (last?.scaling === scaling) return last.version;
    const version = lastingVersion(file, scaling);
    known.set(file, { scaling, version });
    return version;
  }

  return {
    versionOf,
    urlOf(file) {
      const version = versionOf(file);
      return version === undefined ? undefined : `${hostingUrl(file.key)}?v=${version}`;
    },
  };
}

/**
 * 302 to the same path with the current `v`; the rest of the query stays. Relative, since a proxy may show the
 * site below another path.
 */
export function redirectToVersion(url: string, version: string): Response {
  const search = new URLSearchParams(url.slice(url.indexOf("?") + 1));
  search.set("v", version);
  return new Response(null, {
    status: 302,
    headers: {
      ...fileHeaders,
      Location: `?${search}`,
      "Cache-Control": "no-store",
      "Access-Control-Allow-Origin": "*",
      "Cross-Origin-Resource-Policy": "cross-origin",
    },
  });
}
