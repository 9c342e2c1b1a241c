/** Messages with which tabs tell each other about their uploads. */
type Message =
  | { readonly type: "ask" }
  | { readonly type: "have"; readonly keys: readonly string[] }
  | { readonly type: "left" };

export interface Tabs {
  /** The records that other tabs are working on. */
  ask(): Promise<ReadonlySet<string>>;
  /** Says that this tab works on these records. */
  announce(keys: readonly string[]): void;
}

export interface TabsDeps {
  /** The records that this tab is working on. */
  readonly ownKeys: () => readonly string[];
  /** Another tab works on these records now. */
  readonly onTaken: (keys: ReadonlySet<string>) => void;
  /** Another tab was closed, and what it worked on may be left over. */
  readonly onLeft: () => void;
}

const ANSWER_MS = 300;

/** Keeps two tabs from continuing the same upload. */
export function createTabs({ ownKeys, onTaken, onLeft }: TabsDeps): Tabs {
  const channel = new BroadcastChannel("holdall-uploads");
  const send = (message: Message): void => channel.postMessage(message);
  const announce = (keys: readonly string[]): void => {
    if (keys.length > 0) send({ type: "have", keys });
  };
  let answers: Set<string> | undefined;

  channel.addEventListener("message", ({ data }: MessageEvent<Message>) => {
    if (data.type === "ask") announce(ownKeys());
    if (data.type === "left") onLeft();
    if (data.type !== "have") return;
    for (const key of data.keys) answers?.add(key);
    onTaken(new Set(data.keys));
  });
  window.addEventListener("pagehide", () => {
    if (ownKeys().length > 0) send({ type: "left" });
  });

  return {
    announce,
    async ask() {
      const found = new Set<string>();
      answers = found;
      send({ type: "ask" });
      await new Promise((resolve) => setTimeout(resolve, ANSWER_MS));
      return found;
    },
  };
}
