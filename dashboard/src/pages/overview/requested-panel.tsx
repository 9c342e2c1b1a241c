import { useState } from "react";
import { formatBytes } from "../../../../contract/text/format-bytes.ts";
import type { OverviewObject } from "../../../../sdk/src/holdall.ts";
import { Button } from "../../components/button.tsx";
import { formatCount } from "../../text/format-count.ts";
import { FilesPanel, MAX_FILES } from "./files-panel.tsx";
import { formatDay } from "./traffic-buckets.ts";

/** The files with the most requests. */
export function RequestedPanel({ since, files }: OverviewObject["mostRequested"]) {
  const [isLong, setIsLong] = useState(false);
  return (
    <FilesPanel
      title="Most requested"
      empty="No file has been requested."
      files={(isLong ? files : files.slice(0, MAX_FILES)).map(({ file, requests, bytes }) => ({
        file,
        note: (
          <span className="flex flex-col text-right">
            <span className="text-ink">{formatCount(requests, "request")}</span>
            {bytes > 0 && formatBytes(bytes)}
          </span>
        ),
      }))}
      aside={
        <span className="flex items-center gap-2 text-muted text-sm">
          Since {formatDay(since)} (UTC)
          {files.length > MAX_FILES && (
            <Button
              variant="quiet"
              size="sm"
              aria-expanded={isLong}
              aria-label={isLong ? "Fewer requested files" : "More requested files"}
              className="-mr-2.5"
              onClick={() => setIsLong(!isLong)}
            >
              {isLong ? "Fewer" : "More"}
            </Button>
          )}
        </span>
      }
    />
  );
}
