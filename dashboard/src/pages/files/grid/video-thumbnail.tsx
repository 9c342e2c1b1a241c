import { useEffect, useState } from "react";
import type { FileObject } from "../../../../../sdk/src/holdall.ts";
import { holdall } from "../../../app/connection/client.ts";
import { entryOfFile } from "../data/entry.ts";
import { formatPlayTime } from "../details/format-facts.ts";
import { KindIcon } from "../kind-icon.tsx";
import { MAX_ATTEMPTS, whenServed } from "./retry-refused.ts";

/** Videos that this browser cannot decode, so that they are not loaded again whenever they are scrolled past. */
const undecodable = new Set<string>();

/** A video that has left the page would load on. */
const stopWhenGone = (video: HTMLVideoElement | null) => () =>
  queueMicrotask(() => {
    if (video === null || video.isConnected) return;
    video.removeAttribute("src");
    video.load();
  });

/** The first frame of a video, and how long it is; the browser reads no more than it needs for that. */
export function VideoThumbnail({ file }: { readonly file: FileObject }) {
  const version = `${file.id} ${file.updatedAt}`;
  const [state, setState] = useState<"waiting" | "refused" | "ready" | "failed">(
    undecodable.has(version) ? "failed" : "waiting",
  );
  const [attempt, setAttempt] = useState(1);
  /** The server served the file after it had failed, without refusing it first. */
  const [wasServed, setWasServed] = useState(false);
  const [seconds, setSeconds] = useState<number>();
  useEffect(() => {
    if (state !== "refused") return;
    const controller = new AbortController();
    whenServed(file, controller.signal)
      .then((wasRefused) => {
        setWasServed(!wasRefused);
        setAttempt((count) => count + 1);
        setState("waiting");
      })
      .catch(() => controller.signal.aborted || setState("failed"));
    return () => controller.abort();
  }, [state, file]);
  const handleError = () => {
    // It may have been refused just before, so it gets another attempt.
    if (wasServed) undecodable.add(version);
    setState(wasServed || attempt === MAX_ATTEMPTS ? "failed" : "refused");
  };
  const icon = <KindIcon entry={entryOfFile(file)} className="size-10" />;
  if (state === "failed" || state === "refused") return icon;
  return (
    <div className="relative grid size-full place-items-center">
      {state === "waiting" && icon}
      <video
        ref={stopWhenGone}
        aria-hidden
        tabIndex={-1}
        muted
        playsInline
        preload="metadata"
        // 0.1 s in, because many videos start with a black frame.
        src={`${holdall.url(file)}#t=0.1`}
        onLoadedMetadata={({ currentTarget: { duration } }) =>
          setSeconds(Number.isFinite(duration) ? duration : undefined)
        }
        onLoadedData={() => setState("ready")}
        onError={handleError}
        className={`absolute inset-0 size-full object-cover transition-opacity duration-150 ${state === "ready" ? "" : "opacity-0"}`}
      />
      {state === "ready" && seconds !== undefined && (
        // In narrow tiles, the corner below is for the menu.
        <span className="absolute right-1.5 bottom-1.5 @max-[8rem]/tile:top-1.5 @max-[8rem]/tile:bottom-auto rounded-sm bg-ink/80 px-1 text-[0.6875rem] text-canvas leading-4 tabular-nums">
          <span className="sr-only">Duration </span>
          {formatPlayTime(seconds)}
        </span>
      )}
    </div>
  );
}
