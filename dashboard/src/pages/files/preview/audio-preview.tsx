import { useState } from "react";
import { holdall } from "../../../app/client.ts";
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
    <MediaArea label={`Audio ${file.name}`} className="flex">
      <div className="m-auto flex w-full max-w-lg flex-col items-center gap-6 p-6">
        <KindIcon entry={entryOfFile(file)} className="size-16" />
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
