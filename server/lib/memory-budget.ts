/** An amount of memory that tasks share. It only counts: each task states how much it uses. */
export interface MemoryBudget {
  readonly maxBytes: number;
  /** In bytes. */
  reserved(): number;
  /** Starts a reservation of 0 bytes. */
  open(): MemoryReservation;
}

export interface MemoryReservation {
  /** Replaces the size of this reservation. false: the others leave too little, so it keeps its size. */
  resize(bytes: number): boolean;
  /** Returns everything. Repeated calls have no effect. */
  release(): void;
}

export function createMemoryBudget(maxBytes: number): MemoryBudget {
  let reserved = 0;

  return {
    maxBytes,
    reserved: () => reserved,
    open() {
      let own = 0;
      return {
        resize(bytes) {
          if (reserved - own + bytes > maxBytes) return false;
          reserved += bytes - own;
          own = bytes;
          return true;
        },
        release() {
          reserved -= own;
          own = 0;
        },
      };
    },
  };
}
