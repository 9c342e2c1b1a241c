import { useState } from "react";
import type { FileObject } from "../../../../../sdk/src/holdall.ts";
import { holdall } from "../../../app/client.ts";
import { entryOfFile } from "../data/entry.ts";
import { KindIcon } from "../kind-icon.tsx";

/** The first frame of a video; the browser reads no more than it needs for that. */
export function VideoThumbnail({ file }: { readonly file: FileObject }) {
  const [state, setState] = useState<"waiting" | "ready" | "failed">("waiting");
  const icon = <KindIcon entry={entryOfFile(file)} className="size-10" />;
  if (state === "failed") return icon;
  return (
    <div className="relative grid size-full place-items-center">
      {state === "waiting" && icon}
      <video
        aria-hidden
        tabIndex={-1}
        muted
        playsInline
        preload="metadata"
        // 0.1 s in, because many videos start with a black frame.
        src={`${holdall.url(file)}#t=0.1`}
        onLoadedData={() => setState("ready")}
        onError={() => setState("failed")}
        className={`absolute inset-0 size-full object-cover transition-opacity duration-200 ${state === "ready" ? "" : "opacity-0"}`}
      />
    </div>
  );
}
