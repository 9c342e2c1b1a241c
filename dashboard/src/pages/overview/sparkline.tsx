export interface SparklineProps {
  /** From the oldest to the newest. */
  readonly values: readonly number[];
}

const HEIGHT = 32;

/** The course of a number, without a scale, beside its total. Nothing if there is no course. */
export function Sparkline({ values }: SparklineProps) {
  const max = Math.max(0, ...values);
  if (values.length < 2 || max === 0) return null;
  const last = values.length - 1;
  // A pixel at the top and at the bottom, for the line's width.
  const points = values.map(
    (value, index) => `${index},${(1 + (1 - value / max) * (HEIGHT - 2)).toFixed(2)}`,
  );
  return (
    <svg
      aria-hidden="true"
      viewBox={`0 0 ${last} ${HEIGHT}`}
      preserveAspectRatio="none"
      className="h-8 w-full text-accent"
    >
      <polygon
        points={`0,${HEIGHT} ${points.join(" ")} ${last},${HEIGHT}`}
        fill="currentColor"
        opacity={0.12}
      />
      <polyline
        points={points.join(" ")}
        fill="none"
        stroke="currentColor"
        strokeWidth={1.5}
        strokeLinejoin="round"
        vectorEffect="non-scaling-stroke"
      />
    </svg>
  );
}
