import { useState } from "react";
import { holdall } from "../../../app/client.ts";
import type { Entry } from "../data/entry.ts";
import { kindOf } from "../data/kind.ts";
import { KindIcon } from "../kind-icon.tsx";

/** Larger images would cost more than a glance at them is worth. */
const MOST_BYTES = 12_000_000;

/** Types that browsers show in an `img`, where scripts in them never run. */
const SHOWN = /^image\/(?:png|jpeg|gif|webp|avif|svg\+xml|bmp|x-icon|vnd\.microsoft\.icon)$/;

/** What a file looks like, or a picture of its kind. */
export function Thumbnail({ entry }: { readonly entry: Entry }) {
  const [failed, setFailed] = useState(false);
  const [ready, setReady] = useState(false);
  if (entry.kind === "file" && !failed) {
    const { file } = entry;
    if (SHOWN.test(file.mimeType) && file.size <= MOST_BYTES && kindOf(file.mimeType) === "image") {
      return (
        <img
          src={holdall.url(file)}
          alt=""
          loading="lazy"
          decoding="async"
          draggable={false}
          onLoad={() => setReady(true)}
          onError={() => setFailed(true)}
          className={`size-full object-cover transition-opacity duration-200 ${ready ? "" : "opacity-0"}`}
        />
      );
    }
  }
  return <KindIcon entry={entry} className="size-10" />;
}
