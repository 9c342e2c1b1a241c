export interface ProgressProps {
  readonly label: string;
  /** From 0 to 1; undefined while unknown. */
  readonly value: number | undefined;
}

export function Progress({ label, value }: ProgressProps) {
  return (
    <progress
      aria-label={label}
      max={1}
      {...(value === undefined ? {} : { value })}
      className="forced-track h-1.5 w-full appearance-none overflow-hidden rounded-full bg-press [&::-moz-progress-bar]:bg-accent [&::-webkit-progress-bar]:bg-press [&::-webkit-progress-value]:bg-accent"
    />
  );
}
