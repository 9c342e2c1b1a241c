import { Hourglass } from "lucide-react";
import { useEffect, useState } from "react";
import { useRefusedUntil } from "./throttling.ts";

/** Shown while the server refuses requests because there were too many. */
export function ThrottlingBanner() {
  const until = useRefusedUntil();
  return (
    <div role="status" aria-live="polite">
      {until > 0 && (
        <p className="flex items-center gap-2 border-line border-b bg-warn-soft px-4 py-2 text-sm text-warn">
          <Hourglass aria-hidden className="size-4 flex-none" />
          <span>
            Too many requests right now. <Countdown until={until} />
          </span>
        </p>
      )}
    </div>
  );
}

/** Announced once, without the seconds that pass. */
function Countdown({ until }: { readonly until: number }) {
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 250);
    return () => clearInterval(timer);
  }, []);
  const seconds = Math.max(1, Math.ceil((until - now) / 1_000));
  return (
    <>
      <span aria-hidden>Continuing in {seconds} s.</span>
      <span className="sr-only">Continuing shortly.</span>
    </>
  );
}
