import { useEffect, useState } from "react";
import { clearQueries } from "../../app/connection/client.ts";
import { currentPath, navigateTo } from "../../app/navigation/location.ts";
import { signInPath } from "../../app/navigation/return-path.ts";
import { Button } from "../../components/button.tsx";
import { Notice } from "../../components/notice.tsx";
import { uploads } from "../uploads.ts";
import type { Pause } from "../uploads-state.ts";
import { pauseMessage } from "./status-text.ts";

/** Why uploads are paused, and what the user can do. */
export function PauseNotice({ pause }: { readonly pause: Pause }) {
  const now = useNow(pause.reason === "limit");
  return (
    <div className="flex flex-col gap-2 px-3 pb-3">
      <Notice tone={pause.reason === "room" ? "bad" : "warn"}>{pauseMessage(pause, now)}</Notice>
      {pause.reason === "session" && (
        <Button size="sm" variant="primary" onClick={signIn}>
          Sign in
        </Button>
      )}
      {pause.reason === "room" && (
        <Button size="sm" onClick={() => uploads.tryAgain()}>
          Try again
        </Button>
      )}
    </div>
  );
}

function signIn(): void {
  navigateTo(signInPath(currentPath()));
  // The cached session is the one that has ended.
  clearQueries();
}

function useNow(runs: boolean): number {
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    if (!runs) return;
    const timer = setInterval(() => setNow(Date.now()), 1_000);
    return () => clearInterval(timer);
  }, [runs]);
  return now;
}
