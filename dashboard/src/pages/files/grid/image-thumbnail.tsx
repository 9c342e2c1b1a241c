import { useQuery } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import type { FileObject } from "../../../../../sdk/src/holdall.ts";
import { holdall, holdallWithoutRetries, isStatus } from "../../../app/connection/client.ts";
import { createRequestLimiter } from "../data/request-limiter.ts";
import { retryRefused } from "./retry-refused.ts";
import { useObjectUrl } from "./use-object-url.ts";

/** Leaves connections to the other requests of the page. */
const limitImages = createRequestLimiter({ concurrency: 4 });

/** The server makes smaller sizes of these types. */
export const SCALED = /^image\/(?:a?png|jpeg|gif|webp)$/;
/** Other images, such as SVG, are shown as they are, if they are small. */
const MAX_ORIGINAL_BYTES = 500_000;
/** How long a thumbnail is kept after it has left the screen, for scrolling back. */
const KEPT_MS = 30_000;

/** 415 and 400: the server does not scale it. 422: it is damaged or too large. */
const UNSCALED = [400, 415, 422];
/** By version of a file: another request would fail again, and the browser logs each failure. */
const failures = new Map<string, unknown>();

interface ImageThumbnailProps {
  readonly file: FileObject;
  /** Shown if there is no thumbnail. */
  readonly icon: ReactNode;
}

/** An image in a small size, of which nothing is loaded any more when it is scrolled past. */
export function ImageThumbnail({ file, icon }: ImageThumbnailProps) {
  const version = `${file.id} ${file.updatedAt}`;
  const isScaled = SCALED.test(file.mimeType) && file.size > 0;
  const failure = failures.get(version);
  const { data, error } = useQuery({
    queryKey: ["thumbnail", file.id, file.updatedAt],
    queryFn: ({ signal }) =>
      limitImages(() => holdallWithoutRetries.image(file, "small", { signal }), signal).catch(
        (cause: unknown) => {
          if (UNSCALED.some((status) => isStatus(cause, status))) failures.set(version, cause);
          throw cause;
        },
      ),
    enabled: isScaled && failure === undefined,
    ...retryRefused,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: KEPT_MS,
  });
  const url = useObjectUrl(data);
  const cause = failure ?? error;
  if (isScaled && cause === null) return <Picture url={url} icon={icon} />;
  // A damaged or very large image would only cost memory.
  const mayShow = !isScaled || isStatus(cause, 415) || isStatus(cause, 400);
  if (!mayShow || file.size > MAX_ORIGINAL_BYTES || file.size === 0) return icon;
  // Drawings and logos are shown whole.
  return <Picture url={holdall.url(file)} icon={icon} fit="contain" />;
}

interface PictureProps {
  /** undefined: not loaded yet. */
  readonly url: string | undefined;
  readonly icon: ReactNode;
  readonly fit?: "cover" | "contain";
}

function Picture({ url, icon, fit = "cover" }: PictureProps) {
  const [state, setState] = useState<"waiting" | "ready" | "failed">("waiting");
  if (url === undefined) return null;
  if (state === "failed") return icon;
  return (
    <img
      src={url}
      alt=""
      loading="lazy"
      decoding="async"
      draggable={false}
      onLoad={() => setState("ready")}
      onError={() => setState("failed")}
      className={`size-full transition-opacity duration-150 ${fit === "cover" ? "object-cover" : "object-contain"} ${state === "ready" ? "" : "opacity-0"}`}
    />
  );
}
