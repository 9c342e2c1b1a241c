import type { ReactNode } from "react";

export interface CardProps {
  readonly children: ReactNode;
  readonly className?: string;
}

export function Card({ children, className = "" }: CardProps) {
  return (
    <div className={`rounded-lg border border-line bg-surface shadow-sm ${className}`}>
      {children}
    </div>
  );
}
