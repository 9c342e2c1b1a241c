import { arch, platform } from "node:process";

/** A platform with an executable. Windows has none: its folder syncs and locks are untested. */
export interface Platform {
  /** As in the names of the files. */
  readonly name: string;
  /** As the bundler calls it. */
  readonly target: string;
  /** The npm package with its runtime. */
  readonly runtime: string;
  /** As Debian calls the processor; undefined: there is no Debian package. */
  readonly debian?: string;
}

export const platforms: readonly Platform[] = [
  {
    name: "linux-x64",
    target: "bun-linux-x64",
    runtime: "@oven/bun-linux-x64",
    debian: "amd64",
  },
  {
    name: "linux-arm64",
    target: "bun-linux-arm64",
    runtime: "@oven/bun-linux-aarch64",
    debian: "arm64",
  },
  {
    name: "darwin-arm64",
    target: "bun-darwin-arm64",
    runtime: "@oven/bun-darwin-aarch64",
  },
];

/** Whether executables of the platform run here. */
export const isThisPlatform = ({ name }: Platform): boolean => name === `${platform}-${arch}`;
