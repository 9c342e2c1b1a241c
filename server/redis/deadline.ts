/** Starts waiting for a reply; the function that it returns marks the reply as received. */
export type Deadline = () => () => void;

interface Turn {
  open: number;
  timer: Timer | undefined;
}

/**
 * Calls `onLate` when a reply takes longer than `ms`, not counting the time in which this process was
 * busy. Requests of one turn of the event loop share a timer.
 */
export function createDeadline(ms: number, onLate: () => void): Deadline {
  let current: Turn | undefined;

  function startTurn(): Turn {
    const turn: Turn = { open: 0, timer: undefined };
    // Nothing is sent before this turn ends, so the time starts then.
    setImmediate(() => {
      current = undefined;
      if (turn.open > 0) turn.timer = setTimeout(() => checkAfterReading(turn), ms);
    });
    return turn;
  }

  /** Replies that arrived while this process was busy are read between the two immediates. */
  function checkAfterReading(turn: Turn): void {
    setImmediate(() => setImmediate(() => turn.open > 0 && onLate()));
  }

  return () => {
    current ??= startTurn();
    const turn = current;
    turn.open += 1;
    return () => {
      turn.open -= 1;
      if (turn.open === 0) clearTimeout(turn.timer);
    };
  };
}
