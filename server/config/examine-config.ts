import { examineReach } from "./advice/examine-reach.ts";
import { type Advice, warning } from "./advice.ts";
import type { Config } from "./config.ts";
import { allVariables } from "./variables.ts";

/** What `doctor` says about the configuration alone. */
export function examineConfig(config: Config): Advice[] {
  return [
    ...examineReach(config),
    ...allVariables.flatMap(({ examine }) => examine?.(config) ?? []),
    ...examineDelivery(config),
  ];
}

/** DELIVERY and PUBLIC_URL together. */
function examineDelivery({ delivery, publicUrl }: Config): Advice[] {
  if (!delivery.startsWith("x-") || publicUrl !== null) return [];
  return [
    warning(
      `DELIVERY is ${delivery} and PUBLIC_URL is not set: without a proxy in front that sends the files, clients get empty ones.`,
      "Set PUBLIC_URL to the proxy's address, so that doctor can check it, or remove DELIVERY.",
    ),
  ];
}
