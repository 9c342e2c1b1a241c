import { useState } from "react";
import { formatBytes } from "../../../../../contract/text/format-bytes.ts";
import { holdall } from "../../../app/connection/client.ts";
import { entryOfFile } from "../data/entry.ts";
import { KindIcon } from "../kind-icon.tsx";
import { DetailsPreview } from "./details-preview.tsx";
import { MediaArea } from "./media-area.tsx";
import type { PreviewBodyProps } from "./preview-body-props.ts";

/** Plays audio with the browser's controls. */
export function AudioPreview({ file }: PreviewBodyProps) {
  const [failed, setFailed] = useState(false);
  if (failed) return <DetailsPreview file={file} note="This browser can't play this audio file." />;
  return (
    <MediaArea label={`Audio ${file.name}`} className="flex p-4">
      <div className="m-auto flex w-full max-w-lg flex-col items-center gap-5 rounded-xl border border-line bg-surface p-6 shadow-pop sm:p-8">
        <KindIcon entry={entryOfFile(file)} className="size-16" />
        <p className="max-w-full text-center">
          <bdi className="block break-words font-semibold">{file.name}</bdi>
          <span className="text-muted text-sm">{formatBytes(file.size)}</span>
        </p>
        {/* biome-ignore lint/a11y/useMediaCaption: uploaded files have no known captions. */}
        <audio
          controls
          preload="metadata"
          src={holdall.url(file)}
          aria-label={file.name}
          onError={() => setFailed(true)}
          className="w-full"
        />
      </div>
    </MediaArea>
  );
}
