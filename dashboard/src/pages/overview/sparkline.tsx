export interface SparklineProps {
  /** From the oldest to the newest. */
  readonly values: readonly number[];
}

const HEIGHT = 32;
/** More would be a band on narrow screens: then several values are one point. */
const MAX_POINTS = 48;

/** The course of a number, without a scale, beside its total. Nothing if there is no course. */
export function Sparkline({ values }: SparklineProps) {
  const sums = sumsOf(values, Math.ceil(values.length / MAX_POINTS));
  const max = Math.max(0, ...sums);
  if (sums.length < 2 || max === 0) return null;
  const last = sums.length - 1;
  // A pixel at the top and at the bottom, for the line's width.
  const points = sums.map(
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

/** The sums of `size` neighbours each, without the oldest if they are fewer. */
const sumsOf = (values: readonly number[], size: number): number[] =>
  Array.from({ length: Math.floor(values.length / size) }, (_, index) => {
    const end = values.length - index * size;
    return values.slice(end - size, end).reduce((sum, value) => sum + value, 0);
  }).reverse();
