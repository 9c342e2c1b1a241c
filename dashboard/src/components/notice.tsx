import { CircleAlert, CircleCheck, Info, TriangleAlert } from "lucide-react";
import type { ReactNode } from "react";

const TONES = {
  bad: { className: "bg-bad-soft text-bad", Icon: CircleAlert },
  warn: { className: "bg-warn-soft text-warn", Icon: TriangleAlert },
  good: { className: "bg-good-soft text-good", Icon: CircleCheck },
  info: { className: "bg-hover text-muted", Icon: Info },
};

export interface NoticeProps {
  readonly tone: keyof typeof TONES;
  readonly children: ReactNode;
}

/** A message within a page or a dialog. Tone "bad" is announced by screen readers. */
export function Notice({ tone, children }: NoticeProps) {
  const { className, Icon } = TONES[tone];
  return (
    <div
      role={tone === "bad" ? "alert" : undefined}
      className={`flex items-start gap-2.5 rounded-md px-3 py-2.5 text-sm ${className}`}
    >
      <Icon aria-hidden className="mt-0.5 size-4 flex-none" />
      <div className="min-w-0 break-words">{children}</div>
    </div>
  );
}
