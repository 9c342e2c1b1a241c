import { createService, type Service } from "../app.ts";
import { openInstance } from "../instance/open-instance.ts";
import { createLog } from "../log.ts";
import type { Assignment, SupervisorRpc, WorkerRpc } from "./rpc.ts";
import { createRpcChannel, type MessageBatch, type RpcChannel } from "./rpc-channel.ts";
import { workerState } from "./worker-state.ts";

/** One of the processes of a server, as its supervisor sees it. */
export interface Worker {
  receive(batch: MessageBatch): void;
  /** As of the service; at once while it is not served yet. */
  stop(graceMs: number): Promise<void>;
}

/** `end` ends the process. */
export function createWorker(
  send: (batch: MessageBatch) => void,
  end: (code: number) => void,
): Worker {
  let service: Promise<Service> | undefined;

  async function stop(graceMs: number): Promise<void> {
    const started = await service?.catch(() => undefined);
    await started?.stop(graceMs);
    end(0);
  }

  const rpc: WorkerRpc = {
    async serve(assignment) {
      service = serve(assignment, channel);
      // By then what was wrong has been told.
      service.catch(() => setTimeout(end, TOLD_MS, 1));
      await service;
    },
    async onEvent(event) {
      await (await service)?.onEvent(event);
    },
    async startBackgroundJobs() {
      (await service)?.startBackgroundJobs();
    },
    async reclaimLeases(name) {
      await (await service)?.reclaimLeases(name);
    },
    stop,
  };
  const channel: RpcChannel<SupervisorRpc> = createRpcChannel<SupervisorRpc>(send, { ...rpc });
  return { receive: channel.receive, stop };
}

const TOLD_MS = 500;

async function serve(
  { config, port, name, number }: Assignment,
  supervisor: RpcChannel<SupervisorRpc>,
): Promise<Service> {
  const log = createLog(config.logLevel, { worker: number });
  const instance = await openInstance(config, {
    mode: "worker",
    log,
    change: (name, input) => supervisor.call("change", { name, input }),
  });
  const service = await createService(instance, log, workerState({ name, config }, supervisor));
  service.listen(port, "shared");
  return service;
}
