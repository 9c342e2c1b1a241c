/**
 * The indices of `room` of `count` files around one of them, in order: it is in the middle, except near the
 * ends. None if there is no room.
 */
export function neighboursOf(index: number, count: number, room: number): readonly number[] {
  const shown = Math.max(0, Math.min(room, count));
  const first = Math.max(0, Math.min(index - Math.floor(shown / 2), count - shown));
  return Array.from({ length: shown }, (_, at) => first + at);
}
