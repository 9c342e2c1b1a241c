import type { ReactNode } from "react";

const TONES = {
  plain: "bg-press text-muted",
  accent: "bg-accent-soft text-accent",
  good: "bg-good-soft text-good",
  warn: "bg-warn-soft text-warn",
  bad: "bg-bad-soft text-bad",
};

export interface BadgeProps {
  readonly tone?: keyof typeof TONES;
  readonly children: ReactNode;
}

export function Badge({ tone = "plain", children }: BadgeProps) {
  return (
    <span
      className={`inline-flex items-center gap-1 whitespace-nowrap rounded-full px-2 py-0.5 font-medium text-xs ${TONES[tone]}`}
    >
      {children}
    </span>
  );
}
