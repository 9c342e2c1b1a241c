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

interface ImageThumbnailProps {
  readonly file: FileObject;
  /** Shown if there is no thumbnail. */
  readonly icon: ReactNode;
}

/** An image in a small size, of which nothing is loaded any more when it is scrolled past. */
export function ImageThumbnail({ file, icon }: ImageThumbnailProps) {
  const isScaled = SCALED.test(file.mimeType);
  const { data, error } = useQuery({
    queryKey: ["thumbnail", file.id, file.updatedAt],
    queryFn: ({ signal }) =>
      limitImages(() => holdallWithoutRetries.image(file, "small", { signal }), signal),
    enabled: isScaled,
    ...retryRefused,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: KEPT_MS,
  });
  const url = useObjectUrl(data);
  if (isScaled && error === null) return <Picture url={url} icon={icon} />;
  // 415 and 400: the server does not scale it. A damaged or very large image would only cost memory.
  const mayShow = !isScaled || isStatus(error, 415) || isStatus(error, 400);
  if (!mayShow || file.size > MAX_ORIGINAL_BYTES) return icon;
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
