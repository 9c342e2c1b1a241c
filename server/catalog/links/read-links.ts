import { splitKey } from "../../domain/names/name.ts";
import { chain } from "../../lib/maybe-promise.ts";
import type { Engine } from "../engine/engine.ts";
import { lookup, type Param } from "../engine/prepared-statement.ts";
import type { LinkFilter, ListedLink } from "../port/links.ts";
import { selectLinks, selectListedLinks, toLink } from "./select-links.ts";

const linkById = lookup((db, param: Param<{ id: string }>) =>
  selectLinks(db).where("id", "=", param("id")),
);

const linkByTokenHash = lookup((db, param: Param<{ hash: string }>) =>
  selectLinks(db).where("token_hash", "=", param("hash")),
);

export function createLinkQueries({ db, first }: Pick<Engine, "db" | "first">) {
  return {
    linkById: (id: string) => chain(first(linkById, { id }), (row) => row && toLink(row)),
    linkByTokenHash: (hash: string) =>
      chain(first(linkByTokenHash, { hash }), (row) => row && toLink(row)),
    async listLinks(filter: LinkFilter): Promise<ListedLink[]> {
      const { ids, makerIds, subject, before } = filter;
      if (ids?.length === 0 || makerIds?.length === 0) return [];
      const rows = await selectListedLinks(db)
        .$if(ids !== undefined, (query) => query.where("links.id", "in", ids ?? []))
        .$if(makerIds !== undefined, (query) => query.where("links.maker_id", "in", makerIds ?? []))
        .$if(subject !== undefined, (query) =>
          query
            .where("links.subject_id", "=", subject?.id ?? "")
            .where("links.subject_kind", "=", subject?.kind ?? "file"),
        )
        .$if(!filter.includesRevoked, (query) => query.where("links.revoked_at", "is", null))
        .$if(before !== undefined, (query) => query.where("links.id", "<", before ?? ""))
        .orderBy("links.id", "desc")
        .limit(filter.limit)
        .execute();
      return rows.map((row) => {
        const { subjectKey, trashedKey, fileName } = row;
        const key = subjectKey ?? trashedKey;
        const subjectName = key === null ? fileName : (splitKey(key)?.name ?? "");
        return { ...toLink(row), subjectKey, subjectName };
      });
    },
  };
}
