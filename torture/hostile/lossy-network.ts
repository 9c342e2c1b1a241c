import { spawnSync } from "node:child_process";
import { onExit } from "../on-exit.ts";
import { requireRoot, requireTool } from "../require-tool.ts";
import { CannotRun } from "../trial.ts";

/** A virtual network between this machine and a network namespace, with packet loss. */
export interface LossyNetwork {
  /** The address on which servers on this machine are reached from the namespace. */
  readonly serverAddress: string;
  /** Prepended to a command, runs it in the namespace. */
  readonly clientPrefix: readonly string[];
  remove(): void;
}

const NAMESPACE = "holdall-loss";
const SERVER_ADDRESS = "10.199.77.1";
const CLIENT_ADDRESS = "10.199.77.2";

/**
 * Drops `lossRate` (0 to 1) of the packets in each direction. Throws `CannotRun` if namespaces or
 * firewall rules are unavailable.
 */
export function createLossyNetwork(lossRate: number): LossyNetwork {
  requireRoot();
  requireTool("ip", "iproute2");
  requireTool("iptables");
  const clientPrefix = ["ip", "netns", "exec", NAMESPACE];
  const inNamespace = clientPrefix.join(" ");
  const remove = onExit(() => {
    spawnSync("ip", ["netns", "del", NAMESPACE]);
    spawnSync("ip", ["link", "del", "hd-server"]);
  });
  const drop = `-m statistic --mode random --probability ${lossRate} -j DROP`;
  for (const command of [
    `ip netns add ${NAMESPACE}`,
    "ip link add hd-server type veth peer name hd-client",
    `ip link set hd-client netns ${NAMESPACE}`,
    `ip addr add ${SERVER_ADDRESS}/30 dev hd-server`,
    "ip link set hd-server up",
    `${inNamespace} ip addr add ${CLIENT_ADDRESS}/30 dev hd-client`,
    `${inNamespace} ip link set hd-client up`,
    `${inNamespace} iptables -A INPUT ${drop}`,
    `${inNamespace} iptables -A OUTPUT ${drop}`,
  ]) {
    const [program = "", ...args] = command.split(" ");
    const { status, stderr } = spawnSync(program, args);
    if (status === 0) continue;
    remove();
    throw new CannotRun(`"${command}" failed: ${String(stderr).trim()}`);
  }
  return { serverAddress: SERVER_ADDRESS, clientPrefix, remove };
}
