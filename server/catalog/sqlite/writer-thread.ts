import type { ChangedBy } from "../../domain/callers/caller.ts";
import { type Failure, toFailure } from "../../domain/faults/failure.ts";
import type { ChangeInputs, ChangeName } from "../changes.ts";
import type { Writer } from "../engine/engine.ts";
import { openGroupCommit } from "./group-commit.ts";

/* The thread that writes, so that no commit blocks the thread that serves requests. */

export type ToThread =
  | { readonly type: "open"; readonly path: string }
  /** Each message takes as long as a small change, so they share one. */
  | { readonly type: "changes"; readonly changes: readonly SentChange[] }
  | { readonly type: "close" };

export interface SentChange extends NamedChange {
  readonly id: number;
}

interface NamedChange<N extends ChangeName = ChangeName> {
  readonly name: N;
  readonly input: ChangeInputs[N];
  readonly caller: ChangedBy;
}

export type FromThread =
  | { readonly type: "opened" }
  | { readonly type: "not opened"; readonly failure: Failure }
  | { readonly type: "answers"; readonly answers: readonly Answer[] }
  /** Nothing more can be written. It is unknown whether the pending changes were kept. */
  | { readonly type: "broken"; readonly reason: string }
  | { readonly type: "closed" };

export type Answer =
  /** The result has the change's type, which is lost between threads. */
  | { readonly type: "done"; readonly id: number; readonly result: MessageEvent["data"] }
  | { readonly type: "failed"; readonly id: number; readonly failure: Failure };

let writer: Writer | undefined;
let answers: Answer[] = [];

function send(message: FromThread): void {
  postMessage(message);
}

/** Sends the answer together with the other answers of the same commit. */
function answer(one: Answer): void {
  if (answers.length === 0) queueMicrotask(sendAnswers);
  answers.push(one);
}

function sendAnswers(): void {
  send({ type: "answers", answers });
  answers = [];
}

async function open(path: string): Promise<void> {
  try {
    writer = await openGroupCommit(path, ({ message }) =>
      send({ type: "broken", reason: message }),
    );
    send({ type: "opened" });
  } catch (cause) {
    send({ type: "not opened", failure: toFailure(cause) });
  }
}

async function change({ id, name, input, caller }: SentChange): Promise<void> {
  try {
    if (writer === undefined) throw new Error("The writer has not been opened.");
    answer({ type: "done", id, result: await writer.change(name, input, caller) });
  } catch (cause) {
    answer({ type: "failed", id, failure: toFailure(cause) });
  }
}

async function close(): Promise<void> {
  try {
    await writer?.close();
  } finally {
    // A failure to close is an error of the thread, and the other end must not wait for ever.
    send({ type: "closed" });
  }
}

async function receive(message: ToThread): Promise<void> {
  if (message.type === "open") await open(message.path);
  else if (message.type === "close") await close();
  else await Promise.all(message.changes.map(change));
}

addEventListener("message", (event: MessageEvent) => void receive(event.data));
