import { type Failure, fromFailure, toFailure } from "../rules/failure.ts";

/** What one process does when another asks it to, by name. A Fault that is thrown crosses over whole. */
export type RpcMethods<All> = { readonly [Name in keyof All]: (input: never) => unknown };

export interface RpcChannel<Theirs extends RpcMethods<Theirs>> {
  /** Rejects as the deed does, and with an Error when the other process ends before it answers. */
  call<Name extends keyof Theirs & string>(
    name: Name,
    input: Parameters<Theirs[Name]>[0],
  ): Promise<Awaited<ReturnType<Theirs[Name]>>>;
  /** Takes in what the other end has sent. */
  receive(batch: MessageBatch): void;
  /** The other process is gone. */
  end(): void;
}

/** All that came together in one turn of the loop goes in one batch. */
export interface MessageBatch {
  readonly asks: readonly Ask[];
  readonly answers: readonly Answer[];
}

interface Ask {
  readonly id: number;
  readonly name: string;
  readonly input: MessageEvent["data"];
}

type Answer =
  | { readonly id: number; readonly result: MessageEvent["data"] }
  | { readonly id: number; readonly failure: Failure };

interface Waiting {
  resolve(result: MessageEvent["data"]): void;
  reject(cause: Error): void;
}

/**
 * One end of a channel between two processes, each of which may call the other: `ours` is what this one
 * does. What is cheap stays cheap under load, as a batch holds whatever came meanwhile.
 */
export function createRpcChannel<Theirs extends RpcMethods<Theirs>>(
  send: (batch: MessageBatch) => void,
  ours: Readonly<Record<string, (input: MessageEvent["data"]) => unknown>>,
): RpcChannel<Theirs> {
  const underWay = new Map<number, Waiting>();
  let asks: Ask[] = [];
  let answers: Answer[] = [];
  let lastId = 0;
  let isPosting = false;
  let isOver = false;

  function post(): void {
    isPosting = false;
    if (isOver) return;
    const batch = { asks, answers };
    asks = [];
    answers = [];
    send(batch);
  }

  function postSoon(): void {
    if (isPosting) return;
    isPosting = true;
    setImmediate(post);
  }

  async function serve({ id, name, input }: Ask): Promise<void> {
    try {
      const deed = ours[name];
      if (deed === undefined) throw new Error(`The other process asks for "${name}".`);
      const result = await deed(input);
      answers.push({ id, result });
    } catch (cause) {
      answers.push({ id, failure: toFailure(cause) });
    }
    postSoon();
  }

  function settle(answer: Answer): void {
    const waiting = underWay.get(answer.id);
    underWay.delete(answer.id);
    if ("failure" in answer) waiting?.reject(fromFailure(answer.failure));
    else waiting?.resolve(answer.result);
  }

  return {
    call(name, input) {
      if (isOver) return Promise.reject(gone());
      lastId += 1;
      asks.push({ id: lastId, name, input });
      postSoon();
      return new Promise((resolve, reject) => underWay.set(lastId, { resolve, reject }));
    },
    receive(batch) {
      for (const answer of batch.answers) settle(answer);
      for (const each of batch.asks) void serve(each);
    },
    end() {
      isOver = true;
      for (const waiting of underWay.values()) waiting.reject(gone());
      underWay.clear();
    },
  };
}

const gone = (): Error => new Error("The other process has ended.");
