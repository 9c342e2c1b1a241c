/** The logo: a holdall with two handles. */
export function Logo({ className = "" }: { readonly className?: string }) {
  return (
    <svg viewBox="0 0 32 32" aria-hidden="true" className={`text-accent ${className}`} fill="none">
      <path
        d="M10.5 13V9.8a5.5 5.5 0 0 1 11 0V13"
        stroke="currentColor"
        strokeWidth="2.6"
        strokeLinecap="round"
      />
      <rect x="3" y="12" width="26" height="16" rx="5" fill="currentColor" />
      <path d="M3 18.5h9.6M19.4 18.5H29" className="stroke-canvas" strokeWidth="1.8" />
      <rect
        x="12.9"
        y="16"
        width="6.2"
        height="5"
        rx="1.6"
        className="stroke-canvas"
        strokeWidth="1.8"
      />
    </svg>
  );
}
