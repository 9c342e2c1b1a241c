import {
  type CircuitBreaker,
  createCircuitBreaker,
  type FreezeEvent,
} from "../../lib/circuit-breaker.ts";
import { createTryBudget, firstReply } from "./first-reply.ts";
import type { RequestSigner, Target } from "./request-signer.ts";

/** The part of the store that hangs: everything, or only changes while it answers reads. */
export type FrozenPart = "store" | "writes";
export type OnFreeze = (event: FreezeEvent, part: FrozenPart) => void;

/** Detects a store that no longer replies, or that hangs only writes, as a full one does. */
export interface StoreBreakers {
  /** The breakers that end a request with this method. */
  of(method: string): readonly CircuitBreaker[];
  areWritesFrozen(): boolean;
}

/** The object that a probe of the writes creates, empty. Nothing reads it. */
const PROBE_KEY = "write-check";
/** Three connections within the timeout of the probe. */
const NEXT_TRY_MS = 750;
/** A write costs more than a read, so a busy store may take longer. */
const WRITES = { slowMs: 2000, probeTimeoutMs: 4000 };

export function createStoreBreakers(signer: RequestSigner, onFreeze: OnFreeze): StoreBreakers {
  const budget = createTryBudget(4);

  /** Whether there is any reply, with any status, on one of three new connections. */
  async function hasReply(target: Target, timeoutMs: number): Promise<boolean> {
    const { url, headers } = signer.sign(target);
    const { method } = target;
    const body = method === "PUT" ? { body: new Uint8Array() } : {};
    const timeout = AbortSignal.timeout(timeoutMs);
    const send = (signal: AbortSignal): Promise<Response> =>
      fetch(url, { method, headers, ...body, redirect: "manual", keepalive: false, signal });
    return firstReply(send, timeout, budget, NEXT_TRY_MS).then(
      () => true,
      () => !timeout.aborted,
    );
  }

  /** A store that replies to nothing says nothing about writes, and the other breaker ends them. */
  async function probeWrites(timeoutMs: number): Promise<boolean> {
    let isStoreFrozen = false;
    const endWait = all.watch(() => {
      isStoreFrozen = true;
    });
    const isReply = await hasReply({ method: "PUT", key: PROBE_KEY }, timeoutMs);
    endWait();
    return isReply || isStoreFrozen;
  }

  const all = createCircuitBreaker({
    probe: (timeoutMs) => hasReply({ method: "HEAD" }, timeoutMs),
    onEvent: (event) => onFreeze(event, "store"),
  });
  const writes = createCircuitBreaker({
    probe: probeWrites,
    onEvent: (event) => onFreeze(event, "writes"),
    ...WRITES,
  });

  return {
    of: (method) => (method === "GET" || method === "HEAD" ? [all] : [all, writes]),
    areWritesFrozen: writes.isFrozen,
  };
}
