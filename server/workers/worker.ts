import { createService, type Service } from "../app.ts";
import { joinFolder } from "../catalog/sqlite/folder-lock.ts";
import { openDataFolder } from "../instance/data-folder.ts";
import { createLog, type Log } from "../log.ts";
import { openWorkersCatalog } from "../instance/open-catalog.ts";
import type { Assignment, SupervisorDeeds, WorkerDeeds } from "./rpc.ts";
import { createLine, type Letter, type Line } from "./rpc-channel.ts";
import { createMember } from "./worker-state.ts";

/** One of the processes of a server, as its supervisor sees it. */
export interface Worker {
  receive(letter: Letter): void;
  /** As of the service; at once while it is not served yet. */
  stop(graceMs: number): Promise<void>;
}

/** `end` ends the process. */
export function createWorker(send: (letter: Letter) => void, end: (code: number) => void): Worker {
  let service: Promise<Service> | undefined;

  async function stop(graceMs: number): Promise<void> {
    const started = await service?.catch(() => undefined);
    await started?.stop(graceMs);
    end(0);
  }

  const deeds: WorkerDeeds = {
    async serve(assignment) {
      service = serve(assignment, line);
      // By then what was wrong has been told.
      service.catch(() => setTimeout(end, TOLD_MS, 1));
      await service;
    },
    async hear(news) {
      await (await service)?.hear(news);
    },
    async takeCare() {
      (await service)?.takeCare();
    },
    async clearUp(name) {
      await (await service)?.clearUp(name);
    },
    stop,
  };
  const line: Line<SupervisorDeeds> = createLine<SupervisorDeeds>(send, { ...deeds });
  return { receive: line.receive, stop };
}

const TOLD_MS = 500;

async function serve(
  { config, port, name, number }: Assignment,
  supervisor: Line<SupervisorDeeds>,
): Promise<Service> {
  const log: Log = createLog(config.logLevel, { worker: number });
  const folder = openDataFolder(config.dataPath);
  // Held until the process ends.
  joinFolder(folder.path);
  const catalog = await openWorkersCatalog(config, folder, (name, input) =>
    supervisor.ask("change", { name, input }),
  );
  const team = createMember({ name, config }, supervisor);
  const service = await createService(config, log, { folder, catalog, team });
  service.listen(port, "shared");
  return service;
}
