export interface ShareBarProps {
  /** From 0 to 1. */
  readonly share: number;
  /** The class of the color. */
  readonly fill?: string;
}

/** A horizontal bar below the numbers that it shows. */
export const ShareBar = ({ share, fill = "bg-accent" }: ShareBarProps) => (
  <div aria-hidden className="forced-track mt-1.5 h-2 overflow-hidden rounded-full bg-press">
    <div
      className={`forced-fill h-full rounded-full ${share > 0 ? "min-w-1" : ""} ${fill}`}
      style={{ width: `${share * 100}%` }}
    />
  </div>
);
