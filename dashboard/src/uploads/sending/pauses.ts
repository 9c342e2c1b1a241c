import type { Failure } from "../failure.ts";
import type { Pause } from "../uploads-state.ts";
import type { Work } from "../work.ts";

/** Pauses stop all uploads until their reason ends. */
export interface Pauses {
  /** Pauses because of a failure that concerns all uploads. */
  pauseFor(failure: Failure): void;
  /** Waits until the server can be reached, at least for `delayMs`. */
  waitForServer(delayMs?: number): void;
  /** Ends a pause that needs the user. */
  end(): void;
}

export interface PausesDeps {
  readonly work: Work;
  readonly whenReachable: () => Promise<void>;
  readonly onEnd: () => void;
}

const RETRY_MS = 1_000;
const BUSY_RETRY_MS = 3_000;

export function createPauses({ work, whenReachable, onEnd }: PausesDeps): Pauses {
  let isWaitingForServer = false;

  function begin(pause: Pause): void {
    // A pause that needs the user is not replaced by one that ends automatically.
    if (work.pause?.reason === "session" || work.pause?.reason === "room") return;
    work.pause = pause;
  }

  function endIf(reason: Pause["reason"]): void {
    const { pause } = work;
    if (pause?.reason !== reason) return;
    if (pause.reason === "limit" && pause.until > Date.now() + 50) return;
    work.pause = undefined;
    onEnd();
  }

  function waitForServer(delayMs = RETRY_MS): void {
    begin({ reason: "network" });
    if (isWaitingForServer) return;
    isWaitingForServer = true;
    setTimeout(async () => {
      const since = Date.now();
      await whenReachable();
      isWaitingForServer = false;
      // The server was down, so the files are not to blame.
      if (Date.now() - since > BUSY_RETRY_MS) forgetInterruptions(work);
      endIf("network");
    }, delayMs);
  }

  return {
    waitForServer,
    pauseFor(failure) {
      if (failure.kind === "interrupted") waitForServer(failure.isBusy ? BUSY_RETRY_MS : RETRY_MS);
      if (failure.kind === "session") begin({ reason: "session" });
      if (failure.kind === "full") begin({ reason: "room", message: failure.message });
      if (failure.kind === "limit") {
        begin({ reason: "limit", until: Date.now() + failure.seconds * 1_000 });
        setTimeout(() => endIf("limit"), failure.seconds * 1_000);
      }
    },
    end() {
      if (work.pause?.reason !== "session" && work.pause?.reason !== "room") return;
      work.pause = undefined;
      onEnd();
    },
  };
}

function forgetInterruptions(work: Work): void {
  work.items = work.items.map((item) =>
    item.interruptions > 0 ? { ...item, interruptions: 0 } : item,
  );
  work.groups = work.groups.map((group) => ({ ...group, interruptions: 0 }));
}
