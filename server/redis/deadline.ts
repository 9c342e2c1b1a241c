/** Begins to wait for something; the function that it returns ends that. */
export type Deadline = () => () => void;

interface Turn {
  open: number;
  timer: Timer | undefined;
}

/**
 * Calls `onLate` when something is waited for longer than so many milliseconds, not counting the time
 * for which this process was busy with other things. What begins in one turn of the loop has one timer.
 */
export function createDeadline(ms: number, onLate: () => void): Deadline {
  let current: Turn | undefined;

  function startTurn(): Turn {
    const turn: Turn = { open: 0, timer: undefined };
    // Until this turn is over nothing has left, and it is nobody else who takes the time.
    setImmediate(() => {
      current = undefined;
      if (turn.open > 0) turn.timer = setTimeout(() => lookTwice(turn), ms);
    });
    return turn;
  }

  /** Whatever arrived while we were busy is read between one and the other. */
  function lookTwice(turn: Turn): void {
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
