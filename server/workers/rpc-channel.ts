import { type Failure, fromFailure, toFailure } from "../domain/faults/failure.ts";

/** The methods that one process offers to the other. A Fault that a method throws reaches the caller unchanged. */
export type RpcMethods<All> = { readonly [Name in keyof All]: (input: never) => unknown };

export interface RpcChannel<Theirs extends RpcMethods<Theirs>> {
  /** Rejects with the method's error, or with an Error when the other process exits before it replies. */
  call<Name extends keyof Theirs & string>(
    name: Name,
    input: Parameters<Theirs[Name]>[0],
  ): Promise<Awaited<ReturnType<Theirs[Name]>>>;
  /** Handles a batch from the other process. */
  receive(batch: MessageBatch): void;
  /** The other process has exited. */
  close(): void;
}

/** All messages of one turn of the event loop. */
export interface MessageBatch {
  readonly calls: readonly Call[];
  readonly replies: readonly Reply[];
}

interface Call {
  readonly id: number;
  readonly name: string;
  readonly input: MessageEvent["data"];
}

type Reply =
  | { readonly id: number; readonly result: MessageEvent["data"] }
  | { readonly id: number; readonly failure: Failure };

interface PendingCall {
  resolve(result: MessageEvent["data"]): void;
  reject(cause: Error): void;
}

/**
 * One end of a channel between two processes; each may call the other's methods, `ours` are this
 * one's. Batches keep the cost per message low under load.
 */
export function createRpcChannel<Theirs extends RpcMethods<Theirs>>(
  send: (batch: MessageBatch) => void,
  ours: Readonly<Record<string, (input: MessageEvent["data"]) => unknown>>,
): RpcChannel<Theirs> {
  const pending = new Map<number, PendingCall>();
  let calls: Call[] = [];
  let replies: Reply[] = [];
  let lastId = 0;
  let isScheduled = false;
  let isClosed = false;

  function sendBatch(): void {
    isScheduled = false;
    if (isClosed) return;
    const batch = { calls, replies };
    calls = [];
    replies = [];
    send(batch);
  }

  function scheduleBatch(): void {
    if (isScheduled) return;
    isScheduled = true;
    setImmediate(sendBatch);
  }

  async function handle({ id, name, input }: Call): Promise<void> {
    try {
      const method = ours[name];
      if (method === undefined) throw new Error(`Unknown RPC method "${name}".`);
      const result = await method(input);
      replies.push({ id, result });
    } catch (cause) {
      replies.push({ id, failure: toFailure(cause) });
    }
    scheduleBatch();
  }

  function resolve(reply: Reply): void {
    const call = pending.get(reply.id);
    pending.delete(reply.id);
    if ("failure" in reply) call?.reject(fromFailure(reply.failure));
    else call?.resolve(reply.result);
  }

  return {
    call(name, input) {
      if (isClosed) return Promise.reject(peerExited());
      lastId += 1;
      calls.push({ id: lastId, name, input });
      scheduleBatch();
      return new Promise((resolve, reject) => pending.set(lastId, { resolve, reject }));
    },
    receive(batch) {
      for (const reply of batch.replies) resolve(reply);
      for (const call of batch.calls) void handle(call);
    },
    close() {
      isClosed = true;
      for (const call of pending.values()) call.reject(peerExited());
      pending.clear();
    },
  };
}

const peerExited = (): Error => new Error("The other process has exited.");
