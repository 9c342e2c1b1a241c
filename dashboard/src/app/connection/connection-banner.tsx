import { WifiOff } from "lucide-react";
import { useConnectionLost } from "./connection.ts";

/** Shown for as long as the server cannot be reached. */
export function ConnectionBanner() {
  const lost = useConnectionLost();
  return (
    <div role="status" aria-live="polite">
      {lost && (
        <p className="flex items-center gap-2 border-line border-b bg-warn-soft px-4 py-2 text-sm text-warn">
          <WifiOff aria-hidden className="size-4 flex-none" />
          Can't reach the server. Retrying… what you see may be out of date.
        </p>
      )}
    </div>
  );
}
