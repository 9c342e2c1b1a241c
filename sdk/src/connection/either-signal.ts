/** A signal that aborts with the caller's, if there is one, and with the controller. */
export const eitherSignal = (
  signal: AbortSignal | undefined,
  { signal: other }: AbortController,
): AbortSignal => (signal ? AbortSignal.any([signal, other]) : other);
