import { requireAction, type Scope } from "../../domain/scope.ts";
import type { TrashService } from "./trash-service.ts";
import type { VersionService } from "./version-service.ts";

/** A service with a check of the scope's actions, which comes first: the trash names nothing. */
export function restrictTrash(service: TrashService, scope: Scope): TrashService {
  const requireDelete = (): void => requireAction(scope, "delete");

  return {
    async list(query) {
      requireDelete();
      return service.list(query);
    },
    async totals() {
      requireDelete();
      return service.totals();
    },
    async restore(selection) {
      requireDelete();
      requireAction(scope, "write");
      return service.restore(selection);
    },
    async purge(selection) {
      requireDelete();
      return service.purge(selection);
    },
    async purgeAll() {
      requireDelete();
      return service.purgeAll();
    },
  };
}

/** A service with a check of the scope's actions, after the versions are found. */
export function restrictVersions(service: VersionService, scope: Scope): VersionService {
  async function findAny(ids: readonly string[]): Promise<void> {
    let missing: unknown;
    for (const id of ids) {
      try {
        await service.find(id);
        return;
      } catch (error) {
        missing = error;
      }
    }
    throw missing;
  }

  return {
    async list(file, page) {
      const versions = await service.list(file, page);
      requireAction(scope, "list");
      return versions;
    },
    async find(id) {
      const file = await service.find(id);
      requireAction(scope, "read");
      return file;
    },
    async restore(id) {
      await service.find(id);
      requireAction(scope, "write");
      return service.restore(id);
    },
    async remove(ids) {
      await findAny(ids);
      requireAction(scope, "delete");
      return service.remove(ids);
    },
  };
}
