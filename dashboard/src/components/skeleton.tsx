/** A place that fills soon, of the size of what comes. */
export function Skeleton({ className = "" }: { readonly className?: string }) {
  return <div aria-hidden className={`animate-breathe rounded-md bg-press ${className}`} />;
}
