import type { Millis } from "./records.ts";

/*
 * Whether what is kept for a time may be destroyed by the clock of the catalog. A clock that is wrong, or was
 * until now, would destroy too early and for good, so nothing is destroyed until it has been steady for a day in
 * which a server ran.
 */

/** What is stored of the clock. */
export interface ClockState {
  /** When a server last looked at it. */
  readonly seenAt: Millis;
  /** For how long it has been steady since it moved; null: it is trusted. */
  readonly steadyMs: number | null;
}

export interface ClockLook {
  readonly now: Millis;
  /** What this process saw before, and the time since then that a clock that cannot be set has measured. */
  readonly previous: { readonly now: Millis; readonly elapsedMs: number } | null;
  /** The time of the newest record, if nothing is stored of the clock. */
  readonly newest?: Millis | undefined;
}

export interface JudgedClock extends ClockState {
  /** Whether it has moved since the last look; in milliseconds, 0 if not. */
  readonly movedMs: number;
}

/** Corrections of synchronised clocks are smaller. */
const SLACK_MS = 5 * 60_000;
/** A server that was off for longer cannot tell this from a clock that is wrong. */
const OFF_MS = 86_400_000;
/** How long a clock must be steady after it moved. */
const STEADY_MS = 86_400_000;

export function judgeClock(state: ClockState | undefined, look: ClockLook): JudgedClock {
  const { now, previous } = look;
  const seenAt = state?.seenAt ?? look.newest ?? now;
  const movedMs = moveOf(seenAt, look);
  if (movedMs !== 0) return { seenAt: now, steadyMs: 0, movedMs };
  const steadyMs = state?.steadyMs ?? null;
  // Other servers may have looked meanwhile: the same time counts once.
  const ran = previous === null ? 0 : Math.min(previous.elapsedMs, Math.max(0, now - seenAt));
  const total = steadyMs === null ? STEADY_MS : steadyMs + ran;
  return { seenAt: now, steadyMs: total >= STEADY_MS ? null : total, movedMs: 0 };
}

function moveOf(seenAt: Millis, { now, previous }: ClockLook): number {
  if (now < seenAt - SLACK_MS) return now - seenAt;
  if (previous === null) return now > seenAt + OFF_MS ? now - seenAt : 0;
  const moved = now - (previous.now + previous.elapsedMs);
  return Math.abs(moved) > SLACK_MS ? moved : 0;
}
