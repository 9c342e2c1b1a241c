import { type CircuitBreakerDeps, createCircuitBreaker } from "../lib/circuit-breaker.ts";
import { sleep } from "../runtime/sleep.ts";
import type { PeerEvent, WorkerRpc } from "./rpc.ts";
import type { RpcChannel } from "./rpc-channel.ts";

/** Delivers the events of other workers to one worker. */
export interface EventDelivery {
  /**
   * Resolves when the worker has handled the event, has exited, or is frozen: its process is stopped or
   * hangs. A frozen worker handles the event when it continues.
   */
  deliver(event: PeerEvent): Promise<void>;
  close(): void;
}

/** A busy worker is slow, but replies to a ping. */
const SLOW_MS = 500;
const PING_TIMEOUT_MS = 2000;

export function createEventDelivery(
  channel: Pick<RpcChannel<WorkerRpc>, "call">,
  onFreeze: CircuitBreakerDeps["onEvent"],
): EventDelivery {
  const unhandled = new Map<PeerEvent, Promise<void>>();
  let ping: Promise<boolean> | undefined;
  const breaker = createCircuitBreaker({
    slowMs: SLOW_MS,
    probeTimeoutMs: PING_TIMEOUT_MS,
    onEvent: onFreeze,
    probe(timeoutMs) {
      // A stopped process keeps its messages, so one ping is enough for all probes.
      ping ??= channel
        .call("ping", null)
        .catch(() => {})
        .then(() => {
          ping = undefined;
          return true;
        });
      return Promise.race([ping, sleep(timeoutMs).then(() => false)]);
    },
  });

  function send(event: PeerEvent): Promise<void> {
    const handled = channel
      .call("onEvent", event)
      .catch(() => {})
      .then(() => {
        breaker.noteReply();
        if (unhandled.get(event) === handled) unhandled.delete(event);
      });
    unhandled.set(event, handled);
    return handled;
  }

  return {
    async deliver(event) {
      // The one that is on its way will be handled after this moment.
      if (breaker.isFrozen() && unhandled.has(event)) return;
      const frozen = Promise.withResolvers<void>();
      const endWait = breaker.watch(frozen.resolve);
      await Promise.race([send(event), frozen.promise]);
      endWait();
    },
    close: breaker.close,
  };
}
