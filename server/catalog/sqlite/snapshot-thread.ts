import { toFailure } from "../../domain/failure.ts";
import { copyCatalog } from "./copy-catalog.ts";

/* The thread that copies the catalog, so that the copy does not block the calling thread. */

addEventListener("message", (event: MessageEvent<{ from: string; to: string }>) => {
  try {
    copyCatalog(event.data.from, event.data.to);
    postMessage(null);
  } catch (cause) {
    postMessage(toFailure(cause));
  }
});
