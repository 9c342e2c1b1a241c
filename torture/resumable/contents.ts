import { digestOf, type Inventory, withFile } from "../inventory.ts";

/** The inventory with a public file of unknown id. */
export const withContent = (inventory: Inventory, key: string, content: Uint8Array): Inventory =>
  withFile(inventory, key, {
    id: null,
    visibility: "public",
    size: content.length,
    digest: digestOf(content),
  });
