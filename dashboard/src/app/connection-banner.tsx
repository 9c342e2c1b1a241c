import { WifiOff } from "lucide-react";
import { useConnectionLost } from "./connection.ts";

/** Says that the server is away, for as long as it is. */
export function ConnectionBanner() {
  const lost = useConnectionLost();
  return (
    <div role="status" aria-live="polite">
      {lost && (
        <p className="flex items-center gap-2 border-line border-b bg-warn-soft px-4 py-2 text-sm text-warn">
          <WifiOff aria-hidden className="size-4 flex-none" />
          The server cannot be reached. Trying again by itself; what is shown may be old.
        </p>
      )}
    </div>
  );
}
