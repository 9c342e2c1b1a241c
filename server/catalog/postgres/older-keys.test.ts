import { expect, test } from "bun:test";
import { COMMAND_EVERYWHERE } from "../../domain/callers/caller.ts";
import { parseKey } from "../../domain/names/name.ts";
import { openPostgresCatalog } from "./postgres-catalog.ts";
import { postgresServer } from "./server.fixture.ts";

test("migrates a catalog from before long keys and keeps its folders", async () => {
  const server = await postgresServer();
  const url = await server.fresh();
  const before = await openPostgresCatalog({ url });
  const folder = await before.createFolder(COMMAND_EVERYWHERE, parseKey("a/b"));
  await before.close();
  const newest = await server.run(url, "select max(version) as at from migrations");
  // The schema of version 4.
  await server.run(url, "alter table api_keys drop actions, drop folder_ids, drop parent_id");
  await server.run(url, "alter table api_keys drop secret_version, drop old_hash");
  await server.run(url, "alter table api_keys drop old_hash_ends_at");
  await server.run(url, "alter table accounts drop totp_secret, drop totp_step");
  await server.run(url, "alter table accounts drop totp_enabled_at, drop recovery_hashes");
  await server.run(url, "drop table passkeys, used_challenges, counters");
  await server.run(
    url,
    "drop table webhooks, deliveries, fetches, undo_steps, former_keys, quotas",
  );
  await server.run(url, "drop table identities, grants, invites");
  await server.run(url, "alter table accounts drop role, drop disabled_at, drop groups");
  await server.run(url, "alter table sessions drop method, drop groups");
  await server.run(url, "alter table api_keys drop account_id");
  await server.run(
    url,
    "create table traffic (hour bigint primary key, requests bigint, bytes bigint, errors bigint)",
  );
  await server.run(url, "drop table changes, uploads, batches, batch_members, batch_folders");
  await server.run(url, "drop table multipart_parts, multipart_uploads");
  await server.run(url, "drop table trash_items, trash_deletions, trash_folders, versions, links");
  await server.run(
    url,
    "alter table files drop sha256, drop meta, drop s3, drop natural_name, drop charset, drop kept_public, drop expires_at",
  );
  await server.run(url, "drop index folders_parent_id_object_walk");
  await server.run(url, "drop index activity_subject_id_id_walk");
  await server.run(
    url,
    "alter table folders drop implicit, drop default_visibility, drop inherited_visibility, drop bucket_settings",
  );
  await server.run(url, "alter table folders drop expire_after, drop inherited_expire_after");
  await server.run(url, "alter table folders drop constraint folders_key_key");
  await server.run(url, "drop index folders_key_walk");
  await server.run(url, "alter table folders add constraint folders_key_key unique (key)");
  await server.run(url, "delete from migrations where version > 4");

  const catalog = await openPostgresCatalog({ url });
  try {
    expect(await catalog.folderByKey(COMMAND_EVERYWHERE, parseKey("a/b"))).toEqual(folder);
    await expect(catalog.createFolder(COMMAND_EVERYWHERE, parseKey("a/b"))).rejects.toMatchObject({
      kind: "conflict",
    });
    const again =
      "insert into folders select 'x', id, 'x', 'a/b', 0, 0 from folders where key = 'a'";
    await expect(server.run(url, again)).rejects.toMatchObject({ code: "23P01" });
    expect(await server.run(url, "select max(version) as at from migrations")).toEqual(newest);
  } finally {
    await catalog.close();
  }
});
