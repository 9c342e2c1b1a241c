import type { ChangeObject } from "../../../contract/api.ts";
import { Fault } from "../../domain/faults/fault.ts";
import type { FeedPosition } from "../../domain/tree-change.ts";
import type { FeedFollower, SeenChange } from "../../feed/feed.ts";

/* Server-sent events (WHATWG HTML, section 9.2). */

export interface EventStreamDeps {
  readonly follower: FeedFollower;
  /** The position at which the stream begins. */
  readonly after: FeedPosition;
  readonly cursorOf: (position: FeedPosition) => string;
  readonly toObject: (change: SeenChange) => ChangeObject;
  /** Whether the client may still read. Asked before changes are sent, and every few seconds. */
  readonly mayRead: () => Promise<boolean>;
  readonly signal: AbortSignal;
  readonly onError: (error: unknown) => void;
}

export const EVENT_STREAM_HEADERS = {
  "Content-Type": "text/event-stream; charset=utf-8",
  "Cache-Control": "no-store",
  "X-Content-Type-Options": "nosniff",
  // nginx would collect events until a buffer is full.
  "X-Accel-Buffering": "no",
};

/** A comment shows the client, and proxies, that the connection is alive. */
const HEARTBEAT_MS = 15_000;
const CHECK_MS = 4000;
/** How long browsers wait before they connect again. */
const RETRY_MS = 2000;

/**
 * Sends changes as they happen, the next ones when the client has received the last: a client that
 * reads slowly, or not at all, takes the memory of a few events.
 */
export function eventStream(deps: EventStreamDeps): Response {
  const { follower, cursorOf, toObject, mayRead, signal, onError } = deps;
  const encoder = new TextEncoder();
  let cursor = cursorOf(deps.after);
  let sentAt = performance.now();
  let isPulling = false;

  /** undefined: the stream ends. */
  async function nextText(): Promise<string | undefined> {
    for (;;) {
      const page = await follower.next(CHECK_MS);
      if (page === undefined) return undefined;
      // Asked after the page was read: a client gets no change from after its key was revoked.
      if (page.changes.length > 0 && !(await mayRead())) return undefined;
      cursor = cursorOf(page.position);
      const events = page.changes.map((change) => eventText(toObject(change)));
      const now = performance.now();
      if (events.length === 0 && now - sentAt < HEARTBEAT_MS) continue;
      sentAt = now;
      // An event without data only moves the client's position past changes that it does not see.
      return events.length > 0 ? events.join("") : `: alive\nid: ${cursor}\n\n`;
    }
  }

  const checking = setInterval(async () => {
    // If this cannot be found out now, it is asked again.
    if (!(await mayRead().catch(() => true))) follower.close();
  }, CHECK_MS);
  signal.addEventListener("abort", follower.close);
  const body = new ReadableStream<Uint8Array>(
    {
      start(controller) {
        follower.closed.addEventListener("abort", () => {
          clearInterval(checking);
          // A client that reads nothing would keep the connection open.
          if (!isPulling && !signal.aborted) controller.error();
        });
        controller.enqueue(encoder.encode(`retry: ${RETRY_MS}\nid: ${cursor}\n\n`));
      },
      async pull(controller) {
        isPulling = true;
        try {
          const text = await nextText();
          if (text !== undefined) {
            controller.enqueue(encoder.encode(text));
            isPulling = false;
            return;
          }
        } catch (error) {
          // The client connects again, and gets the fault as a response.
          if (!(error instanceof Fault)) onError(error);
        }
        follower.close();
        if (!signal.aborted) controller.close();
      },
      cancel: follower.close,
    },
    { highWaterMark: 1 },
  );
  return new Response(body, { headers: EVENT_STREAM_HEADERS });
}

/** JSON has no line breaks, so it is one line of data. */
const eventText = (change: ChangeObject): string =>
  `id: ${change.cursor}\ndata: ${JSON.stringify(change)}\n\n`;
