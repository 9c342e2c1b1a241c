import { Hourglass } from "lucide-react";
import { Countdown } from "../../components/countdown.tsx";
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
