import { useRefusedUntil } from "../app/connection/throttling.ts";

/**
 * A loading placeholder of the size of the content. Invisible while the server refuses requests: the
 * banner says what the page waits for.
 */
export function Skeleton({ className = "" }: { readonly className?: string }) {
  const look = useRefusedUntil() > 0 ? "" : "animate-breathe bg-press";
  return <div aria-hidden className={`rounded-md ${look} ${className}`} />;
}
