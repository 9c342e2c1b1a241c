import { useState } from "react";
import { holdall } from "../../../app/client.ts";
import { DetailsPreview } from "./details-preview.tsx";
import type { PreviewBodyProps } from "./preview-body-props.ts";

/** A film, with the browser's own controls; it is read in pieces, from where it is played. */
export function VideoPreview({ file }: PreviewBodyProps) {
  const [failed, setFailed] = useState(false);
  if (failed) return <DetailsPreview file={file} note="The browser cannot play this video." />;
  return (
    <div className="grid min-h-0 flex-1 grid-rows-[minmax(0,1fr)] place-items-center p-4">
      {/* biome-ignore lint/a11y/useMediaCaption: what was uploaded has none that we know of. */}
      <video
        controls
        playsInline
        preload="metadata"
        src={holdall.url(file)}
        aria-label={file.name}
        onError={() => setFailed(true)}
        className="max-h-full min-h-0 max-w-full rounded-md"
      />
    </div>
  );
}
