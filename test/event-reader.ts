import type { ChangeObject } from "../contract/api.ts";
import type { Reachable } from "./client.ts";

export interface EventReader {
  readonly response: Response;
  /** The id of the last event, with or without data. */
  lastId(): string;
  /** The next event with data. Error: the stream has ended, or there is none for 10 seconds. */
  next(): Promise<ChangeObject>;
  /** Resolves when the server has ended the stream. */
  ended(): Promise<void>;
  /** Comments so far. */
  comments(): number;
  close(): void;
}

/** Opens a stream of changes, as an `EventSource` does. */
export async function readEvents(
  server: Reachable,
  query = "",
  headers: Readonly<Record<string, string>> = {},
): Promise<EventReader> {
  const controller = new AbortController();
  const response = await fetch(`${server.url}/api/changes${query}`, {
    headers: { "API-Key": server.apiKey, Accept: "text/event-stream", ...headers },
    signal: controller.signal,
  });
  const waiting: ChangeObject[] = [];
  let wake = Promise.withResolvers<void>();
  let lastId = "";
  let comments = 0;
  let isOver = !response.ok;

  function take(event: string): void {
    const data: string[] = [];
    for (const line of event.split("\n")) {
      if (line.startsWith(":")) comments += 1;
      if (line.startsWith("id: ")) lastId = line.slice(4);
      if (line.startsWith("data: ")) data.push(line.slice(6));
    }
    if (data.length > 0) waiting.push(JSON.parse(data.join("\n")));
  }

  async function readAll(): Promise<void> {
    let text = "";
    try {
      for await (const piece of (response.body ?? new ReadableStream()).pipeThrough(
        new TextDecoderStream(),
      )) {
        text += piece;
        const events = text.split("\n\n");
        text = events.pop() ?? "";
        events.forEach(take);
        wake.resolve();
        wake = Promise.withResolvers<void>();
      }
    } catch {
      // Closed by this reader, or by a server that was killed.
    }
    isOver = true;
    wake.resolve();
  }
  const reading = response.ok ? readAll() : Promise.resolve();

  return {
    response,
    lastId: () => lastId,
    comments: () => comments,
    async next() {
      const end = performance.now() + 120_000;
      for (;;) {
        const change = waiting.shift();
        if (change !== undefined) return change;
        if (isOver) throw new Error("The stream has ended.");
        if (performance.now() > end) throw new Error("There is no event.");
        await Promise.race([wake.promise, Bun.sleep(200)]);
      }
    },
    ended: () => reading,
    close: () => controller.abort(),
  };
}
