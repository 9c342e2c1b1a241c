import type { ChangeObject } from "../../../../sdk/src/holdall.ts";
import { withSpace } from "../../rights/rights.ts";
import { basePath } from "../navigation/location.ts";

export interface ChangeListener {
  /** Changes by anyone, this browser included, oldest first. */
  readonly onChanges: (changes: readonly ChangeObject[]) => void;
  /** Changes may have been missed: what is on screen must be read again. */
  readonly onGap: () => void;
}

/** Changes that arrive within this time are passed on together. */
const COLLECT_MS = 250;
/** How long after a refusal the stream is opened again. The browser itself retries after interruptions. */
const REOPEN_MS = 10_000;

/**
 * Follows the change feed while the page is visible: browsers allow six connections per server, so
 * hidden tabs must not hold one. Returns a function that stops it. Failures are silent, since the
 * page works without it.
 */
export function followChanges({ onChanges, onGap }: ChangeListener): () => void {
  let source: EventSource | undefined;
  let cursor = "";
  let collected: ChangeObject[] = [];
  let collectTimer: ReturnType<typeof setTimeout> | undefined;
  let reopenTimer: ReturnType<typeof setTimeout> | undefined;

  function passOn(): void {
    collectTimer = undefined;
    const changes = collected;
    collected = [];
    onChanges(changes);
  }

  function open(): void {
    clearTimeout(reopenTimer);
    const start = cursor;
    const query = start === "" ? "" : `?since=${encodeURIComponent(start)}`;
    const opened = new EventSource(withSpace(`${basePath}/api/changes${query}`));
    source = opened;
    let isFirst = true;
    opened.addEventListener("open", () => {
      // Without a cursor the feed starts now, after what was on screen has been read.
      if (isFirst && start === "") onGap();
      isFirst = false;
    });
    opened.addEventListener("message", ({ data, lastEventId }: MessageEvent<string>) => {
      cursor = lastEventId;
      collected.push(JSON.parse(data));
      collectTimer ??= setTimeout(passOn, COLLECT_MS);
    });
    opened.addEventListener("error", () => {
      if (opened.readyState !== EventSource.CLOSED || source !== opened) return;
      // Refused: the session has ended, or the feed does not reach back to the cursor.
      cursor = "";
      reopenTimer = setTimeout(open, REOPEN_MS);
    });
  }

  function close(): void {
    clearTimeout(reopenTimer);
    source?.close();
    source = undefined;
  }

  function onVisibility(): void {
    if (document.visibilityState === "hidden") close();
    else if (source === undefined) open();
  }

  document.addEventListener("visibilitychange", onVisibility);
  onVisibility();
  return () => {
    document.removeEventListener("visibilitychange", onVisibility);
    clearTimeout(collectTimer);
    close();
  };
}
