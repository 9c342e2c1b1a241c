import { spawnSync } from "node:child_process";
import { onExit } from "../on-exit.ts";
import { requireRoot, requireTool } from "../require-tool.ts";
import { CannotRun } from "../trial.ts";

/** A network namespace whose link loses a share of the packets in each direction. */
export interface LossyNetwork {
  /** The address to listen on, on this side. */
  readonly address: string;
  /** A command prefix that runs a command on the other side. */
  readonly across: readonly string[];
  remove(): void;
}

const NAME = "holdall-loss";
const ADDRESS = "10.199.77.1";
const OTHER = "10.199.77.2";

/** Throws `CannotRun` without permission for namespaces or firewall rules. */
export function createLossyNetwork(share: number): LossyNetwork {
  requireRoot();
  requireTool("ip", "iproute2");
  requireTool("iptables");
  const across = ["ip", "netns", "exec", NAME];
  const remove = onExit(() => {
    spawnSync("ip", ["netns", "del", NAME]);
    spawnSync("ip", ["link", "del", "hd-here"]);
  });
  const dropped = `-m statistic --mode random --probability ${share} -j DROP`;
  for (const command of [
    `ip netns add ${NAME}`,
    "ip link add hd-here type veth peer name hd-there",
    `ip link set hd-there netns ${NAME}`,
    `ip addr add ${ADDRESS}/30 dev hd-here`,
    "ip link set hd-here up",
    `${across.join(" ")} ip addr add ${OTHER}/30 dev hd-there`,
    `${across.join(" ")} ip link set hd-there up`,
    `${across.join(" ")} iptables -A INPUT ${dropped}`,
    `${across.join(" ")} iptables -A OUTPUT ${dropped}`,
  ]) {
    const [program = "", ...args] = command.split(" ");
    const { status, stderr } = spawnSync(program, args);
    if (status === 0) continue;
    remove();
    throw new CannotRun(`"${command}" was refused: ${String(stderr).trim()}`);
  }
  return { address: ADDRESS, across, remove };
}
