/** A loading placeholder of the size of the content. */
export function Skeleton({ className = "" }: { readonly className?: string }) {
  return <div aria-hidden className={`animate-breathe rounded-md bg-press ${className}`} />;
}
