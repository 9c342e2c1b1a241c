import { useState } from "react";
import { holdall } from "../../../app/connection/client.ts";
import { DetailsPreview } from "./details-preview.tsx";
import { MediaArea } from "./media-area.tsx";
import type { PreviewBodyProps } from "./preview-body-props.ts";

/** Plays video with the browser's controls, which read ranges as they need them. */
export function VideoPreview({ file }: PreviewBodyProps) {
  const [failed, setFailed] = useState(false);
  if (failed) return <DetailsPreview file={file} note="This browser can't play this video." />;
  return (
    <MediaArea
      label={`Video ${file.name}`}
      className="grid grid-rows-[minmax(0,1fr)] place-items-center p-4"
    >
      {/* biome-ignore lint/a11y/useMediaCaption: uploaded files have no known captions. */}
      <video
        controls
        playsInline
        preload="metadata"
        src={holdall.url(file)}
        aria-label={file.name}
        onError={() => setFailed(true)}
        className="max-h-full min-h-0 max-w-full rounded-md"
      />
    </MediaArea>
  );
}
