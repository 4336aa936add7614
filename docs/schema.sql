-- The database of today, as all migrations leave it: for reading. `npm run schema` writes this file; the server runs
-- src/migrations. Columns stand in the order in which they were added.

create extension pg_trgm;
create extension unaccent;

create table account_notes (
  account_id text collate "C" not null,
  target_id text collate "C" not null,
  comment text not null,
  constraint account_notes_pkey PRIMARY KEY (account_id, target_id),
  constraint account_notes_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id) ON DELETE CASCADE,
  constraint account_notes_target_id_fkey FOREIGN KEY (target_id) REFERENCES accounts(id) ON DELETE CASCADE
);
CREATE INDEX account_notes_target ON account_notes USING btree (target_id);
CREATE TRIGGER account_notes_changed AFTER INSERT OR DELETE OR UPDATE ON account_notes FOR EACH ROW EXECUTE FUNCTION account_notes_reports();
CREATE TRIGGER account_notes_emptied AFTER TRUNCATE ON account_notes FOR EACH STATEMENT EXECUTE FUNCTION table_emptied();

create table account_stats (
  account_id text collate "C" not null,
  statuses_count integer default 0 not null,
  followers_count integer default 0 not null,
  following_count integer default 0 not null,
  last_status_at timestamp with time zone,
  counts_fetched_at timestamp with time zone,
  constraint account_stats_pkey PRIMARY KEY (account_id),
  constraint account_stats_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id) ON DELETE CASCADE
) with (fillfactor=50);
CREATE TRIGGER account_stats_changed AFTER DELETE OR UPDATE ON account_stats FOR EACH ROW EXECUTE FUNCTION account_stats_reports();
CREATE TRIGGER account_stats_emptied AFTER TRUNCATE ON account_stats FOR EACH STATEMENT EXECUTE FUNCTION table_emptied();

create table accounts (
  id text collate "C" not null,
  nickname text not null,
  domain text,
  ap_id text not null,
  url text,
  inbox_url text,
  shared_inbox_url text,
  outbox_url text,
  followers_url text,
  following_url text,
  featured_url text,
  actor_type text default 'Person'::text not null,
  display_name text default ''::text not null,
  note_html text default ''::text not null,
  note_source text default ''::text not null,
  fields jsonb default '[]'::jsonb not null,
  emojis jsonb default '[]'::jsonb not null,
  avatar_url text,
  avatar_description text default ''::text not null,
  header_url text,
  header_description text default ''::text not null,
  background_url text,
  locked boolean default false not null,
  discoverable boolean default false not null,
  hide_followers boolean default false not null,
  hide_follows boolean default false not null,
  hide_followers_count boolean default false not null,
  hide_follows_count boolean default false not null,
  hide_favorites boolean default true not null,
  show_role boolean default true not null,
  skip_thread_containment boolean default false not null,
  accepts_chat_messages boolean,
  tags text[] default '{}'::text[] not null,
  also_known_as text[] default '{}'::text[] not null,
  moved_to_id text collate "C",
  birthday date,
  show_birthday boolean default false not null,
  deactivated_at timestamp with time zone,
  created_at timestamp with time zone default now() not null,
  refreshed_at timestamp with time zone default now() not null,
  version integer default 1 not null,
  deleted_at timestamp with time zone,
  moved_at timestamp with time zone,
  indexable boolean,
  attribution_domains text[] default '{}'::text[] not null,
  suspended_by_server boolean default false not null,
  described_at timestamp with time zone,
  memorial boolean default false not null,
  invisible boolean default false not null,
  renamed_at timestamp with time zone,
  constraint accounts_pkey PRIMARY KEY (id),
  constraint accounts_ap_id_key UNIQUE (ap_id),
  constraint accounts_moved_to_id_fkey FOREIGN KEY (moved_to_id) REFERENCES accounts(id) ON DELETE SET NULL
) with (fillfactor=90);
CREATE INDEX accounts_avatar ON accounts USING hash (avatar_url) WHERE (avatar_url IS NOT NULL);
CREATE INDEX accounts_background ON accounts USING hash (background_url) WHERE (background_url IS NOT NULL);
CREATE INDEX accounts_birthdays ON accounts USING btree (EXTRACT(month FROM birthday), EXTRACT(day FROM birthday)) WHERE (show_birthday AND (birthday IS NOT NULL));
CREATE INDEX accounts_deactivated ON accounts USING btree (id) WHERE (deactivated_at IS NOT NULL);
CREATE INDEX accounts_discoverable ON accounts USING btree (id DESC) WHERE (discoverable AND (deactivated_at IS NULL));
CREATE INDEX accounts_discoverable_here ON accounts USING btree (id DESC) WHERE (discoverable AND (deactivated_at IS NULL) AND (domain IS NULL));
CREATE UNIQUE INDEX accounts_handle ON accounts USING btree (lower(nickname), COALESCE(domain, ''::text));
CREATE INDEX accounts_header ON accounts USING hash (header_url) WHERE (header_url IS NOT NULL);
CREATE INDEX accounts_here ON accounts USING btree (id) WHERE ((deleted_at IS NULL) AND (domain IS NULL));
CREATE INDEX accounts_hosts ON accounts USING btree (domain, split_part(ap_id, '/'::text, 3)) WHERE (domain IS NOT NULL);
CREATE INDEX accounts_hosts_apart ON accounts USING btree (lower(split_part(ap_id, '/'::text, 3))) WHERE (lower(split_part(ap_id, '/'::text, 3)) <> domain);
CREATE INDEX accounts_hosts_apart_known ON accounts USING btree (lower(split_part(ap_id, '/'::text, 3))) WHERE ((lower(split_part(ap_id, '/'::text, 3)) <> domain) AND (deleted_at IS NULL));
CREATE INDEX accounts_hosts_known ON accounts USING btree (domain) WHERE ((domain IS NOT NULL) AND (deleted_at IS NULL));
CREATE INDEX accounts_known ON accounts USING btree (id) WHERE (deleted_at IS NULL);
CREATE INDEX accounts_moved ON accounts USING btree (moved_to_id) WHERE (moved_to_id IS NOT NULL);
CREATE INDEX accounts_names ON accounts USING gin (lower(nickname) gin_trgm_ops, lower(display_name) gin_trgm_ops);
CREATE INDEX accounts_nicknames ON accounts USING btree (lower(nickname) text_pattern_ops);
CREATE INDEX accounts_tags ON accounts USING gin (tags) WHERE (tags <> '{}'::text[]);
CREATE INDEX accounts_url ON accounts USING btree (url) WHERE (url IS NOT NULL);
CREATE TRIGGER accounts_access_changed AFTER UPDATE OF deactivated_at OR TRUNCATE ON accounts FOR EACH STATEMENT EXECUTE FUNCTION sign_ins_changed();
CREATE TRIGGER accounts_changed AFTER DELETE OR UPDATE ON accounts FOR EACH ROW EXECUTE FUNCTION accounts_reports();
CREATE TRIGGER accounts_emptied AFTER TRUNCATE ON accounts FOR EACH STATEMENT EXECUTE FUNCTION table_emptied();
CREATE TRIGGER accounts_handle_changed AFTER UPDATE ON accounts FOR EACH ROW WHEN (((old.nickname IS DISTINCT FROM new.nickname) OR (old.domain IS DISTINCT FROM new.domain))) EXECUTE FUNCTION renamed_account_reports();
CREATE TRIGGER accounts_named AFTER INSERT ON accounts FOR EACH STATEMENT EXECUTE FUNCTION account_names_reports();
CREATE TRIGGER accounts_renamed AFTER UPDATE ON accounts FOR EACH ROW WHEN (((((old.nickname IS DISTINCT FROM new.nickname) OR (old.domain IS DISTINCT FROM new.domain)) OR (old.ap_id IS DISTINCT FROM new.ap_id)) OR (old.url IS DISTINCT FROM new.url))) EXECUTE FUNCTION account_names_reports();
CREATE TRIGGER accounts_tagged AFTER UPDATE ON accounts FOR EACH ROW WHEN ((old.tags IS DISTINCT FROM new.tags)) EXECUTE FUNCTION id_reports('~');

create table activities (
  id bigint generated by default as identity not null,
  uri text not null,
  account_id text collate "C",
  type text not null,
  subject text,
  body json not null,
  created_at timestamp with time zone default now() not null,
  constraint activities_pkey PRIMARY KEY (id),
  constraint activities_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id) ON DELETE CASCADE,
  constraint activities_uri_key UNIQUE (uri)
);
CREATE INDEX activities_account ON activities USING btree (account_id);
CREATE INDEX activities_created ON activities USING btree (created_at) WHERE (subject IS NULL);
CREATE UNIQUE INDEX activities_subject ON activities USING btree (subject) WHERE (subject IS NOT NULL);

create table announcement_reactions (
  announcement_id text collate "C" not null,
  name text not null,
  account_id text collate "C" not null,
  created_at timestamp with time zone default now() not null,
  constraint announcement_reactions_pkey PRIMARY KEY (announcement_id, name, account_id),
  constraint announcement_reactions_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id) ON DELETE CASCADE,
  constraint announcement_reactions_announcement_id_fkey FOREIGN KEY (announcement_id) REFERENCES announcements(id) ON DELETE CASCADE
);
CREATE INDEX announcement_reactions_account ON announcement_reactions USING btree (account_id);

create table announcement_reads (
  account_id text collate "C" not null,
  announcement_id text collate "C" not null,
  constraint announcement_reads_pkey PRIMARY KEY (account_id, announcement_id),
  constraint announcement_reads_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id) ON DELETE CASCADE,
  constraint announcement_reads_announcement_id_fkey FOREIGN KEY (announcement_id) REFERENCES announcements(id) ON DELETE CASCADE
);
CREATE INDEX announcement_reads_announcement ON announcement_reads USING btree (announcement_id);

create table announcements (
  id text collate "C" not null,
  source text not null,
  content_html text not null,
  mention_ids text[] default '{}'::text[] not null,
  tags text[] default '{}'::text[] not null,
  starts_at timestamp with time zone,
  ends_at timestamp with time zone,
  all_day boolean default false not null,
  created_at timestamp with time zone default now() not null,
  updated_at timestamp with time zone default now() not null,
  constraint announcements_pkey PRIMARY KEY (id),
  constraint announcements_check CHECK ((ends_at > starts_at))
);

create table attachments (
  id bigint generated by default as identity not null,
  account_id text collate "C",
  status_id text collate "C",
  position smallint default 0 not null,
  type text not null,
  mime_type text not null,
  file_key text,
  thumbnail_key text,
  remote_url text,
  size bigint default 0 not null,
  width integer,
  height integer,
  duration double precision,
  blurhash text,
  description text default ''::text not null,
  created_at timestamp with time zone default now() not null,
  scheduled_id bigint,
  chat_message_id text collate "C",
  former_status_id text collate "C",
  remote_preview_url text,
  constraint attachments_pkey PRIMARY KEY (id),
  constraint attachments_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id) ON DELETE SET NULL,
  constraint attachments_chat_message_id_fkey FOREIGN KEY (chat_message_id) REFERENCES chat_messages(id) ON DELETE SET NULL,
  constraint attachments_check CHECK (((file_key IS NOT NULL) OR (remote_url IS NOT NULL))),
  constraint attachments_former_status_id_fkey FOREIGN KEY (former_status_id) REFERENCES statuses(id) ON DELETE SET NULL,
  constraint attachments_scheduled_id_fkey FOREIGN KEY (scheduled_id) REFERENCES scheduled_statuses(id) ON DELETE SET NULL,
  constraint attachments_status_id_fkey FOREIGN KEY (status_id) REFERENCES statuses(id) ON DELETE SET NULL
);
CREATE INDEX attachments_account ON attachments USING btree (account_id, id);
CREATE INDEX attachments_chat_message ON attachments USING btree (chat_message_id) WHERE (chat_message_id IS NOT NULL);
CREATE INDEX attachments_file ON attachments USING hash (file_key) WHERE (file_key IS NOT NULL);
CREATE INDEX attachments_former_status ON attachments USING btree (former_status_id) WHERE (former_status_id IS NOT NULL);
CREATE INDEX attachments_remote ON attachments USING hash (remote_url) WHERE (remote_url IS NOT NULL);
CREATE INDEX attachments_remote_preview ON attachments USING hash (remote_preview_url) WHERE (remote_preview_url IS NOT NULL);
CREATE INDEX attachments_scheduled ON attachments USING btree (scheduled_id, "position") WHERE (scheduled_id IS NOT NULL);
CREATE INDEX attachments_status ON attachments USING btree (status_id, "position") WHERE (status_id IS NOT NULL);
CREATE INDEX attachments_thumbnail ON attachments USING hash (thumbnail_key) WHERE (thumbnail_key IS NOT NULL);
CREATE INDEX attachments_unattached ON attachments USING btree (created_at) WHERE ((status_id IS NULL) AND (former_status_id IS NULL));
CREATE TRIGGER attachments_changed AFTER DELETE OR UPDATE ON attachments FOR EACH ROW EXECUTE FUNCTION attachments_reports();
CREATE TRIGGER attachments_emptied AFTER TRUNCATE ON attachments FOR EACH STATEMENT EXECUTE FUNCTION table_emptied();

create table backups (
  id bigint generated by default as identity not null,
  account_id text collate "C",
  file_key text not null,
  file_size bigint default 0 not null,
  processed boolean default false not null,
  inserted_at timestamp with time zone default now() not null,
  by_staff boolean default false not null,
  constraint backups_pkey PRIMARY KEY (id),
  constraint backups_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id) ON DELETE SET NULL
);
CREATE INDEX backups_account ON backups USING btree (account_id, id DESC);
CREATE INDEX backups_age ON backups USING btree (inserted_at);
CREATE INDEX backups_unmade ON backups USING btree (inserted_at) WHERE (NOT processed);

create table banned_media (
  id bigint generated by default as identity not null,
  digest bytea not null,
  url text not null,
  created_at timestamp with time zone default now() not null,
  constraint banned_media_pkey PRIMARY KEY (id),
  constraint banned_media_digest_key UNIQUE (digest)
);
CREATE INDEX banned_media_url ON banned_media USING gin (url gin_trgm_ops);

create table blocks (
  id bigint generated by default as identity not null,
  account_id text collate "C" not null,
  target_id text collate "C" not null,
  expires_at timestamp with time zone,
  created_at timestamp with time zone default now() not null,
  uri text,
  constraint blocks_pkey PRIMARY KEY (id),
  constraint blocks_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id) ON DELETE CASCADE,
  constraint blocks_target_id_fkey FOREIGN KEY (target_id) REFERENCES accounts(id) ON DELETE CASCADE
);
CREATE INDEX blocks_account ON blocks USING btree (account_id, id DESC);
CREATE INDEX blocks_expiry ON blocks USING btree (expires_at) WHERE (expires_at IS NOT NULL);
CREATE UNIQUE INDEX blocks_pair ON blocks USING btree (account_id, target_id);
CREATE INDEX blocks_target ON blocks USING btree (target_id, account_id);
CREATE INDEX blocks_uri ON blocks USING hash (uri) WHERE (uri IS NOT NULL);
CREATE TRIGGER blocks_changed AFTER INSERT OR DELETE OR UPDATE ON blocks FOR EACH ROW EXECUTE FUNCTION blocks_reports();
CREATE TRIGGER blocks_emptied AFTER TRUNCATE ON blocks FOR EACH STATEMENT EXECUTE FUNCTION table_emptied();

create table bookmark_folders (
  id text collate "C" not null,
  account_id text collate "C" not null,
  name text not null,
  emoji text,
  created_at timestamp with time zone default now() not null,
  constraint bookmark_folders_pkey PRIMARY KEY (id),
  constraint bookmark_folders_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id) ON DELETE CASCADE,
  constraint bookmark_folders_account_id_id_key UNIQUE (account_id, id)
);
CREATE UNIQUE INDEX bookmark_folders_name ON bookmark_folders USING btree (account_id, name);

create table bookmarks (
  id bigint generated by default as identity not null,
  account_id text collate "C" not null,
  status_id text collate "C" not null,
  folder_id text collate "C",
  created_at timestamp with time zone default now() not null,
  constraint bookmarks_pkey PRIMARY KEY (id),
  constraint bookmarks_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id) ON DELETE CASCADE,
  constraint bookmarks_account_id_folder_id_fkey FOREIGN KEY (account_id, folder_id) REFERENCES bookmark_folders(account_id, id) ON DELETE SET NULL (folder_id),
  constraint bookmarks_status_id_fkey FOREIGN KEY (status_id) REFERENCES statuses(id) ON DELETE CASCADE
);
CREATE INDEX bookmarks_account ON bookmarks USING btree (account_id, id DESC);
CREATE INDEX bookmarks_folder ON bookmarks USING btree (account_id, folder_id, id DESC) WHERE (folder_id IS NOT NULL);
CREATE UNIQUE INDEX bookmarks_pair ON bookmarks USING btree (account_id, status_id);
CREATE INDEX bookmarks_status ON bookmarks USING btree (status_id);
CREATE TRIGGER bookmarks_changed AFTER INSERT OR DELETE OR UPDATE ON bookmarks FOR EACH ROW EXECUTE FUNCTION bookmarks_reports();
CREATE TRIGGER bookmarks_emptied AFTER TRUNCATE ON bookmarks FOR EACH STATEMENT EXECUTE FUNCTION table_emptied();

create table cards (
  id bigint generated by default as identity not null,
  url text not null,
  preview jsonb,
  fetched_at timestamp with time zone,
  created_at timestamp with time zone default now() not null,
  revision integer default 0 not null,
  author_id text collate "C",
  author_host text,
  author jsonb,
  constraint cards_pkey PRIMARY KEY (id),
  constraint cards_url_key UNIQUE (url)
);
CREATE INDEX cards_author ON cards USING btree (author_id, id) WHERE (author_id IS NOT NULL);

create table chat_entries (
  chat_id text collate "C" not null,
  message_id text collate "C" not null,
  unread boolean not null,
  constraint chat_entries_pkey PRIMARY KEY (chat_id, message_id),
  constraint chat_entries_chat_id_fkey FOREIGN KEY (chat_id) REFERENCES chats(id) ON DELETE CASCADE,
  constraint chat_entries_message_id_fkey FOREIGN KEY (message_id) REFERENCES chat_messages(id) ON DELETE CASCADE
);
CREATE INDEX chat_entries_message ON chat_entries USING btree (message_id);
CREATE INDEX chat_entries_unread ON chat_entries USING btree (chat_id, message_id DESC) WHERE unread;
CREATE TRIGGER chat_entries_deleted AFTER DELETE ON chat_entries REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION chat_entries_reports();
CREATE TRIGGER chat_entries_emptied AFTER TRUNCATE ON chat_entries FOR EACH STATEMENT EXECUTE FUNCTION table_emptied();
CREATE TRIGGER chat_entries_inserted AFTER INSERT ON chat_entries REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION chat_entries_reports();
CREATE TRIGGER chat_entries_updated AFTER UPDATE ON chat_entries REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION chat_entries_reports();

create table chat_messages (
  id text collate "C" not null,
  uri text not null,
  sender_id text collate "C" not null,
  recipient_id text collate "C" not null,
  content text not null,
  emojis jsonb,
  idempotency_key text,
  created_at timestamp with time zone default now() not null,
  constraint chat_messages_pkey PRIMARY KEY (id),
  constraint chat_messages_recipient_id_fkey FOREIGN KEY (recipient_id) REFERENCES accounts(id) ON DELETE CASCADE,
  constraint chat_messages_sender_id_fkey FOREIGN KEY (sender_id) REFERENCES accounts(id) ON DELETE CASCADE
);
CREATE INDEX chat_messages_recipient ON chat_messages USING btree (recipient_id);
CREATE INDEX chat_messages_sender ON chat_messages USING btree (sender_id);
CREATE UNIQUE INDEX chat_messages_uri ON chat_messages USING btree (uri);

create table chats (
  id text collate "C" not null,
  owner_id text collate "C" not null,
  partner_id text collate "C" not null,
  position text collate "C" not null,
  updated_at timestamp with time zone default now() not null,
  constraint chats_pkey PRIMARY KEY (id),
  constraint chats_owner_id_fkey FOREIGN KEY (owner_id) REFERENCES accounts(id) ON DELETE CASCADE,
  constraint chats_partner_id_fkey FOREIGN KEY (partner_id) REFERENCES accounts(id) ON DELETE CASCADE
);
CREATE INDEX chats_page ON chats USING btree (owner_id, "position");
CREATE UNIQUE INDEX chats_pair ON chats USING btree (owner_id, partner_id);
CREATE INDEX chats_partner ON chats USING btree (partner_id);

create table config_items (
  group_name text not null,
  key text not null,
  value jsonb not null,
  updated_at timestamp with time zone default now() not null,
  constraint config_items_pkey PRIMARY KEY (group_name, key)
);

create table conversation_participants (
  id bigint generated by default as identity not null,
  account_id text collate "C" not null,
  conversation_id bigint not null,
  last_status_id text collate "C" not null,
  participants text[] not null,
  recipients text[],
  unread boolean default false not null,
  unread_from text collate "C",
  constraint conversation_participants_pkey PRIMARY KEY (id),
  constraint conversation_participants_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id) ON DELETE CASCADE,
  constraint conversation_participants_conversation_id_fkey FOREIGN KEY (conversation_id) REFERENCES conversations(id) ON DELETE CASCADE
) with (fillfactor=80);
CREATE INDEX conversation_participants_conversation ON conversation_participants USING btree (conversation_id);
CREATE INDEX conversation_participants_cursor ON conversation_participants USING btree (account_id, id);
CREATE INDEX conversation_participants_page ON conversation_participants USING btree (account_id, last_status_id DESC, id DESC);
CREATE UNIQUE INDEX conversation_participants_pair ON conversation_participants USING btree (account_id, conversation_id);
CREATE INDEX conversation_participants_people ON conversation_participants USING gin (((participants || recipients)));
CREATE INDEX conversation_participants_unread ON conversation_participants USING btree (account_id, last_status_id DESC) WHERE unread;
CREATE TRIGGER conversation_participants_changed AFTER INSERT OR DELETE OR UPDATE ON conversation_participants FOR EACH ROW EXECUTE FUNCTION conversation_participants_reports();
CREATE TRIGGER conversation_participants_emptied AFTER TRUNCATE ON conversation_participants FOR EACH STATEMENT EXECUTE FUNCTION table_emptied();

create table conversations (
  id bigint generated by default as identity not null,
  uri text not null,
  created_at timestamp with time zone default now() not null,
  constraint conversations_pkey PRIMARY KEY (id),
  constraint conversations_uri_key UNIQUE (uri)
);

create table custom_emojis (
  shortcode text collate "C" not null,
  pack text collate "C" not null,
  file text collate "C" not null,
  category text,
  tags text[] default '{}'::text[] not null,
  visible_in_picker boolean default true not null,
  disabled boolean default false not null,
  updated_at timestamp with time zone default now() not null,
  constraint custom_emojis_pkey PRIMARY KEY (shortcode)
);
CREATE INDEX custom_emojis_pack ON custom_emojis USING btree (pack);

create table deliveries (
  id bigint generated by default as identity not null,
  host text not null,
  inbox text not null,
  activity_id bigint not null,
  object text not null,
  attempts integer default 0 not null,
  next_at timestamp with time zone default now() not null,
  created_at timestamp with time zone default now() not null,
  request_id text,
  traceparent text,
  constraint deliveries_pkey PRIMARY KEY (id),
  constraint deliveries_activity_id_fkey FOREIGN KEY (activity_id) REFERENCES activities(id) ON DELETE CASCADE
) with (fillfactor=70, autovacuum_vacuum_scale_factor=0, autovacuum_vacuum_threshold=5000, autovacuum_vacuum_cost_delay=0, vacuum_truncate=off);
CREATE UNIQUE INDEX deliveries_activity ON deliveries USING btree (activity_id, inbox);
CREATE INDEX deliveries_due ON deliveries USING btree (host, next_at, id);
CREATE INDEX deliveries_order ON deliveries USING btree (host, object, id);

create table dismissed_suggestions (
  account_id text collate "C" not null,
  target_id text collate "C" not null,
  constraint dismissed_suggestions_pkey PRIMARY KEY (account_id, target_id),
  constraint dismissed_suggestions_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id) ON DELETE CASCADE,
  constraint dismissed_suggestions_target_id_fkey FOREIGN KEY (target_id) REFERENCES suggested_accounts(account_id) ON DELETE CASCADE
);
CREATE INDEX dismissed_suggestions_target ON dismissed_suggestions USING btree (target_id);

create table document_readers (
  uri text collate "C" not null,
  host text collate "C" not null,
  inbox text,
  read_at timestamp with time zone default now() not null,
  constraint document_readers_pkey PRIMARY KEY (uri, host)
);
CREATE INDEX document_readers_read ON document_readers USING btree (read_at);

create table domain_blocks (
  account_id text collate "C" not null,
  domain text not null,
  created_at timestamp with time zone default now() not null,
  id bigint generated by default as identity not null,
  constraint domain_blocks_pkey PRIMARY KEY (account_id, domain),
  constraint domain_blocks_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id) ON DELETE CASCADE
);
CREATE UNIQUE INDEX domain_blocks_account ON domain_blocks USING btree (account_id, id DESC);
CREATE INDEX domain_blocks_domain ON domain_blocks USING btree (domain);
CREATE TRIGGER domain_blocks_changed AFTER INSERT OR DELETE OR UPDATE ON domain_blocks FOR EACH ROW EXECUTE FUNCTION domain_blocks_reports();
CREATE TRIGGER domain_blocks_emptied AFTER TRUNCATE ON domain_blocks FOR EACH STATEMENT EXECUTE FUNCTION table_emptied();

create table email_confirmations (
  token_hash bytea not null,
  account_id text collate "C" not null,
  email text not null,
  created_at timestamp with time zone default now() not null,
  constraint email_confirmations_pkey PRIMARY KEY (token_hash),
  constraint email_confirmations_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id) ON DELETE CASCADE
);
CREATE INDEX email_confirmations_account ON email_confirmations USING btree (account_id, created_at);
CREATE INDEX email_confirmations_age ON email_confirmations USING btree (created_at);

create table endorsements (
  id bigint generated by default as identity not null,
  account_id text collate "C" not null,
  target_id text collate "C" not null,
  created_at timestamp with time zone default now() not null,
  constraint endorsements_pkey PRIMARY KEY (id),
  constraint endorsements_account_id_target_id_fkey FOREIGN KEY (account_id, target_id) REFERENCES follows(follower_id, followee_id) ON DELETE CASCADE
);
CREATE INDEX endorsements_account ON endorsements USING btree (account_id, id DESC);
CREATE UNIQUE INDEX endorsements_pair ON endorsements USING btree (account_id, target_id);
CREATE TRIGGER endorsements_changed AFTER INSERT OR DELETE OR UPDATE ON endorsements FOR EACH ROW EXECUTE FUNCTION endorsements_reports();
CREATE TRIGGER endorsements_emptied AFTER TRUNCATE ON endorsements FOR EACH STATEMENT EXECUTE FUNCTION table_emptied();

create table favourites (
  id bigint generated by default as identity not null,
  account_id text collate "C" not null,
  status_id text collate "C" not null,
  created_at timestamp with time zone default now() not null,
  uri text,
  counted boolean default true not null,
  constraint favourites_pkey PRIMARY KEY (id),
  constraint favourites_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id) ON DELETE CASCADE,
  constraint favourites_status_id_fkey FOREIGN KEY (status_id) REFERENCES statuses(id) ON DELETE CASCADE
);
CREATE INDEX favourites_account ON favourites USING btree (account_id, id DESC);
CREATE UNIQUE INDEX favourites_pair ON favourites USING btree (account_id, status_id);
CREATE INDEX favourites_status ON favourites USING btree (status_id, id);
CREATE INDEX favourites_uri ON favourites USING hash (uri) WHERE (uri IS NOT NULL);
CREATE TRIGGER favourites_changed AFTER INSERT OR DELETE OR UPDATE ON favourites FOR EACH ROW EXECUTE FUNCTION favourites_reports();
CREATE TRIGGER favourites_emptied AFTER TRUNCATE ON favourites FOR EACH STATEMENT EXECUTE FUNCTION table_emptied();

create table filter_keywords (
  id bigint generated by default as identity not null,
  filter_id bigint not null,
  keyword text not null,
  whole_word boolean not null,
  constraint filter_keywords_pkey PRIMARY KEY (id),
  constraint filter_keywords_filter_id_fkey FOREIGN KEY (filter_id) REFERENCES filters(id) ON DELETE CASCADE
);
CREATE INDEX filter_keywords_filter ON filter_keywords USING btree (filter_id, id);

create table filter_statuses (
  id bigint generated by default as identity not null,
  filter_id bigint not null,
  status_id text collate "C" not null,
  constraint filter_statuses_pkey PRIMARY KEY (id),
  constraint filter_statuses_filter_id_fkey FOREIGN KEY (filter_id) REFERENCES filters(id) ON DELETE CASCADE,
  constraint filter_statuses_status_id_fkey FOREIGN KEY (status_id) REFERENCES statuses(id) ON DELETE CASCADE
);
CREATE UNIQUE INDEX filter_statuses_pair ON filter_statuses USING btree (filter_id, status_id);
CREATE INDEX filter_statuses_status ON filter_statuses USING btree (status_id);

create table filters (
  id bigint generated by default as identity not null,
  account_id text collate "C" not null,
  title text not null,
  contexts text[] not null,
  action text not null,
  expires_at timestamp with time zone,
  created_at timestamp with time zone default now() not null,
  constraint filters_pkey PRIMARY KEY (id),
  constraint filters_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id) ON DELETE CASCADE
);
CREATE INDEX filters_account ON filters USING btree (account_id, id);

create table followed_tags (
  id bigint generated by default as identity not null,
  account_id text collate "C" not null,
  hashtag_id bigint not null,
  created_at timestamp with time zone default now() not null,
  constraint followed_tags_pkey PRIMARY KEY (id),
  constraint followed_tags_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id) ON DELETE CASCADE,
  constraint followed_tags_hashtag_id_fkey FOREIGN KEY (hashtag_id) REFERENCES hashtags(id) ON DELETE CASCADE
);
CREATE INDEX followed_tags_followers ON followed_tags USING btree (hashtag_id, id);
CREATE INDEX followed_tags_page ON followed_tags USING btree (account_id, id DESC);
CREATE UNIQUE INDEX followed_tags_pair ON followed_tags USING btree (account_id, hashtag_id);
CREATE TRIGGER followed_tags_changed AFTER INSERT OR DELETE OR UPDATE ON followed_tags FOR EACH ROW EXECUTE FUNCTION followed_tags_reports();
CREATE TRIGGER followed_tags_emptied AFTER TRUNCATE ON followed_tags FOR EACH STATEMENT EXECUTE FUNCTION table_emptied();

create table follows (
  id bigint generated by default as identity not null,
  follower_id text collate "C" not null,
  followee_id text collate "C" not null,
  state smallint default 1 not null,
  reblogs boolean default true not null,
  notify boolean default false not null,
  uri text,
  created_at timestamp with time zone default now() not null,
  languages text[],
  counted boolean default true not null,
  remote_follower boolean not null,
  constraint follows_pkey PRIMARY KEY (id),
  constraint follows_followee_id_fkey FOREIGN KEY (followee_id) REFERENCES accounts(id) ON DELETE CASCADE,
  constraint follows_follower_id_fkey FOREIGN KEY (follower_id) REFERENCES accounts(id) ON DELETE CASCADE
);
CREATE INDEX follows_followee ON follows USING btree (followee_id);
CREATE INDEX follows_followers ON follows USING btree (followee_id, id DESC) WHERE (state = 1);
CREATE INDEX follows_following ON follows USING btree (follower_id, id DESC) WHERE (state = 1);
CREATE INDEX follows_notified ON follows USING btree (followee_id) WHERE (notify AND (state = 1));
CREATE UNIQUE INDEX follows_pair ON follows USING btree (follower_id, followee_id);
CREATE INDEX follows_remote_followers ON follows USING btree (followee_id, follower_id) WHERE ((state = 1) AND remote_follower);
CREATE INDEX follows_requests ON follows USING btree (followee_id, id DESC) WHERE (state = 0);
CREATE INDEX follows_uri ON follows USING btree (uri) WHERE (uri IS NOT NULL);
CREATE INDEX follows_without_reblogs ON follows USING btree (follower_id, followee_id) WHERE (NOT reblogs);
CREATE TRIGGER follows_changed AFTER INSERT OR DELETE OR UPDATE ON follows FOR EACH ROW EXECUTE FUNCTION follows_reports();
CREATE TRIGGER follows_emptied AFTER TRUNCATE ON follows FOR EACH STATEMENT EXECUTE FUNCTION table_emptied();
CREATE TRIGGER follows_remote_follower BEFORE INSERT ON follows FOR EACH ROW WHEN ((new.remote_follower IS NULL)) EXECUTE FUNCTION follows_remote_follower();

create table hashtag_days (
  hashtag_id bigint not null,
  day date not null,
  uses integer not null,
  accounts integer not null,
  constraint hashtag_days_pkey PRIMARY KEY (hashtag_id, day),
  constraint hashtag_days_hashtag_id_fkey FOREIGN KEY (hashtag_id) REFERENCES hashtags(id) ON DELETE CASCADE
);
CREATE INDEX hashtag_days_top ON hashtag_days USING btree (day, accounts DESC);

create table hashtags (
  id bigint generated by default as identity not null,
  name text not null,
  unused_since timestamp with time zone,
  constraint hashtags_pkey PRIMARY KEY (id),
  constraint hashtags_name_key UNIQUE (name)
);
CREATE INDEX hashtags_names ON hashtags USING btree (name COLLATE "C");
CREATE INDEX hashtags_unused ON hashtags USING btree (unused_since) WHERE (unused_since IS NOT NULL);

create table home_feed (
  account_id text collate "C" not null,
  status_id text collate "C" not null,
  author_id text collate "C" not null,
  reblog_of_id text collate "C",
  constraint home_feed_pkey PRIMARY KEY (account_id, status_id)
) with (autovacuum_vacuum_scale_factor=0.02);
CREATE INDEX home_feed_reblogs ON home_feed USING btree (account_id, reblog_of_id, status_id) WHERE (reblog_of_id IS NOT NULL);
CREATE TRIGGER home_feed_deleted AFTER DELETE ON home_feed REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION home_feed_reports();
CREATE TRIGGER home_feed_emptied AFTER TRUNCATE ON home_feed FOR EACH STATEMENT EXECUTE FUNCTION table_emptied();
CREATE TRIGGER home_feed_inserted AFTER INSERT ON home_feed REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION home_feed_reports();
CREATE TRIGGER home_feed_updated AFTER UPDATE ON home_feed REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION home_feed_reports();

create table hosts (
  host text not null,
  state text default 'ok'::text not null,
  unreachable_since timestamp with time zone,
  probe_at timestamp with time zone,
  reached_at timestamp with time zone,
  signature text,
  gone_inboxes text[] default '{}'::text[] not null,
  last_error text,
  constraint hosts_pkey PRIMARY KEY (host)
) with (fillfactor=70, autovacuum_vacuum_scale_factor=0, autovacuum_vacuum_threshold=5000, autovacuum_vacuum_cost_delay=0);

create table idempotency_keys (
  account_id text collate "C" not null,
  key text not null,
  route text not null,
  ref text,
  created_at timestamp with time zone default now() not null,
  constraint idempotency_keys_pkey PRIMARY KEY (account_id, key, route)
);
CREATE INDEX idempotency_keys_created ON idempotency_keys USING btree (created_at);

create table import_entries (
  id bigint generated by default as identity not null,
  account_id text collate "C" not null,
  action text not null,
  address text not null,
  reblogs boolean,
  notify boolean,
  notifications boolean,
  attempts smallint default 0 not null,
  next_at timestamp with time zone default now() not null,
  languages text[],
  constraint import_entries_pkey PRIMARY KEY (id),
  constraint import_entries_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id) ON DELETE CASCADE,
  constraint import_entries_action_check CHECK ((action = ANY (ARRAY['follow'::text, 'block'::text, 'mute'::text])))
);
CREATE INDEX import_entries_account ON import_entries USING btree (account_id, id);
CREATE INDEX import_entries_due ON import_entries USING btree (next_at);
CREATE UNIQUE INDEX import_entries_once ON import_entries USING btree (account_id, action, lower(address));

create table inbox_asking (
  actor_id text collate "C" not null,
  about integer not null,
  activity_id bigint not null,
  constraint inbox_asking_pkey PRIMARY KEY (actor_id, about, activity_id),
  constraint inbox_asking_activity_id_fkey FOREIGN KEY (activity_id) REFERENCES inbox_queue(id) ON DELETE CASCADE
) with (autovacuum_vacuum_scale_factor=0.05, vacuum_truncate=off);
CREATE INDEX inbox_asking_activity ON inbox_asking USING btree (activity_id);

create table inbox_queue (
  id bigint generated by default as identity not null,
  host text not null,
  actor_id text collate "C" not null,
  inbox_of text collate "C",
  body text not null,
  received_at timestamp with time zone default now() not null,
  run_at timestamp with time zone default now() not null,
  attempts integer default 0 not null,
  last_error text,
  asks boolean default false not null,
  request_id text,
  traceparent text,
  constraint inbox_queue_pkey PRIMARY KEY (id)
) with (autovacuum_vacuum_scale_factor=0.05, vacuum_truncate=off);
CREATE INDEX inbox_queue_asking ON inbox_queue USING btree (host, run_at, id) WHERE asks;
CREATE INDEX inbox_queue_ready ON inbox_queue USING btree (host, run_at, id) WHERE (NOT asks);

create table instance_texts (
  name text not null,
  html text not null,
  updated_at timestamp with time zone default now() not null,
  constraint instance_texts_pkey PRIMARY KEY (name)
);

create table instance_totals (
  id boolean default true not null,
  users integer default 0 not null,
  statuses integer default 0 not null,
  domains integer default 0 not null,
  active_month integer default 0 not null,
  active_halfyear integer default 0 not null,
  refreshed_at timestamp with time zone default now() not null,
  constraint instance_totals_pkey PRIMARY KEY (id),
  constraint instance_totals_id_check CHECK (id)
);

create table instance_weeks (
  week date not null,
  statuses integer default 0 not null,
  logins integer default 0 not null,
  registrations integer default 0 not null,
  constraint instance_weeks_pkey PRIMARY KEY (week)
);

create table invites (
  id integer generated always as identity not null,
  token_hash bytea not null,
  token_sealed bytea not null,
  max_use integer,
  expires_at date,
  uses integer default 0 not null,
  ended_at timestamp with time zone,
  created_at timestamp with time zone default now() not null,
  constraint invites_pkey PRIMARY KEY (id),
  constraint invites_max_use_check CHECK ((max_use > 0)),
  constraint invites_token_hash_key UNIQUE (token_hash)
);

create table jobs (
  id bigint generated by default as identity not null,
  name text not null,
  queue text not null,
  payload jsonb default '{}'::jsonb not null,
  key text,
  run_at timestamp with time zone default now() not null,
  attempts integer default 0 not null,
  again boolean default false not null,
  parked_at timestamp with time zone,
  last_error text,
  request_id text,
  traceparent text,
  constraint jobs_pkey PRIMARY KEY (id)
) with (fillfactor=70, autovacuum_vacuum_scale_factor=0, autovacuum_vacuum_threshold=5000, autovacuum_vacuum_cost_delay=0, vacuum_truncate=off);
CREATE INDEX jobs_due ON jobs USING btree (queue, run_at, id) WHERE (parked_at IS NULL);
CREATE UNIQUE INDEX jobs_key ON jobs USING btree (key) WHERE ((key IS NOT NULL) AND (parked_at IS NULL));
CREATE INDEX jobs_parked ON jobs USING btree (parked_at) WHERE (parked_at IS NOT NULL);

create table keys (
  account_id text collate "C" not null,
  public_pem text not null,
  private_sealed bytea not null,
  created_at timestamp with time zone default now() not null,
  constraint keys_pkey PRIMARY KEY (account_id),
  constraint keys_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id) ON DELETE CASCADE
);
CREATE TRIGGER keys_changed AFTER INSERT OR DELETE OR UPDATE ON keys FOR EACH ROW EXECUTE FUNCTION keys_reports();
CREATE TRIGGER keys_emptied AFTER TRUNCATE ON keys FOR EACH STATEMENT EXECUTE FUNCTION table_emptied();

create table known_networks (
  account_id text collate "C" not null,
  network_hash bytea not null,
  last_used_at timestamp with time zone default now() not null,
  constraint known_networks_pkey PRIMARY KEY (account_id, network_hash),
  constraint known_networks_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id) ON DELETE CASCADE
);
CREATE INDEX known_networks_last_used ON known_networks USING btree (last_used_at);

create table list_members (
  id bigint generated by default as identity not null,
  list_id bigint not null,
  account_id text collate "C" not null,
  follow_id bigint,
  constraint list_members_pkey PRIMARY KEY (id),
  constraint list_members_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id) ON DELETE CASCADE,
  constraint list_members_follow_id_fkey FOREIGN KEY (follow_id) REFERENCES follows(id) ON DELETE CASCADE,
  constraint list_members_list_id_fkey FOREIGN KEY (list_id) REFERENCES lists(id) ON DELETE CASCADE
);
CREATE INDEX list_members_account ON list_members USING btree (account_id);
CREATE INDEX list_members_follow ON list_members USING btree (follow_id);
CREATE INDEX list_members_page ON list_members USING btree (list_id, id DESC);
CREATE UNIQUE INDEX list_members_pair ON list_members USING btree (list_id, account_id);
CREATE TRIGGER list_members_changed AFTER INSERT OR DELETE OR UPDATE ON list_members FOR EACH ROW EXECUTE FUNCTION list_members_reports();
CREATE TRIGGER list_members_emptied AFTER TRUNCATE ON list_members FOR EACH STATEMENT EXECUTE FUNCTION table_emptied();

create table lists (
  id bigint generated by default as identity not null,
  account_id text collate "C" not null,
  title text not null,
  replies_policy text default 'list'::text not null,
  exclusive boolean default false not null,
  created_at timestamp with time zone default now() not null,
  constraint lists_pkey PRIMARY KEY (id),
  constraint lists_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id) ON DELETE CASCADE,
  constraint lists_replies_policy_check CHECK ((replies_policy = ANY (ARRAY['followed'::text, 'list'::text, 'none'::text])))
);
CREATE INDEX lists_account ON lists USING btree (account_id, id);
CREATE INDEX lists_exclusive ON lists USING btree (account_id) WHERE exclusive;
CREATE TRIGGER lists_changed AFTER DELETE OR UPDATE ON lists FOR EACH ROW EXECUTE FUNCTION lists_reports();
CREATE TRIGGER lists_emptied AFTER TRUNCATE ON lists FOR EACH STATEMENT EXECUTE FUNCTION table_emptied();

create table markers (
  account_id text collate "C" not null,
  timeline text not null,
  last_read_id text not null,
  version integer default 1 not null,
  updated_at timestamp with time zone default now() not null,
  constraint markers_pkey PRIMARY KEY (account_id, timeline),
  constraint markers_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id) ON DELETE CASCADE
);

create table mascots (
  account_id text collate "C" not null,
  attachment_id bigint not null,
  constraint mascots_pkey PRIMARY KEY (account_id),
  constraint mascots_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id) ON DELETE CASCADE,
  constraint mascots_attachment_id_fkey FOREIGN KEY (attachment_id) REFERENCES attachments(id) ON DELETE CASCADE,
  constraint mascots_attachment_id_key UNIQUE (attachment_id)
);

create table mentions (
  status_id text collate "C" not null,
  account_id text collate "C" not null,
  position smallint default 0 not null,
  silent boolean default false not null,
  constraint mentions_pkey PRIMARY KEY (status_id, account_id),
  constraint mentions_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id) ON DELETE CASCADE,
  constraint mentions_status_id_fkey FOREIGN KEY (status_id) REFERENCES statuses(id) ON DELETE CASCADE
);
CREATE INDEX mentions_account ON mentions USING btree (account_id, status_id DESC);

create table mfa_challenges (
  token_hash bytea not null,
  account_id text collate "C" not null,
  purpose text not null,
  data jsonb not null,
  tries smallint default 0 not null,
  expires_at timestamp with time zone not null,
  constraint mfa_challenges_pkey PRIMARY KEY (token_hash),
  constraint mfa_challenges_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id) ON DELETE CASCADE
);
CREATE INDEX mfa_challenges_account ON mfa_challenges USING btree (account_id);
CREATE INDEX mfa_challenges_expires ON mfa_challenges USING btree (expires_at);

create table migrations (
  id integer default nextval('migrations_id_seq'::regclass) not null,
  timestamp bigint not null,
  name character varying not null,
  constraint "PK_8c82d7f526340ab734260ea46be" PRIMARY KEY (id)
);

create table moderation_log (
  id bigint generated by default as identity not null,
  actor_id text collate "C",
  action text not null,
  data jsonb not null,
  message text not null,
  created_at timestamp with time zone default now() not null,
  constraint moderation_log_pkey PRIMARY KEY (id)
);
CREATE INDEX moderation_log_actor ON moderation_log USING btree (actor_id, id DESC);
CREATE INDEX moderation_log_time ON moderation_log USING btree (created_at);
CREATE INDEX moderation_log_words ON moderation_log USING gin (message gin_trgm_ops);

create table mutes (
  id bigint generated by default as identity not null,
  account_id text collate "C" not null,
  target_id text collate "C" not null,
  notifications boolean default true not null,
  expires_at timestamp with time zone,
  created_at timestamp with time zone default now() not null,
  constraint mutes_pkey PRIMARY KEY (id),
  constraint mutes_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id) ON DELETE CASCADE,
  constraint mutes_target_id_fkey FOREIGN KEY (target_id) REFERENCES accounts(id) ON DELETE CASCADE
);
CREATE INDEX mutes_account ON mutes USING btree (account_id, id DESC);
CREATE INDEX mutes_expiry ON mutes USING btree (expires_at) WHERE (expires_at IS NOT NULL);
CREATE UNIQUE INDEX mutes_pair ON mutes USING btree (account_id, target_id);
CREATE INDEX mutes_target ON mutes USING btree (target_id);
CREATE TRIGGER mutes_changed AFTER INSERT OR DELETE OR UPDATE ON mutes FOR EACH ROW EXECUTE FUNCTION mutes_reports();
CREATE TRIGGER mutes_emptied AFTER TRUNCATE ON mutes FOR EACH STATEMENT EXECUTE FUNCTION table_emptied();

create table notification_requests (
  id bigint generated by default as identity not null,
  receiver_id text collate "C" not null,
  from_id text collate "C" not null,
  accepted boolean default false not null,
  created_at timestamp with time zone default now() not null,
  updated_at timestamp with time zone default now() not null,
  constraint notification_requests_pkey PRIMARY KEY (id),
  constraint notification_requests_from_id_fkey FOREIGN KEY (from_id) REFERENCES accounts(id) ON DELETE CASCADE,
  constraint notification_requests_receiver_id_fkey FOREIGN KEY (receiver_id) REFERENCES accounts(id) ON DELETE CASCADE
);
CREATE INDEX notification_requests_from ON notification_requests USING btree (from_id);
CREATE INDEX notification_requests_page ON notification_requests USING btree (receiver_id, id DESC) WHERE (NOT accepted);
CREATE UNIQUE INDEX notification_requests_pair ON notification_requests USING btree (receiver_id, from_id);

create table notifications (
  id bigint generated by default as identity not null,
  receiver_id text collate "C" not null,
  type text not null,
  from_id text collate "C" not null,
  status_id text collate "C",
  seen boolean default false not null,
  created_at timestamp with time zone default now() not null,
  emoji text,
  report_id text collate "C",
  target_id text collate "C",
  status_version integer,
  chat_message_id text collate "C",
  group_key text collate "C" generated always as (
CASE
    WHEN (type = ANY (ARRAY['favourite'::text, 'reblog'::text, 'follow'::text])) THEN ((((type || '-'::text) || COALESCE((status_id || '-'::text), ''::text)) || (floor((EXTRACT(epoch FROM (created_at - '1970-01-01 00:00:00+00'::timestamp with time zone)) / (43200)::numeric)))::bigint) COLLATE "C")
    ELSE NULL::text
END) stored,
  filtered boolean default false not null,
  constraint notifications_pkey PRIMARY KEY (id),
  constraint notifications_chat_message_id_fkey FOREIGN KEY (chat_message_id) REFERENCES chat_messages(id) ON DELETE CASCADE,
  constraint notifications_from_id_fkey FOREIGN KEY (from_id) REFERENCES accounts(id) ON DELETE CASCADE,
  constraint notifications_receiver_id_fkey FOREIGN KEY (receiver_id) REFERENCES accounts(id) ON DELETE CASCADE,
  constraint notifications_report_id_fkey FOREIGN KEY (report_id) REFERENCES reports(id) ON DELETE CASCADE,
  constraint notifications_status_id_fkey FOREIGN KEY (status_id) REFERENCES statuses(id) ON DELETE CASCADE,
  constraint notifications_target_id_fkey FOREIGN KEY (target_id) REFERENCES accounts(id) ON DELETE CASCADE
) with (autovacuum_vacuum_scale_factor=0.05);
CREATE INDEX notifications_from ON notifications USING btree (from_id, receiver_id, id DESC);
CREATE INDEX notifications_group ON notifications USING btree (receiver_id, group_key, id DESC) WHERE (group_key IS NOT NULL);
CREATE UNIQUE INDEX notifications_of_chat_message ON notifications USING btree (chat_message_id) WHERE (chat_message_id IS NOT NULL);
CREATE UNIQUE INDEX notifications_of_follow ON notifications USING btree (receiver_id, from_id) WHERE (type = ANY (ARRAY['follow'::text, 'follow_request'::text]));
CREATE UNIQUE INDEX notifications_of_move ON notifications USING btree (target_id, from_id, receiver_id) WHERE (target_id IS NOT NULL);
CREATE UNIQUE INDEX notifications_of_report ON notifications USING btree (report_id, receiver_id) WHERE (report_id IS NOT NULL);
CREATE UNIQUE INDEX notifications_of_status ON notifications USING btree (status_id, from_id, type, receiver_id, COALESCE(emoji, ''::text)) WHERE (status_id IS NOT NULL);
CREATE INDEX notifications_page ON notifications USING btree (receiver_id, id DESC);
CREATE INDEX notifications_unseen ON notifications USING btree (receiver_id, id DESC) WHERE (NOT seen);
CREATE TRIGGER notifications_deleted AFTER DELETE ON notifications REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION notifications_reports();
CREATE TRIGGER notifications_emptied AFTER TRUNCATE ON notifications FOR EACH STATEMENT EXECUTE FUNCTION table_emptied();
CREATE TRIGGER notifications_inserted AFTER INSERT ON notifications REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION notifications_reports();
CREATE TRIGGER notifications_updated AFTER UPDATE ON notifications REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION notifications_reports();

create table oauth_apps (
  id bigint generated by default as identity not null,
  name text not null,
  website text,
  redirect_uris text[] not null,
  scopes text[] not null,
  client_id text not null,
  client_secret text not null,
  trusted boolean default false not null,
  created_at timestamp with time zone default now() not null,
  signed_in boolean default false not null,
  used_at timestamp with time zone default now() not null,
  constraint oauth_apps_pkey PRIMARY KEY (id),
  constraint oauth_apps_client_id_key UNIQUE (client_id)
);
CREATE INDEX oauth_apps_unused ON oauth_apps USING btree (used_at) WHERE ((NOT signed_in) AND (NOT trusted));
CREATE TRIGGER oauth_apps_changed AFTER DELETE OR UPDATE OF name, website ON oauth_apps FOR EACH ROW EXECUTE FUNCTION id_reports('app');
CREATE TRIGGER oauth_apps_emptied AFTER TRUNCATE ON oauth_apps FOR EACH STATEMENT EXECUTE FUNCTION table_emptied();

create table oauth_codes (
  code_hash bytea not null,
  app_id bigint not null,
  account_id text collate "C" not null,
  redirect_uri text not null,
  scopes text[] not null,
  challenge text,
  token_id bigint,
  created_at timestamp with time zone default now() not null,
  spent_at timestamp with time zone,
  constraint oauth_codes_pkey PRIMARY KEY (code_hash),
  constraint oauth_codes_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id) ON DELETE CASCADE,
  constraint oauth_codes_app_id_fkey FOREIGN KEY (app_id) REFERENCES oauth_apps(id) ON DELETE CASCADE
);
CREATE INDEX oauth_codes_account ON oauth_codes USING btree (account_id);
CREATE INDEX oauth_codes_age ON oauth_codes USING btree (created_at);
CREATE INDEX oauth_codes_app ON oauth_codes USING btree (app_id);

create table oauth_spent_refresh_tokens (
  refresh_hash bytea not null,
  token_id bigint not null,
  spent_at timestamp with time zone default now() not null,
  constraint oauth_spent_refresh_tokens_pkey PRIMARY KEY (refresh_hash),
  constraint oauth_spent_refresh_tokens_token_id_fkey FOREIGN KEY (token_id) REFERENCES oauth_tokens(id) ON DELETE CASCADE
);
CREATE INDEX oauth_spent_refresh_tokens_spent ON oauth_spent_refresh_tokens USING btree (spent_at);
CREATE INDEX oauth_spent_refresh_tokens_token ON oauth_spent_refresh_tokens USING btree (token_id);

create table oauth_tokens (
  id bigint generated by default as identity not null,
  app_id bigint not null,
  account_id text collate "C",
  token_hash bytea not null,
  refresh_hash bytea,
  scopes text[] not null,
  created_at timestamp with time zone default now() not null,
  expires_at timestamp with time zone not null,
  constraint oauth_tokens_pkey PRIMARY KEY (id),
  constraint oauth_tokens_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id) ON DELETE CASCADE,
  constraint oauth_tokens_app_id_fkey FOREIGN KEY (app_id) REFERENCES oauth_apps(id) ON DELETE CASCADE,
  constraint oauth_tokens_refresh_hash_key UNIQUE (refresh_hash),
  constraint oauth_tokens_token_hash_key UNIQUE (token_hash)
);
CREATE INDEX oauth_tokens_account ON oauth_tokens USING btree (account_id, id DESC) WHERE (account_id IS NOT NULL);
CREATE INDEX oauth_tokens_app ON oauth_tokens USING btree (app_id);
CREATE INDEX oauth_tokens_expiry ON oauth_tokens USING btree (expires_at);
CREATE INDEX oauth_tokens_of_apps ON oauth_tokens USING btree (app_id) WHERE (account_id IS NULL);
CREATE TRIGGER oauth_tokens_changed AFTER DELETE OR UPDATE OR TRUNCATE ON oauth_tokens FOR EACH STATEMENT EXECUTE FUNCTION sign_ins_changed();

create table password_resets (
  token_hash bytea not null,
  account_id text collate "C" not null,
  created_at timestamp with time zone default now() not null,
  is_counted boolean default true not null,
  constraint password_resets_pkey PRIMARY KEY (token_hash),
  constraint password_resets_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id) ON DELETE CASCADE
);
CREATE INDEX password_resets_account ON password_resets USING btree (account_id);
CREATE INDEX password_resets_age ON password_resets USING btree (created_at);

create table pins (
  status_id text collate "C" not null,
  account_id text collate "C" not null,
  created_at timestamp with time zone default now() not null,
  constraint pins_pkey PRIMARY KEY (status_id),
  constraint pins_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id) ON DELETE CASCADE,
  constraint pins_status_id_fkey FOREIGN KEY (status_id) REFERENCES statuses(id) ON DELETE CASCADE
);
CREATE INDEX pins_account ON pins USING btree (account_id, created_at DESC);
CREATE TRIGGER pins_changed AFTER INSERT OR DELETE OR UPDATE ON pins FOR EACH ROW EXECUTE FUNCTION pins_reports();
CREATE TRIGGER pins_emptied AFTER TRUNCATE ON pins FOR EACH STATEMENT EXECUTE FUNCTION table_emptied();

create table poll_options (
  poll_id bigint not null,
  position smallint not null,
  title text not null,
  votes_count integer default 0 not null,
  constraint poll_options_pkey PRIMARY KEY (poll_id, "position"),
  constraint poll_options_poll_id_fkey FOREIGN KEY (poll_id) REFERENCES polls(id) ON DELETE CASCADE
) with (fillfactor=70);
CREATE TRIGGER poll_options_changed AFTER INSERT OR DELETE OR UPDATE ON poll_options FOR EACH ROW EXECUTE FUNCTION poll_options_reports();
CREATE TRIGGER poll_options_emptied AFTER TRUNCATE ON poll_options FOR EACH STATEMENT EXECUTE FUNCTION table_emptied();

create table poll_votes (
  poll_id bigint not null,
  account_id text collate "C" not null,
  choices smallint[] not null,
  created_at timestamp with time zone default now() not null,
  constraint poll_votes_pkey PRIMARY KEY (poll_id, account_id),
  constraint poll_votes_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id) ON DELETE CASCADE,
  constraint poll_votes_poll_id_fkey FOREIGN KEY (poll_id) REFERENCES polls(id) ON DELETE CASCADE
);
CREATE INDEX poll_votes_account ON poll_votes USING btree (account_id);
CREATE TRIGGER poll_votes_changed AFTER INSERT OR DELETE OR UPDATE ON poll_votes FOR EACH ROW EXECUTE FUNCTION poll_votes_reports();
CREATE TRIGGER poll_votes_emptied AFTER TRUNCATE ON poll_votes FOR EACH STATEMENT EXECUTE FUNCTION table_emptied();

create table polls (
  id bigint generated by default as identity not null,
  status_id text collate "C" not null,
  expires_at timestamp with time zone,
  multiple boolean default false not null,
  hide_totals boolean default false not null,
  non_anonymous boolean default false not null,
  voters_count integer default 0 not null,
  closed boolean default false not null,
  counted boolean default false not null,
  fetched_at timestamp with time zone default now() not null,
  counts_as_of timestamp with time zone,
  constraint polls_pkey PRIMARY KEY (id),
  constraint polls_status_id_fkey FOREIGN KEY (status_id) REFERENCES statuses(id) ON DELETE CASCADE,
  constraint polls_status_id_key UNIQUE (status_id)
) with (fillfactor=70);
CREATE INDEX polls_uncounted ON polls USING btree (id) WHERE (NOT counted);
CREATE TRIGGER polls_changed AFTER INSERT OR DELETE OR UPDATE ON polls FOR EACH ROW EXECUTE FUNCTION polls_reports();
CREATE TRIGGER polls_emptied AFTER TRUNCATE ON polls FOR EACH STATEMENT EXECUTE FUNCTION table_emptied();

create table push_subscriptions (
  id bigint generated by default as identity not null,
  token_id bigint not null,
  account_id text collate "C" not null,
  endpoint text not null,
  p256dh text not null,
  auth text not null,
  standard boolean,
  alerts text[] not null,
  policy text not null,
  token_sealed bytea not null,
  created_at timestamp with time zone default now() not null,
  constraint push_subscriptions_pkey PRIMARY KEY (id),
  constraint push_subscriptions_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id) ON DELETE CASCADE,
  constraint push_subscriptions_token_id_fkey FOREIGN KEY (token_id) REFERENCES oauth_tokens(id) ON DELETE CASCADE
);
CREATE INDEX push_subscriptions_account ON push_subscriptions USING btree (account_id, id DESC);
CREATE UNIQUE INDEX push_subscriptions_token ON push_subscriptions USING btree (token_id);

create table reactions (
  id bigint generated by default as identity not null,
  status_id text collate "C" not null,
  account_id text collate "C" not null,
  name text not null,
  created_at timestamp with time zone default now() not null,
  url text,
  uri text,
  constraint reactions_pkey PRIMARY KEY (id),
  constraint reactions_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id) ON DELETE CASCADE,
  constraint reactions_status_id_fkey FOREIGN KEY (status_id) REFERENCES statuses(id) ON DELETE CASCADE
);
CREATE INDEX reactions_account ON reactions USING btree (account_id);
CREATE UNIQUE INDEX reactions_one ON reactions USING btree (status_id, account_id, name);
CREATE INDEX reactions_uri ON reactions USING hash (uri) WHERE (uri IS NOT NULL);
CREATE TRIGGER reactions_changed AFTER INSERT OR DELETE OR UPDATE ON reactions FOR EACH ROW EXECUTE FUNCTION reactions_reports();
CREATE TRIGGER reactions_emptied AFTER TRUNCATE ON reactions FOR EACH STATEMENT EXECUTE FUNCTION table_emptied();

create table recovery_codes (
  account_id text collate "C" not null,
  code_hash bytea not null,
  constraint recovery_codes_pkey PRIMARY KEY (account_id, code_hash),
  constraint recovery_codes_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id) ON DELETE CASCADE
);

create table relay_followers (
  account_id text collate "C" not null,
  created_at timestamp with time zone default now() not null,
  constraint relay_followers_pkey PRIMARY KEY (account_id),
  constraint relay_followers_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id) ON DELETE CASCADE
);

create table relays (
  id integer generated always as identity not null,
  address text not null,
  style text not null,
  state text default 'pending'::text not null,
  inbox text not null,
  follow_uri text not null,
  account_id text collate "C",
  created_at timestamp with time zone default now() not null,
  constraint relays_pkey PRIMARY KEY (id),
  constraint relays_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id) ON DELETE SET NULL,
  constraint relays_address_key UNIQUE (address),
  constraint relays_follow_uri_key UNIQUE (follow_uri),
  constraint relays_state_check CHECK ((state = ANY (ARRAY['pending'::text, 'accepted'::text, 'rejected'::text]))),
  constraint relays_style_check CHECK ((style = ANY (ARRAY['litepub'::text, 'mastodon'::text])))
);
CREATE INDEX relays_account ON relays USING btree (account_id);

create table remote_instances (
  domain text not null,
  favicon_url text,
  answered_at timestamp with time zone default now() not null,
  due_at timestamp with time zone default now() not null,
  constraint remote_instances_pkey PRIMARY KEY (domain)
);
CREATE INDEX remote_instances_due ON remote_instances USING btree (due_at);

create table remote_keys (
  key_id text collate "C" not null,
  owner_uri text collate "C" not null,
  public_pem text not null,
  fetched_at timestamp with time zone default now() not null,
  inbox text,
  constraint remote_keys_pkey PRIMARY KEY (key_id)
);
CREATE INDEX remote_keys_fetched ON remote_keys USING btree (fetched_at);
CREATE INDEX remote_keys_owner ON remote_keys USING btree (owner_uri);

create table report_files (
  id bigint generated by default as identity not null,
  report_id text collate "C" not null,
  file text not null,
  constraint report_files_pkey PRIMARY KEY (id)
);
CREATE INDEX report_files_file ON report_files USING hash (file);

create table report_notes (
  id bigint generated by default as identity not null,
  report_id text collate "C" not null,
  author_id text collate "C",
  content text not null,
  created_at timestamp with time zone default now() not null,
  constraint report_notes_pkey PRIMARY KEY (id),
  constraint report_notes_author_id_fkey FOREIGN KEY (author_id) REFERENCES accounts(id) ON DELETE SET NULL,
  constraint report_notes_report_id_fkey FOREIGN KEY (report_id) REFERENCES reports(id) ON DELETE CASCADE
);
CREATE INDEX report_notes_author ON report_notes USING btree (author_id) WHERE (author_id IS NOT NULL);
CREATE INDEX report_notes_report ON report_notes USING btree (report_id, id);

create table report_rules (
  report_id text collate "C" not null,
  rule_id bigint not null,
  constraint report_rules_pkey PRIMARY KEY (report_id, rule_id),
  constraint report_rules_report_id_fkey FOREIGN KEY (report_id) REFERENCES reports(id) ON DELETE CASCADE
);

create table report_statuses (
  report_id text collate "C" not null,
  status_id text collate "C" not null,
  copy jsonb,
  expires_at timestamp with time zone,
  constraint report_statuses_pkey PRIMARY KEY (report_id, status_id),
  constraint report_statuses_report_id_fkey FOREIGN KEY (report_id) REFERENCES reports(id) ON DELETE CASCADE
);
CREATE INDEX report_statuses_expiry ON report_statuses USING btree (expires_at) WHERE (expires_at IS NOT NULL);
CREATE INDEX report_statuses_status ON report_statuses USING btree (status_id);

create table reports (
  id text collate "C" not null,
  account_id text collate "C" not null,
  actor_id text collate "C",
  comment text not null,
  category text not null,
  forward boolean not null,
  state text default 'open'::text not null,
  assigned_id text collate "C",
  created_at timestamp with time zone default now() not null,
  constraint reports_pkey PRIMARY KEY (id),
  constraint reports_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id) ON DELETE CASCADE,
  constraint reports_actor_id_fkey FOREIGN KEY (actor_id) REFERENCES accounts(id) ON DELETE SET NULL,
  constraint reports_assigned_id_fkey FOREIGN KEY (assigned_id) REFERENCES accounts(id) ON DELETE SET NULL
);
CREATE INDEX reports_account ON reports USING btree (account_id, id DESC);
CREATE INDEX reports_actor ON reports USING btree (actor_id, id DESC) WHERE (actor_id IS NOT NULL);
CREATE INDEX reports_assigned ON reports USING btree (assigned_id, id DESC) WHERE (assigned_id IS NOT NULL);
CREATE INDEX reports_state ON reports USING btree (state, id DESC);

create table rules (
  id bigint generated by default as identity not null,
  priority integer default 0 not null,
  text text not null,
  hint text default ''::text not null,
  created_at timestamp with time zone default now() not null,
  constraint rules_pkey PRIMARY KEY (id)
);

create table scheduled_statuses (
  id bigint generated by default as identity not null,
  account_id text collate "C" not null,
  app_id bigint,
  scheduled_at timestamp with time zone not null,
  options jsonb not null,
  created_at timestamp with time zone default now() not null,
  constraint scheduled_statuses_pkey PRIMARY KEY (id),
  constraint scheduled_statuses_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id) ON DELETE CASCADE,
  constraint scheduled_statuses_app_id_fkey FOREIGN KEY (app_id) REFERENCES oauth_apps(id) ON DELETE SET NULL
);
CREATE INDEX scheduled_statuses_account ON scheduled_statuses USING btree (account_id, id DESC);
CREATE INDEX scheduled_statuses_app ON scheduled_statuses USING btree (app_id) WHERE (app_id IS NOT NULL);

create table scrobbles (
  id bigint generated by default as identity not null,
  account_id text collate "C" not null,
  title text not null,
  artist text default ''::text not null,
  album text default ''::text not null,
  length integer default 0 not null,
  external_link text default ''::text not null,
  visibility text default 'public'::text not null,
  created_at timestamp with time zone default now() not null,
  uri text,
  constraint scrobbles_pkey PRIMARY KEY (id),
  constraint scrobbles_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id) ON DELETE CASCADE
);
CREATE INDEX scrobbles_account ON scrobbles USING btree (account_id, id);
CREATE UNIQUE INDEX scrobbles_uri ON scrobbles USING btree (account_id, uri) WHERE (uri IS NOT NULL);

create table second_factors (
  account_id text collate "C" not null,
  totp_sealed bytea not null,
  confirmed_at timestamp with time zone,
  last_step bigint default 0 not null,
  created_at timestamp with time zone default now() not null,
  constraint second_factors_pkey PRIMARY KEY (account_id),
  constraint second_factors_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id) ON DELETE CASCADE
);

create table seen_activities (
  digest bytea not null,
  received_at timestamp with time zone default now() not null,
  constraint seen_activities_pkey PRIMARY KEY (digest)
);
CREATE INDEX seen_activities_received ON seen_activities USING btree (received_at);

create table server_keys (
  name text not null,
  public_key text not null,
  private_sealed bytea not null,
  created_at timestamp with time zone default now() not null,
  constraint server_keys_pkey PRIMARY KEY (name)
);

create table shouts (
  id bigint generated always as identity not null,
  account_id text collate "C" not null,
  text text not null,
  created_at timestamp with time zone default now() not null,
  constraint shouts_pkey PRIMARY KEY (id),
  constraint shouts_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id) ON DELETE CASCADE
);
CREATE INDEX shouts_account ON shouts USING btree (account_id);

create table status_cards (
  status_id text collate "C" not null,
  card_id bigint not null,
  revision integer default 0 not null,
  constraint status_cards_pkey PRIMARY KEY (status_id),
  constraint status_cards_card_id_fkey FOREIGN KEY (card_id) REFERENCES cards(id) ON DELETE CASCADE,
  constraint status_cards_status_id_fkey FOREIGN KEY (status_id) REFERENCES statuses(id) ON DELETE CASCADE
);
CREATE INDEX status_cards_card ON status_cards USING btree (card_id, status_id);

create table status_edits (
  id bigint generated by default as identity not null,
  status_id text collate "C" not null,
  content_html text not null,
  spoiler text not null,
  sensitive boolean not null,
  emojis jsonb default '[]'::jsonb not null,
  attachment_ids bigint[] default '{}'::bigint[] not null,
  poll_options text[],
  created_at timestamp with time zone not null,
  attachment_descriptions text[],
  constraint status_edits_pkey PRIMARY KEY (id),
  constraint status_edits_status_id_fkey FOREIGN KEY (status_id) REFERENCES statuses(id) ON DELETE CASCADE
);
CREATE INDEX status_edits_status ON status_edits USING btree (status_id, id DESC);

create table status_hashtags (
  status_id text collate "C" not null,
  hashtag_id bigint not null,
  constraint status_hashtags_pkey PRIMARY KEY (status_id, hashtag_id),
  constraint status_hashtags_hashtag_id_fkey FOREIGN KEY (hashtag_id) REFERENCES hashtags(id) ON DELETE CASCADE,
  constraint status_hashtags_status_id_fkey FOREIGN KEY (status_id) REFERENCES statuses(id) ON DELETE CASCADE
);
CREATE INDEX status_hashtags_tag ON status_hashtags USING btree (hashtag_id, status_id DESC);

create table status_stats (
  status_id text collate "C" not null,
  replies integer default 0 not null,
  reblogs integer default 0 not null,
  favourites integer default 0 not null,
  quotes integer default 0 not null,
  reactions integer default 0 not null,
  remote_favourites integer,
  remote_reblogs integer,
  constraint status_stats_pkey PRIMARY KEY (status_id),
  constraint status_stats_status_id_fkey FOREIGN KEY (status_id) REFERENCES statuses(id) ON DELETE CASCADE
) with (fillfactor=70);
CREATE TRIGGER status_stats_changed AFTER DELETE OR UPDATE ON status_stats FOR EACH ROW EXECUTE FUNCTION status_stats_reports();
CREATE TRIGGER status_stats_emptied AFTER TRUNCATE ON status_stats FOR EACH STATEMENT EXECUTE FUNCTION table_emptied();

create table status_totals (
  domain text collate "C" not null,
  visibility smallint not null,
  slot smallint not null,
  count integer not null,
  constraint status_totals_pkey PRIMARY KEY (domain, visibility, slot)
);

create table statuses (
  id text collate "C" not null,
  author_id text collate "C" not null,
  uri text not null,
  url text,
  visibility smallint not null,
  in_reply_to_id text collate "C",
  in_reply_to_account_id text collate "C",
  reblog_of_id text collate "C",
  quote_of_id text collate "C",
  conversation_id bigint,
  content_html text default ''::text not null,
  content_text text default ''::text not null,
  source text,
  content_type text default 'text/plain'::text not null,
  spoiler text default ''::text not null,
  sensitive boolean default false not null,
  language text,
  local boolean not null,
  emojis jsonb default '[]'::jsonb not null,
  application jsonb,
  created_at timestamp with time zone default now() not null,
  edited_at timestamp with time zone,
  expires_at timestamp with time zone,
  flags smallint default 0 not null,
  version integer default 1 not null,
  quote_uri text,
  list_id bigint,
  tsv tsvector,
  in_reply_to_uri text,
  quote_policy smallint,
  quote_approval text,
  quote_refused boolean default false not null,
  group_id text collate "C",
  described_at timestamp with time zone,
  constraint statuses_pkey PRIMARY KEY (id),
  constraint statuses_author_id_fkey FOREIGN KEY (author_id) REFERENCES accounts(id) ON DELETE CASCADE,
  constraint statuses_conversation_id_fkey FOREIGN KEY (conversation_id) REFERENCES conversations(id),
  constraint statuses_in_reply_to_id_fkey FOREIGN KEY (in_reply_to_id) REFERENCES statuses(id) ON DELETE SET NULL,
  constraint statuses_list_id_fkey FOREIGN KEY (list_id) REFERENCES lists(id) ON DELETE SET NULL,
  constraint statuses_quote_of_id_fkey FOREIGN KEY (quote_of_id) REFERENCES statuses(id) ON DELETE SET NULL,
  constraint statuses_reblog_of_id_fkey FOREIGN KEY (reblog_of_id) REFERENCES statuses(id) ON DELETE CASCADE,
  constraint statuses_uri_key UNIQUE (uri)
);
CREATE INDEX statuses_answered ON statuses USING btree (in_reply_to_account_id) WHERE ((in_reply_to_account_id IS NOT NULL) AND (in_reply_to_id IS NULL));
CREATE INDEX statuses_author ON statuses USING btree (author_id, id DESC);
CREATE INDEX statuses_conversation ON statuses USING btree (conversation_id, id) WHERE (conversation_id IS NOT NULL);
CREATE INDEX statuses_direct ON statuses USING btree (author_id, id DESC) WHERE (visibility = 3);
CREATE INDEX statuses_group ON statuses USING btree (group_id) WHERE (group_id IS NOT NULL);
CREATE INDEX statuses_list ON statuses USING btree (list_id) WHERE (list_id IS NOT NULL);
CREATE INDEX statuses_local_threads ON statuses USING btree (conversation_id) WHERE (local AND (conversation_id IS NOT NULL));
CREATE INDEX statuses_public ON statuses USING btree (id DESC) WHERE ((visibility = 0) AND (reblog_of_id IS NULL));
CREATE INDEX statuses_public_host ON statuses USING btree (split_part(uri, '/'::text, 3), id DESC) WHERE ((visibility = 0) AND (reblog_of_id IS NULL) AND (NOT local));
CREATE INDEX statuses_public_local ON statuses USING btree (id DESC) WHERE ((visibility = ANY (ARRAY[0, 4])) AND (reblog_of_id IS NULL) AND local);
CREATE INDEX statuses_quote_approval ON statuses USING hash (quote_approval) WHERE (quote_approval IS NOT NULL);
CREATE INDEX statuses_quotes ON statuses USING btree (quote_of_id, id DESC) WHERE (quote_of_id IS NOT NULL);
CREATE UNIQUE INDEX statuses_reblogs ON statuses USING btree (reblog_of_id, author_id) WHERE (reblog_of_id IS NOT NULL);
CREATE INDEX statuses_reblogs_newest ON statuses USING btree (reblog_of_id, id DESC) WHERE (reblog_of_id IS NOT NULL);
CREATE INDEX statuses_replies ON statuses USING btree (in_reply_to_id, id) WHERE (in_reply_to_id IS NOT NULL);
CREATE INDEX statuses_time ON statuses USING brin (id) WITH (autosummarize='on');
CREATE INDEX statuses_tsv ON statuses USING gin (tsv) WITH (fastupdate='on');
CREATE INDEX statuses_url ON statuses USING hash (url) WHERE ((NOT local) AND (url IS NOT NULL));
CREATE INDEX statuses_waiting_quotes ON statuses USING btree (quote_uri) WHERE ((quote_of_id IS NULL) AND (quote_uri IS NOT NULL));
CREATE INDEX statuses_waiting_replies ON statuses USING btree (in_reply_to_uri) WHERE ((in_reply_to_id IS NULL) AND (in_reply_to_uri IS NOT NULL));
CREATE TRIGGER statuses_changed AFTER INSERT OR DELETE OR UPDATE ON statuses FOR EACH ROW EXECUTE FUNCTION statuses_reports();
CREATE TRIGGER statuses_emptied AFTER TRUNCATE ON statuses FOR EACH STATEMENT EXECUTE FUNCTION table_emptied();
CREATE TRIGGER statuses_words BEFORE INSERT OR UPDATE OF spoiler, content_text ON statuses FOR EACH ROW EXECUTE FUNCTION statuses_words();

create table suggested_accounts (
  account_id text collate "C" not null,
  created_at timestamp with time zone default now() not null,
  constraint suggested_accounts_pkey PRIMARY KEY (account_id),
  constraint suggested_accounts_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id) ON DELETE CASCADE
);

create table thread_mutes (
  account_id text collate "C" not null,
  conversation_id bigint not null,
  expires_at timestamp with time zone,
  created_at timestamp with time zone default now() not null,
  constraint thread_mutes_pkey PRIMARY KEY (account_id, conversation_id),
  constraint thread_mutes_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id) ON DELETE CASCADE,
  constraint thread_mutes_conversation_id_fkey FOREIGN KEY (conversation_id) REFERENCES conversations(id) ON DELETE CASCADE
);
CREATE INDEX thread_mutes_conversation ON thread_mutes USING btree (conversation_id);
CREATE INDEX thread_mutes_expires ON thread_mutes USING btree (expires_at) WHERE (expires_at IS NOT NULL);
CREATE TRIGGER thread_mutes_changed AFTER INSERT OR DELETE OR UPDATE ON thread_mutes FOR EACH ROW EXECUTE FUNCTION thread_mutes_reports();
CREATE TRIGGER thread_mutes_emptied AFTER TRUNCATE ON thread_mutes FOR EACH STATEMENT EXECUTE FUNCTION table_emptied();

create table tombstones (
  uri text not null,
  former_type text not null,
  local boolean not null,
  deleted_at timestamp with time zone default now() not null,
  by_server boolean default false not null,
  by_staff boolean default false not null,
  constraint tombstones_pkey PRIMARY KEY (uri)
);
CREATE INDEX tombstones_outdated ON tombstones USING btree (deleted_at) WHERE (NOT by_staff);

create table used_captchas (
  token_hash bytea not null,
  expires_at timestamp with time zone not null,
  constraint used_captchas_pkey PRIMARY KEY (token_hash)
);
CREATE INDEX used_captchas_expires ON used_captchas USING btree (expires_at);

create table users (
  account_id text collate "C" not null,
  email text,
  password_hash text not null,
  is_admin boolean default false not null,
  is_moderator boolean default false not null,
  is_confirmed boolean default true not null,
  is_approved boolean default true not null,
  password_reset_required boolean default false not null,
  registration_reason text default ''::text not null,
  locale text,
  default_scope text default 'public'::text not null,
  default_sensitive boolean default false not null,
  default_language text,
  no_rich_text boolean default false not null,
  allow_following_move boolean default true not null,
  settings_store jsonb default '{}'::jsonb not null,
  notification_settings jsonb default '{"block_from_strangers": false, "hide_notification_contents": false}'::jsonb not null,
  created_at timestamp with time zone default now() not null,
  last_active_at timestamp with time zone default now() not null,
  feed_floor text collate "C" default ''::text not null,
  filters_version integer default 0 not null,
  guessing_notified_at timestamp with time zone,
  muted_mails text[] default '{}'::text[] not null,
  default_quote_policy text default 'public'::text not null,
  password_is_given boolean default false not null,
  feed_deepened_at timestamp with time zone,
  late_step text,
  constraint users_pkey PRIMARY KEY (account_id),
  constraint users_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id) ON DELETE CASCADE
) with (fillfactor=80);
CREATE INDEX users_active ON users USING btree (last_active_at);
CREATE UNIQUE INDEX users_email ON users USING btree (lower(email));
CREATE INDEX users_email_words ON users USING gin (lower(email) gin_trgm_ops);
CREATE INDEX users_staff ON users USING btree (account_id) WHERE (is_admin OR is_moderator);
CREATE INDEX users_unapproved ON users USING btree (account_id) WHERE (NOT is_approved);
CREATE INDEX users_unconfirmed ON users USING btree (account_id) WHERE (NOT is_confirmed);
CREATE TRIGGER users_access_changed AFTER DELETE OR UPDATE OF is_admin, is_moderator, is_confirmed, is_approved, password_reset_required OR TRUNCATE ON users FOR EACH STATEMENT EXECUTE FUNCTION sign_ins_changed();
CREATE TRIGGER users_changed AFTER DELETE OR UPDATE ON users FOR EACH ROW EXECUTE FUNCTION users_reports();
CREATE TRIGGER users_emptied AFTER TRUNCATE ON users FOR EACH STATEMENT EXECUTE FUNCTION table_emptied();

CREATE OR REPLACE FUNCTION account_names_reports()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
      begin
        if current_setting('svc.changes', true) = 'own' then raise notice using message = '?', errcode = 'SVC01';
        else perform pg_notify('svc_changes', '');
        end if;
        return null;
      end $function$;

CREATE OR REPLACE FUNCTION account_notes_reports()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
    declare subjects text := '~' || coalesce(new.account_id, old.account_id);
    begin 
  if subjects is not null then
    case coalesce(current_setting('svc.changes', true), '')
      when 'own' then raise notice using message = subjects, errcode = 'SVC01';
      
      else perform pg_notify('svc_changes', '');
    end case;
  end if;
  return null;
    end $function$;

CREATE OR REPLACE FUNCTION account_stats_reports()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
    declare subjects text := coalesce(new.account_id, old.account_id);
    begin 
  if subjects is not null then
    case coalesce(current_setting('svc.changes', true), '')
      when 'own' then raise notice using message = subjects, errcode = 'SVC01';
      
      else perform pg_notify('svc_changes', '');
    end case;
  end if;
  return null;
    end $function$;

CREATE OR REPLACE FUNCTION accounts_reports()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
    declare subjects text := old.id || case when (new.deactivated_at, new.deleted_at, new.domain) is distinct from
      (old.deactivated_at, old.deleted_at, old.domain) then ' *' else '' end;
    begin 
  if subjects is not null then
    case coalesce(current_setting('svc.changes', true), '')
      when 'own' then raise notice using message = subjects, errcode = 'SVC01';
      
      else perform pg_notify('svc_changes', '');
    end case;
  end if;
  return null;
    end $function$;

CREATE OR REPLACE FUNCTION attachments_reports()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
    declare subjects text := coalesce(new.status_id, old.status_id);
    begin 
  if subjects is not null then
    case coalesce(current_setting('svc.changes', true), '')
      when 'own' then raise notice using message = subjects, errcode = 'SVC01';
      
      else perform pg_notify('svc_changes', '');
    end case;
  end if;
  return null;
    end $function$;

CREATE OR REPLACE FUNCTION blocks_reports()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
    declare subjects text := '~' || coalesce(new.account_id, old.account_id) || ' ' || '~' || coalesce(new.target_id, old.target_id);
    begin 
  if subjects is not null then
    case coalesce(current_setting('svc.changes', true), '')
      when 'own' then raise notice using message = subjects, errcode = 'SVC01';
      
      else perform pg_notify('svc_changes', '');
    end case;
  end if;
  return null;
    end $function$;

CREATE OR REPLACE FUNCTION bookmarks_reports()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
    declare subjects text := '~' || coalesce(new.account_id, old.account_id);
    begin 
  if subjects is not null then
    case coalesce(current_setting('svc.changes', true), '')
      when 'own' then raise notice using message = subjects, errcode = 'SVC01';
      
      else perform pg_notify('svc_changes', '');
    end case;
  end if;
  return null;
    end $function$;

CREATE OR REPLACE FUNCTION chat_entries_reports()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
      declare subjects text := (select string_agg(distinct '!' || c.owner_id, ' ')
        from changed join chats c on c.id = changed.chat_id);
      begin
        if subjects is not null then
          case coalesce(current_setting('svc.changes', true), '')
            when 'own' then raise notice using message = subjects, errcode = 'SVC01';
            else perform pg_notify('svc_changes', '');
          end case;
        end if;
        return null;
      end $function$;

CREATE OR REPLACE FUNCTION conversation_participants_reports()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
    declare subjects text := '~' || coalesce(new.account_id, old.account_id);
    begin 
  if subjects is not null then
    case coalesce(current_setting('svc.changes', true), '')
      when 'own' then raise notice using message = subjects, errcode = 'SVC01';
      
      else perform pg_notify('svc_changes', '');
    end case;
  end if;
  return null;
    end $function$;

CREATE OR REPLACE FUNCTION domain_blocks_reports()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
    declare subjects text := '~' || coalesce(new.account_id, old.account_id);
    begin 
  if subjects is not null then
    case coalesce(current_setting('svc.changes', true), '')
      when 'own' then raise notice using message = subjects, errcode = 'SVC01';
      
      else perform pg_notify('svc_changes', '');
    end case;
  end if;
  return null;
    end $function$;

CREATE OR REPLACE FUNCTION endorsements_reports()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
    declare subjects text := '~' || coalesce(new.account_id, old.account_id);
    begin 
  if subjects is not null then
    case coalesce(current_setting('svc.changes', true), '')
      when 'own' then raise notice using message = subjects, errcode = 'SVC01';
      
      else perform pg_notify('svc_changes', '');
    end case;
  end if;
  return null;
    end $function$;

CREATE OR REPLACE FUNCTION favourites_reports()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
    declare subjects text := '~' || coalesce(new.account_id, old.account_id);
    begin 
  if subjects is not null then
    case coalesce(current_setting('svc.changes', true), '')
      when 'own' then raise notice using message = subjects, errcode = 'SVC01';
      
      else perform pg_notify('svc_changes', '');
    end case;
  end if;
  return null;
    end $function$;

CREATE OR REPLACE FUNCTION followed_tags_reports()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
    declare subjects text := '~' || coalesce(new.account_id, old.account_id);
    begin 
  if subjects is not null then
    case coalesce(current_setting('svc.changes', true), '')
      when 'own' then raise notice using message = subjects, errcode = 'SVC01';
      
      else perform pg_notify('svc_changes', '');
    end case;
  end if;
  return null;
    end $function$;

CREATE OR REPLACE FUNCTION follows_remote_follower()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
    begin
      new.remote_follower := coalesce((select domain is not null from accounts where id = new.follower_id), false);
      return new;
    end $function$;

CREATE OR REPLACE FUNCTION follows_reports()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
    declare subjects text := '~' || coalesce(new.follower_id, old.follower_id) || ' ' || '~' || coalesce(new.followee_id, old.followee_id);
    begin 
  if subjects is not null then
    case coalesce(current_setting('svc.changes', true), '')
      when 'own' then raise notice using message = subjects, errcode = 'SVC01';
      
      else perform pg_notify('svc_changes', '');
    end case;
  end if;
  return null;
    end $function$;

CREATE OR REPLACE FUNCTION home_feed_reports()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
    declare subjects text := (select string_agg(distinct '@' || account_id, ' ') from changed);
    begin 
  if subjects is not null then
    case coalesce(current_setting('svc.changes', true), '')
      when 'own' then raise notice using message = subjects, errcode = 'SVC01';
      
      else perform pg_notify('svc_changes', '');
    end case;
  end if;
  return null;
    end $function$;

CREATE OR REPLACE FUNCTION id_reports()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
      begin
        if current_setting('svc.changes', true) = 'own' then
          raise notice using message = tg_argv[0] || coalesce(new.id, old.id), errcode = 'SVC01';
        else perform pg_notify('svc_changes', '');
        end if;
        return null;
      end $function$;

CREATE OR REPLACE FUNCTION keys_reports()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
    declare subjects text := coalesce(new.account_id, old.account_id);
    begin 
  if subjects is not null then
    case coalesce(current_setting('svc.changes', true), '')
      when 'own' then raise notice using message = subjects, errcode = 'SVC01';
      
      else perform pg_notify('svc_changes', '');
    end case;
  end if;
  return null;
    end $function$;

CREATE OR REPLACE FUNCTION list_members_reports()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
    declare subjects text := (select '~' || account_id from lists where id = coalesce(new.list_id, old.list_id));
    begin 
  if subjects is not null then
    case coalesce(current_setting('svc.changes', true), '')
      when 'own' then raise notice using message = subjects, errcode = 'SVC01';
      
      else perform pg_notify('svc_changes', '');
    end case;
  end if;
  return null;
    end $function$;

CREATE OR REPLACE FUNCTION lists_reports()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
    declare subjects text := '~' || coalesce(new.account_id, old.account_id);
    begin 
  if subjects is not null then
    case coalesce(current_setting('svc.changes', true), '')
      when 'own' then raise notice using message = subjects, errcode = 'SVC01';
      
      else perform pg_notify('svc_changes', '');
    end case;
  end if;
  return null;
    end $function$;

CREATE OR REPLACE FUNCTION mutes_reports()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
    declare subjects text := '~' || coalesce(new.account_id, old.account_id);
    begin 
  if subjects is not null then
    case coalesce(current_setting('svc.changes', true), '')
      when 'own' then raise notice using message = subjects, errcode = 'SVC01';
      
      else perform pg_notify('svc_changes', '');
    end case;
  end if;
  return null;
    end $function$;

CREATE OR REPLACE FUNCTION notifications_reports()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
    declare subjects text := (select string_agg(distinct '!' || receiver_id, ' ') from changed);
    begin 
  if subjects is not null then
    case coalesce(current_setting('svc.changes', true), '')
      when 'own' then raise notice using message = subjects, errcode = 'SVC01';
      
      else perform pg_notify('svc_changes', '');
    end case;
  end if;
  return null;
    end $function$;

CREATE OR REPLACE FUNCTION pins_reports()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
    declare subjects text := coalesce(new.status_id, old.status_id) || ' +' || coalesce(new.account_id, old.account_id);
    begin 
  if subjects is not null then
    case coalesce(current_setting('svc.changes', true), '')
      when 'own' then raise notice using message = subjects, errcode = 'SVC01';
      
      else perform pg_notify('svc_changes', '');
    end case;
  end if;
  return null;
    end $function$;

CREATE OR REPLACE FUNCTION poll_options_reports()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
    declare subjects text := (select status_id from polls where id = coalesce(new.poll_id, old.poll_id));
    begin 
  if subjects is not null then
    case coalesce(current_setting('svc.changes', true), '')
      when 'own' then raise notice using message = subjects, errcode = 'SVC01';
      
      else perform pg_notify('svc_changes', '');
    end case;
  end if;
  return null;
    end $function$;

CREATE OR REPLACE FUNCTION poll_votes_reports()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
    declare subjects text := '~' || coalesce(new.account_id, old.account_id);
    begin 
  if subjects is not null then
    case coalesce(current_setting('svc.changes', true), '')
      when 'own' then raise notice using message = subjects, errcode = 'SVC01';
      
      else perform pg_notify('svc_changes', '');
    end case;
  end if;
  return null;
    end $function$;

CREATE OR REPLACE FUNCTION polls_reports()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
    declare subjects text := coalesce(new.status_id, old.status_id);
    begin 
  if subjects is not null then
    case coalesce(current_setting('svc.changes', true), '')
      when 'own' then raise notice using message = subjects, errcode = 'SVC01';
      
      else perform pg_notify('svc_changes', '');
    end case;
  end if;
  return null;
    end $function$;

CREATE OR REPLACE FUNCTION reactions_reports()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
    declare subjects text := coalesce(new.status_id, old.status_id) || ' ' || '~' || coalesce(new.account_id, old.account_id);
    begin 
  if subjects is not null then
    case coalesce(current_setting('svc.changes', true), '')
      when 'own' then raise notice using message = subjects, errcode = 'SVC01';
      
      else perform pg_notify('svc_changes', '');
    end case;
  end if;
  return null;
    end $function$;

CREATE OR REPLACE FUNCTION renamed_account_reports()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
      begin
        if current_setting('svc.changes', true) = 'own' then raise notice using message = '= *', errcode = 'SVC01';
        else perform pg_notify('svc_changes', '');
        end if;
        return null;
      end $function$;

CREATE OR REPLACE FUNCTION sign_ins_changed()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
      begin
        perform pg_notify('svc_sign_ins', '');
        return null;
      end $function$;

CREATE OR REPLACE FUNCTION status_stats_reports()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
    declare subjects text := coalesce(new.status_id, old.status_id);
    begin 
  if subjects is not null then
    case coalesce(current_setting('svc.changes', true), '')
      when 'own' then raise notice using message = subjects, errcode = 'SVC01';
      
      else perform pg_notify('svc_changes', '');
    end case;
  end if;
  return null;
    end $function$;

CREATE OR REPLACE FUNCTION statuses_reports()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
    declare subjects text := concat_ws(' ', coalesce(new.id, old.id), '+' || coalesce(new.author_id, old.author_id),
      case when coalesce(new.reblog_of_id, old.reblog_of_id) is not null then '~' || coalesce(new.author_id, old.author_id)
        when coalesce(new.visibility, old.visibility) in (0, 4) then '#' end,
      case when tg_op = 'UPDATE' and new.visibility <> old.visibility then '*' end,
      case when tg_op <> 'UPDATE' then '>' || coalesce(new.in_reply_to_id, old.in_reply_to_id)
        when new.in_reply_to_id is distinct from old.in_reply_to_id
        then concat_ws(' ', '>' || old.in_reply_to_id, '>' || new.in_reply_to_id) end);
    begin
      case coalesce(current_setting('svc.changes', true), '')
        when 'own' then raise notice using message = subjects, errcode = 'SVC01';
        else perform pg_notify('svc_changes', '');
      end case;
      return null;
    end $function$;

CREATE OR REPLACE FUNCTION statuses_words()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO '$user', 'public'
AS $function$
    begin
      new.tsv := words_of(new.spoiler || ' ' || new.content_text);
      if tg_op = 'UPDATE' and new.flags & 2 <> 0 then
        new.tsv := new.tsv || coalesce((
          select words_of(string_agg(o.title, ' ' order by o.position))
          from polls p join poll_options o on o.poll_id = p.id where p.status_id = new.id), '');
      end if;
      return new;
    end $function$;

CREATE OR REPLACE FUNCTION table_emptied()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
    declare subjects text := '*';
    begin 
  if subjects is not null then
    case coalesce(current_setting('svc.changes', true), '')
      when 'own' then raise notice using message = subjects, errcode = 'SVC01';
      
      else perform pg_notify('svc_changes', '');
    end case;
  end if;
  return null;
    end $function$;

CREATE OR REPLACE FUNCTION thread_mutes_reports()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
    declare subjects text := '~' || coalesce(new.account_id, old.account_id);
    begin 
  if subjects is not null then
    case coalesce(current_setting('svc.changes', true), '')
      when 'own' then raise notice using message = subjects, errcode = 'SVC01';
      
      else perform pg_notify('svc_changes', '');
    end case;
  end if;
  return null;
    end $function$;

CREATE OR REPLACE FUNCTION users_reports()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
    declare subjects text := concat_ws(' ', old.account_id, '~' || old.account_id, case when (new.is_confirmed, new.is_approved)
      is distinct from (old.is_confirmed, old.is_approved) then '*' end);
    begin 
  if subjects is not null then
    case coalesce(current_setting('svc.changes', true), '')
      when 'own' then raise notice using message = subjects, errcode = 'SVC01';
      
      else perform pg_notify('svc_changes', '');
    end case;
  end if;
  return null;
    end $function$;

CREATE OR REPLACE FUNCTION words_of(said text)
 RETURNS tsvector
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
RETURN to_tsvector('svc'::regconfig, regexp_replace(said, '([\u0E00-\u0EFF\u1000-\u109F\u1780-\u17FF\u3005-\u3007\u3040-\u30FF\u3100-\u312F\u31F0-\u31FF\u3400-\u4DBF\u4E00-\u9FFF\uAC00-\uD7A3\uF900-\uFAFF\uFF66-\uFF9F\U00020000-\U000323AF])'::text, ' \1 '::text, 'g'::text));
