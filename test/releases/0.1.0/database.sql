CREATE TABLE public.accounts (
    id text NOT NULL COLLATE pg_catalog."C",
    email text NOT NULL COLLATE pg_catalog."C",
    password_hash text NOT NULL COLLATE pg_catalog."C",
    created_at bigint NOT NULL
);
CREATE TABLE public.activity (
    id text NOT NULL COLLATE pg_catalog."C",
    at bigint NOT NULL,
    action text NOT NULL COLLATE pg_catalog."C",
    outcome text NOT NULL COLLATE pg_catalog."C",
    status bigint NOT NULL,
    actor_kind text NOT NULL COLLATE pg_catalog."C",
    actor_id text COLLATE pg_catalog."C",
    actor_name text COLLATE pg_catalog."C",
    address text COLLATE pg_catalog."C",
    subject_kind text COLLATE pg_catalog."C",
    subject_id text COLLATE pg_catalog."C",
    subject_name text COLLATE pg_catalog."C",
    detail text NOT NULL COLLATE pg_catalog."C"
);
CREATE TABLE public.api_keys (
    id text NOT NULL COLLATE pg_catalog."C",
    hash text NOT NULL COLLATE pg_catalog."C",
    name text NOT NULL COLLATE pg_catalog."C",
    prefix text NOT NULL COLLATE pg_catalog."C",
    created_at bigint NOT NULL,
    last_used_at bigint,
    expires_at bigint
);
CREATE TABLE public.blob_leases (
    block bigint NOT NULL,
    owner text NOT NULL COLLATE pg_catalog."C",
    heartbeat bigint NOT NULL
);
CREATE TABLE public.condemned (
    blob_id bigint NOT NULL,
    condemned_at bigint NOT NULL
);
CREATE TABLE public.files (
    id text NOT NULL COLLATE pg_catalog."C",
    folder_id text NOT NULL COLLATE pg_catalog."C",
    name text NOT NULL COLLATE pg_catalog."C",
    mime_type text NOT NULL COLLATE pg_catalog."C",
    size bigint NOT NULL,
    visibility text NOT NULL COLLATE pg_catalog."C",
    blob_id bigint NOT NULL,
    checksum bigint NOT NULL,
    modified_at bigint NOT NULL,
    created_at bigint NOT NULL,
    updated_at bigint NOT NULL
);
CREATE TABLE public.folders (
    id text NOT NULL COLLATE pg_catalog."C",
    parent_id text COLLATE pg_catalog."C",
    name text NOT NULL COLLATE pg_catalog."C",
    key text NOT NULL COLLATE pg_catalog."C",
    created_at bigint NOT NULL,
    updated_at bigint NOT NULL
);
CREATE TABLE public.holds (
    owner text NOT NULL COLLATE pg_catalog."C",
    heartbeat bigint NOT NULL
);
CREATE TABLE public.migrations (
    version bigint NOT NULL,
    applied_at bigint NOT NULL
);
CREATE TABLE public.sessions (
    id text NOT NULL COLLATE pg_catalog."C",
    hash text NOT NULL COLLATE pg_catalog."C",
    account_id text NOT NULL COLLATE pg_catalog."C",
    user_agent text NOT NULL COLLATE pg_catalog."C",
    address text NOT NULL COLLATE pg_catalog."C",
    created_at bigint NOT NULL,
    last_seen_at bigint NOT NULL,
    expires_at bigint NOT NULL
);
CREATE TABLE public.settings (
    name text NOT NULL COLLATE pg_catalog."C",
    value text NOT NULL COLLATE pg_catalog."C"
);
CREATE TABLE public.traffic (
    hour bigint NOT NULL,
    requests bigint NOT NULL,
    bytes bigint NOT NULL,
    errors bigint NOT NULL
);
INSERT INTO public.accounts VALUES ('administrator', 'ada@example.com', '$argon2id$v=19$m=19456,t=2,p=1$Xqu7F687ASdsy2ObBsjoXV8H+oMOlSsr1Ukkk3MqbgM$/LxFnS+y1GHrk+/jLK4EocibYJNgeKyrKOWlC5M6YJs', 1795332797551);
INSERT INTO public.activity VALUES ('01a2022c-74dd-71f1-91bf-20a24eef6f47', 1795332797661, 'uploadFiles', 'done', 200, 'key', '01a2022c-7435-7132-8280-24a718905046', 'initial', '127.0.0.1', 'folder', '01a2022c-74d2-754f-8547-cecb09d2860e', 'docs/2026', '{"files":2,"bytes":29}');
INSERT INTO public.activity VALUES ('01a2022c-74f3-7523-aa84-614966722eaa', 1795332797683, 'uploadFiles', 'done', 200, 'key', '01a2022c-7435-7132-8280-24a718905046', 'initial', '127.0.0.1', 'file', '01a2022c-74ee-76c2-866a-84d9269bdbd3', 'docs/private/写真 その1.jpg', '{"files":1,"bytes":6}');
INSERT INTO public.activity VALUES ('01a2022c-7505-705e-b035-7e3e78535fcd', 1795332797701, 'uploadFiles', 'done', 200, 'key', '01a2022c-7435-7132-8280-24a718905046', 'initial', '127.0.0.1', 'file', '01a2022c-7501-768f-86aa-08f366010623', 'empty.txt', '{"files":1,"bytes":0}');
INSERT INTO public.activity VALUES ('01a2022c-751e-7444-ac6e-4ea503b89319', 1795332797726, 'uploadFiles', 'done', 200, 'key', '01a2022c-7435-7132-8280-24a718905046', 'initial', '127.0.0.1', 'file', '01a2022c-7519-7083-b382-e338b4f5711c', 'gone/hello.txt', '{"files":1,"bytes":17}');
INSERT INTO public.activity VALUES ('01a2022c-7557-73c2-93d4-0a593b31a8c5', 1795332797783, 'deleteFolder', 'done', 200, 'key', '01a2022c-7435-7132-8280-24a718905046', 'initial', '127.0.0.1', 'folder', '01a2022c-7519-7082-8ffe-d49b7dd0899a', 'gone', '{}');
INSERT INTO public.activity VALUES ('01a2022c-7566-7630-b529-80150882f0f7', 1795332797798, 'createKey', 'done', 200, 'key', '01a2022c-7435-7132-8280-24a718905046', 'initial', '127.0.0.1', 'key', '01a2022c-7563-740c-86f2-85606a71dccd', 'backend', '{"expiresAt":"2036-11-19 07:33:17"}');
INSERT INTO public.activity VALUES ('01a2022c-7575-74d0-9143-e14e321f4330', 1795332797813, 'createFolder', 'done', 200, 'key', '01a2022c-7435-7132-8280-24a718905046', 'initial', '127.0.0.1', 'folder', '01a2022c-7571-7739-905d-865459f02110', 'empty/folder', '{}');
INSERT INTO public.activity VALUES ('01a2022c-77bc-7553-95f2-444cef4e9b23', 1795332798396, 'changeSettings', 'done', 200, 'key', '01a2022c-7435-7132-8280-24a718905046', 'initial', '127.0.0.1', NULL, NULL, NULL, '{"maxFilesPerRequest":77}');
INSERT INTO public.api_keys VALUES ('01a2022c-7563-740c-86f2-85606a71dccd', 'de7d9d294ba2d53b484024965ea2783f5c46e52864c76c18a5a55edb435876f0', 'backend', 'hd_I0KWU', 1795332797795, NULL, 2110692797795);
INSERT INTO public.api_keys VALUES ('01a2022c-7435-7132-8280-24a718905046', '77b6e123cc0d992b59f3c23d8cbd6dfa93e76d361347270316a5a6b8846e0194', 'initial', 'hd_fixtu', 1795332797493, 1795332797836, NULL);
INSERT INTO public.blob_leases VALUES (3958753841152, '4a063848-77ad-4e81-9465-7614c5c98b5b', 1795332797642);
INSERT INTO public.files VALUES ('01a2022c-74d2-7550-bda5-6303a9287125', '01a2022c-74d2-754f-8547-cecb09d2860e', 'hello.txt', 'text/plain', 17, 'public', 1013440983334912, 4250659194, 1795332797650, 1795332797650, 1795332797650);
INSERT INTO public.files VALUES ('01a2022c-74d2-7551-bc42-e5748a21d954', '01a2022c-74d2-754f-8547-cecb09d2860e', 'page.html', 'text/html', 12, 'public', 1013440983334913, 3940780917, 1795332797650, 1795332797650, 1795332797650);
INSERT INTO public.files VALUES ('01a2022c-74ee-76c2-866a-84d9269bdbd3', '01a2022c-74ee-76c1-8b3c-25745ef8888f', '写真 その1.jpg', 'image/jpeg', 6, 'private', 1013440983334914, 1554180325, 1795332797678, 1795332797678, 1795332797678);
INSERT INTO public.files VALUES ('01a2022c-7501-768f-86aa-08f366010623', '01a2022c-73ff-72de-8314-153814b51e17', 'empty.txt', 'text/plain', 0, 'public', 1013440983334915, 0, 1795332797697, 1795332797697, 1795332797697);
INSERT INTO public.folders VALUES ('01a2022c-73ff-72de-8314-153814b51e17', NULL, '', '', 1795332797439, 1795332797439);
INSERT INTO public.folders VALUES ('01a2022c-74d2-754e-908e-5de394d6ea41', '01a2022c-73ff-72de-8314-153814b51e17', 'docs', 'docs', 1795332797650, 1795332797650);
INSERT INTO public.folders VALUES ('01a2022c-74d2-754f-8547-cecb09d2860e', '01a2022c-74d2-754e-908e-5de394d6ea41', '2026', 'docs/2026', 1795332797650, 1795332797650);
INSERT INTO public.folders VALUES ('01a2022c-74ee-76c1-8b3c-25745ef8888f', '01a2022c-74d2-754e-908e-5de394d6ea41', 'private', 'docs/private', 1795332797678, 1795332797678);
INSERT INTO public.folders VALUES ('01a2022c-7571-7738-b943-4dfd0ef03f11', '01a2022c-73ff-72de-8314-153814b51e17', 'empty', 'empty', 1795332797809, 1795332797809);
INSERT INTO public.folders VALUES ('01a2022c-7571-7739-905d-865459f02110', '01a2022c-7571-7738-b943-4dfd0ef03f11', 'folder', 'empty/folder', 1795332797809, 1795332797809);
INSERT INTO public.migrations VALUES (1, 1795332797441);
INSERT INTO public.migrations VALUES (2, 1795332797443);
INSERT INTO public.migrations VALUES (3, 1795332797446);
INSERT INTO public.migrations VALUES (4, 1795332797453);
INSERT INTO public.migrations VALUES (5, 1795332797457);
INSERT INTO public.settings VALUES ('disk', 'b3fc066e-0477-445a-bc8e-c9ed90b13882');
INSERT INTO public.settings VALUES ('auth-secret-mark', '03642930b1af6b6073d1a14466294b4e');
INSERT INTO public.settings VALUES ('maxFilesPerRequest', '77');
ALTER TABLE ONLY public.accounts
    ADD CONSTRAINT accounts_email_key UNIQUE (email);
ALTER TABLE ONLY public.accounts
    ADD CONSTRAINT accounts_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.activity
    ADD CONSTRAINT activity_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.api_keys
    ADD CONSTRAINT api_keys_hash_key UNIQUE (hash);
ALTER TABLE ONLY public.api_keys
    ADD CONSTRAINT api_keys_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.blob_leases
    ADD CONSTRAINT blob_leases_pkey PRIMARY KEY (block);
ALTER TABLE ONLY public.condemned
    ADD CONSTRAINT condemned_pkey PRIMARY KEY (blob_id);
ALTER TABLE ONLY public.files
    ADD CONSTRAINT files_blob_id_key UNIQUE (blob_id);
ALTER TABLE ONLY public.files
    ADD CONSTRAINT files_folder_id_name UNIQUE (folder_id, name);
ALTER TABLE ONLY public.files
    ADD CONSTRAINT files_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.folders
    ADD CONSTRAINT folders_key_key EXCLUDE USING hash (key WITH =);
ALTER TABLE ONLY public.folders
    ADD CONSTRAINT folders_parent_id_name UNIQUE (parent_id, name);
ALTER TABLE ONLY public.folders
    ADD CONSTRAINT folders_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.holds
    ADD CONSTRAINT holds_pkey PRIMARY KEY (owner);
ALTER TABLE ONLY public.migrations
    ADD CONSTRAINT migrations_pkey PRIMARY KEY (version);
ALTER TABLE ONLY public.sessions
    ADD CONSTRAINT sessions_hash_key UNIQUE (hash);
ALTER TABLE ONLY public.sessions
    ADD CONSTRAINT sessions_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.settings
    ADD CONSTRAINT settings_pkey PRIMARY KEY (name);
ALTER TABLE ONLY public.traffic
    ADD CONSTRAINT traffic_pkey PRIMARY KEY (hour);
CREATE INDEX activity_action_id_walk ON public.activity USING btree (action, id);
CREATE INDEX activity_actor_id_id_walk ON public.activity USING btree (actor_id, id);
CREATE INDEX activity_outcome_id_walk ON public.activity USING btree (outcome, id);
CREATE INDEX condemned_condemned_at_blob_id ON public.condemned USING btree (condemned_at, blob_id);
CREATE INDEX files_folder_id_id_walk ON public.files USING btree (folder_id, id);
CREATE INDEX files_folder_id_mime_type_id_walk ON public.files USING btree (folder_id, mime_type, id);
CREATE INDEX files_folder_id_size_id_walk ON public.files USING btree (folder_id, size, id);
CREATE INDEX files_folder_id_updated_at_id_walk ON public.files USING btree (folder_id, updated_at, id);
CREATE INDEX files_mime_type_id_walk ON public.files USING btree (mime_type, id);
CREATE INDEX files_name_id_walk ON public.files USING btree (name, id);
CREATE INDEX files_size_id_walk ON public.files USING btree (size, id);
CREATE INDEX files_updated_at_id_walk ON public.files USING btree (updated_at, id);
CREATE INDEX folders_key_walk ON public.folders USING btree ("left"(key, 500));
CREATE INDEX sessions_account_id ON public.sessions USING btree (account_id);
ALTER TABLE ONLY public.files
    ADD CONSTRAINT files_folder_id_fkey FOREIGN KEY (folder_id) REFERENCES public.folders(id);
ALTER TABLE ONLY public.folders
    ADD CONSTRAINT folders_parent_id_fkey FOREIGN KEY (parent_id) REFERENCES public.folders(id);
ALTER TABLE ONLY public.sessions
    ADD CONSTRAINT sessions_account_id_fkey FOREIGN KEY (account_id) REFERENCES public.accounts(id);
