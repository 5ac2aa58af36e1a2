-- The schema that the migrations make. Written by "npm run snapshots"; a diff here is a review.

CREATE SEQUENCE ingest_jobs_claim_token_seq AS bigint;

CREATE TABLE admin_events (
  id bigint DEFAULT nextval('admin_events_id_seq'::regclass) NOT NULL,
  at bigint NOT NULL,
  actor_id bigint DEFAULT 0 NOT NULL,
  actor text NOT NULL,
  action character varying(64) NOT NULL,
  entity character varying(32) NOT NULL,
  entity_id text NOT NULL,
  detail text,
  CONSTRAINT admin_events_pkey PRIMARY KEY (id)
);
CREATE INDEX admin_events_entity_idx ON admin_events (entity, entity_id, id DESC);

CREATE TABLE brand_aliases (
  brand_id bigint NOT NULL,
  alias_key text COLLATE "C" NOT NULL,
  alias text NOT NULL,
  source character varying(16) NOT NULL,
  CONSTRAINT brand_aliases_pkey PRIMARY KEY (brand_id, alias_key),
  CONSTRAINT brand_aliases_brand_id_fkey FOREIGN KEY (brand_id) REFERENCES brands(id),
  CONSTRAINT brand_aliases_alias_key_check CHECK ((alias_key <> ''::text))
);
CREATE INDEX brand_aliases_alias_key_idx ON brand_aliases (alias_key);

CREATE TABLE brands (
  id bigint DEFAULT nextval('brands_id_seq'::regclass) NOT NULL,
  name text NOT NULL,
  name_zh text,
  slug text COLLATE "C" NOT NULL,
  status character varying(16) DEFAULT 'active'::character varying NOT NULL,
  merged_into bigint,
  created_at bigint NOT NULL,
  updated_at bigint NOT NULL,
  revision integer DEFAULT 1 NOT NULL,
  CONSTRAINT brands_pkey PRIMARY KEY (id),
  CONSTRAINT brands_slug_key UNIQUE (slug),
  CONSTRAINT brands_merged_into_fkey FOREIGN KEY (merged_into) REFERENCES brands(id),
  CONSTRAINT brands_id_check CHECK ((id > 0)),
  CONSTRAINT brands_merged_into_check CHECK (((((status)::text = 'merged'::text) = (merged_into IS NOT NULL)) AND (merged_into IS DISTINCT FROM id))),
  CONSTRAINT brands_name_check CHECK ((name <> ''::text)),
  CONSTRAINT brands_slug_check CHECK ((slug <> ''::text)),
  CONSTRAINT brands_status_check CHECK (((status)::text = ANY ((ARRAY['active'::character varying, 'merged'::character varying])::text[])))
);
CREATE INDEX brands_created_at_id_desc_idx ON brands (created_at DESC, id DESC);
CREATE INDEX brands_merged_into_idx ON brands (merged_into) WHERE (merged_into IS NOT NULL);

CREATE TABLE crawler_secrets (
  id bigint DEFAULT nextval('crawler_secrets_id_seq'::regclass) NOT NULL,
  crawler_id bigint NOT NULL,
  sealed bytea NOT NULL,
  fingerprint bytea NOT NULL,
  created_at bigint NOT NULL,
  valid_until bigint DEFAULT 0 NOT NULL,
  revoked_at bigint DEFAULT 0 NOT NULL,
  last_used_at bigint DEFAULT 0 NOT NULL,
  CONSTRAINT crawler_secrets_pkey PRIMARY KEY (id),
  CONSTRAINT crawler_secrets_fingerprint_key UNIQUE (fingerprint),
  CONSTRAINT crawler_secrets_crawler_id_fkey FOREIGN KEY (crawler_id) REFERENCES crawlers(id) ON DELETE CASCADE,
  CONSTRAINT crawler_secrets_fingerprint_check CHECK ((octet_length(fingerprint) = 32))
);
CREATE INDEX crawler_secrets_crawler_id_idx ON crawler_secrets (crawler_id);

CREATE TABLE crawlers (
  id bigint DEFAULT nextval('crawlers_id_seq'::regclass) NOT NULL,
  name character varying(64) NOT NULL,
  enabled boolean DEFAULT true NOT NULL,
  created_at bigint NOT NULL,
  updated_at bigint NOT NULL,
  CONSTRAINT crawlers_pkey PRIMARY KEY (id),
  CONSTRAINT crawlers_name_key UNIQUE (name),
  CONSTRAINT crawlers_name_check CHECK (((name)::text ~ '^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$'::text))
);

CREATE TABLE galleries (
  id bigint DEFAULT nextval('galleries_id_seq'::regclass) NOT NULL,
  kind character varying(16) NOT NULL,
  brand_id bigint DEFAULT 0 NOT NULL,
  year smallint,
  term character varying(16),
  category character varying(32) NOT NULL,
  category_source character varying(16) NOT NULL,
  market character varying(64),
  title text DEFAULT ''::text NOT NULL,
  show_date date,
  audience character varying(8),
  day smallint,
  photographer text,
  status character varying(16) DEFAULT 'pending_review'::character varying NOT NULL,
  reject_reason text,
  deleted_at bigint DEFAULT 0 NOT NULL,
  purged_at bigint DEFAULT 0 NOT NULL,
  published_at bigint DEFAULT 0 NOT NULL,
  revision integer DEFAULT 1 NOT NULL,
  cover_position integer DEFAULT 0 NOT NULL,
  picture_count integer DEFAULT 0 NOT NULL,
  missing_count integer DEFAULT 0 NOT NULL,
  sent_count integer DEFAULT 0 NOT NULL,
  expected_count integer,
  created_at bigint NOT NULL,
  updated_at bigint NOT NULL,
  suspect boolean DEFAULT false NOT NULL,
  cover_chosen boolean DEFAULT false NOT NULL,
  takedown_reason text,
  forgotten_at bigint DEFAULT 0 NOT NULL,
  CONSTRAINT galleries_pkey PRIMARY KEY (id),
  CONSTRAINT galleries_forgotten_at_check CHECK (((forgotten_at = 0) OR (deleted_at > 0))),
  CONSTRAINT galleries_kind_brand_id_check CHECK ((((kind)::text = 'street'::text) = (brand_id = 0))),
  CONSTRAINT galleries_kind_check CHECK (((kind)::text = ANY ((ARRAY['runway'::character varying, 'street'::character varying])::text[]))),
  CONSTRAINT galleries_purged_at_check CHECK (((purged_at >= 0) AND (deleted_at >= 0))),
  CONSTRAINT galleries_status_check CHECK (((status)::text = ANY ((ARRAY['pending_review'::character varying, 'published'::character varying, 'rejected'::character varying])::text[])))
);
CREATE INDEX galleries_brand_id_id_desc_idx ON galleries (brand_id, id DESC);
CREATE INDEX galleries_brand_id_season_idx ON galleries (brand_id, year, term, category) INCLUDE (id, status, deleted_at, updated_at) WHERE (((kind)::text = 'runway'::text) AND (forgotten_at = 0));
CREATE INDEX galleries_brand_id_status_idx ON galleries (brand_id, status) WHERE (deleted_at = 0);
CREATE INDEX galleries_guessed_id_desc_idx ON galleries (id DESC) WHERE (((category_source)::text = 'default'::text) AND (deleted_at = 0));
CREATE INDEX galleries_partial_id_desc_idx ON galleries (id DESC) WHERE (((missing_count > 0) OR (expected_count > picture_count)) AND (deleted_at = 0));
CREATE INDEX galleries_status_id_desc_idx ON galleries (status, id DESC) WHERE (deleted_at = 0);
CREATE INDEX galleries_suspect_id_desc_idx ON galleries (id DESC) WHERE (suspect AND (deleted_at = 0));
CREATE INDEX galleries_trash_id_desc_idx ON galleries (id DESC) WHERE ((deleted_at > 0) AND (forgotten_at = 0));
CREATE INDEX galleries_trash_updated_at_id_desc_idx ON galleries (updated_at DESC, id DESC) WHERE ((deleted_at > 0) AND (forgotten_at = 0));
CREATE INDEX galleries_updated_at_id_desc_idx ON galleries (updated_at DESC, id DESC) WHERE (deleted_at = 0);
CREATE INDEX galleries_year_term_id_desc_idx ON galleries (year, term, id DESC) WHERE (deleted_at = 0);

CREATE TABLE gallery_events (
  id bigint DEFAULT nextval('gallery_events_id_seq'::regclass) NOT NULL,
  gallery_id bigint NOT NULL,
  at bigint NOT NULL,
  actor text NOT NULL,
  action character varying(32) NOT NULL,
  detail text,
  job_id bigint,
  CONSTRAINT gallery_events_pkey PRIMARY KEY (id),
  CONSTRAINT gallery_events_gallery_id_fkey FOREIGN KEY (gallery_id) REFERENCES galleries(id)
);
CREATE INDEX gallery_events_gallery_id_id_desc_idx ON gallery_events (gallery_id, id DESC);

CREATE TABLE gallery_keys (
  id bigint DEFAULT nextval('gallery_keys_id_seq'::regclass) NOT NULL,
  gallery_id bigint NOT NULL,
  brand_id bigint NOT NULL,
  year smallint,
  term character varying(16),
  category character varying(32) NOT NULL,
  market character varying(64),
  detail text,
  CONSTRAINT gallery_keys_pkey PRIMARY KEY (id),
  CONSTRAINT gallery_keys_natural_key UNIQUE NULLS NOT DISTINCT (brand_id, year, term, category, market, detail),
  CONSTRAINT gallery_keys_gallery_id_fkey FOREIGN KEY (gallery_id) REFERENCES galleries(id)
);
CREATE INDEX gallery_keys_gallery_id_idx ON gallery_keys (gallery_id);

CREATE TABLE gallery_pictures (
  gallery_id bigint NOT NULL,
  "position" integer NOT NULL,
  kind character varying(16) NOT NULL,
  look character varying(16),
  caption text,
  credit text,
  source_url text NOT NULL,
  identity text NOT NULL,
  state character varying(16) NOT NULL,
  error_code character varying(64),
  object_key text,
  sha256 character varying(64),
  content_type character varying(32),
  width integer,
  height integer,
  bytes bigint,
  thumbhash character varying(64),
  hidden boolean DEFAULT false NOT NULL,
  CONSTRAINT gallery_pictures_pkey PRIMARY KEY (gallery_id, "position"),
  CONSTRAINT gallery_pictures_gallery_id_fkey FOREIGN KEY (gallery_id) REFERENCES galleries(id),
  CONSTRAINT gallery_pictures_state_check CHECK (((state)::text = ANY ((ARRAY['stored'::character varying, 'missing'::character varying, 'failed'::character varying])::text[]))),
  CONSTRAINT gallery_pictures_stored_object_key_check CHECK ((((state)::text <> 'stored'::text) OR (object_key IS NOT NULL)))
);
CREATE INDEX gallery_pictures_object_key_idx ON gallery_pictures (object_key);
CREATE INDEX gallery_pictures_sha256_idx ON gallery_pictures (sha256);

CREATE TABLE gallery_sources (
  id bigint DEFAULT nextval('gallery_sources_id_seq'::regclass) NOT NULL,
  gallery_id bigint NOT NULL,
  brand_id bigint NOT NULL,
  source text NOT NULL,
  CONSTRAINT gallery_sources_pkey PRIMARY KEY (id),
  CONSTRAINT gallery_sources_gallery_id_source_key UNIQUE (gallery_id, source),
  CONSTRAINT gallery_sources_gallery_id_fkey FOREIGN KEY (gallery_id) REFERENCES galleries(id)
);
CREATE INDEX gallery_sources_source_brand_id_idx ON gallery_sources (source, brand_id);

CREATE TABLE ingest_counts (
  hour bigint NOT NULL,
  crawler_id bigint NOT NULL,
  status smallint NOT NULL,
  answer character varying(64) NOT NULL,
  count bigint NOT NULL,
  CONSTRAINT ingest_counts_pkey PRIMARY KEY (hour, crawler_id, status, answer),
  CONSTRAINT ingest_counts_count_check CHECK ((count > 0)),
  CONSTRAINT ingest_counts_hour_check CHECK (((hour % (3600)::bigint) = 0))
);

CREATE TABLE ingest_job_attempts (
  job_id bigint NOT NULL,
  claim_token bigint NOT NULL,
  number smallint NOT NULL,
  started_at bigint NOT NULL,
  ended_at bigint NOT NULL,
  worker text NOT NULL,
  result character varying(16) NOT NULL,
  error_code character varying(64),
  error text,
  CONSTRAINT ingest_job_attempts_pkey PRIMARY KEY (job_id, claim_token),
  CONSTRAINT ingest_job_attempts_job_id_fkey FOREIGN KEY (job_id) REFERENCES ingest_jobs(id) ON DELETE CASCADE,
  CONSTRAINT ingest_job_attempts_result_check CHECK (((result)::text = ANY ((ARRAY['done'::character varying, 'retry'::character varying, 'failed'::character varying, 'snoozed'::character varying, 'released'::character varying, 'lost'::character varying, 'cancelled'::character varying])::text[])))
);

CREATE TABLE ingest_jobs (
  id bigint DEFAULT nextval('ingest_jobs_id_seq'::regclass) NOT NULL,
  created_at bigint NOT NULL,
  updated_at bigint NOT NULL,
  locked_at bigint DEFAULT 0 NOT NULL,
  next_attempt_at bigint DEFAULT 0 NOT NULL,
  status character varying(16) DEFAULT 'pending'::character varying NOT NULL,
  attempts smallint DEFAULT 0 NOT NULL,
  payload text NOT NULL,
  last_error text,
  kind character varying(16) DEFAULT 'crawl'::character varying NOT NULL,
  outcome character varying(24),
  note text,
  brand_id bigint DEFAULT 0 NOT NULL,
  claim_token bigint DEFAULT 0 NOT NULL,
  claimed_at bigint DEFAULT 0 NOT NULL,
  locked_by text DEFAULT ''::text NOT NULL,
  subject text DEFAULT ''::text NOT NULL,
  subject_key text DEFAULT ''::text NOT NULL,
  progress character varying(32),
  error_code character varying(64),
  gallery_id bigint,
  submitted_by character varying(64) DEFAULT ''::character varying NOT NULL,
  snoozed_since bigint DEFAULT 0 NOT NULL,
  brandless boolean DEFAULT false NOT NULL,
  suspect boolean DEFAULT false NOT NULL,
  overrides text,
  CONSTRAINT ingest_jobs_pkey PRIMARY KEY (id),
  CONSTRAINT ingest_jobs_attempts_check CHECK ((attempts >= 0)) NOT VALID,
  CONSTRAINT ingest_jobs_claim_token_check CHECK ((((status)::text = 'processing'::text) OR (claim_token = 0))) NOT VALID,
  CONSTRAINT ingest_jobs_outcome_done_check CHECK (((outcome IS NULL) OR ((status)::text = 'done'::text))) NOT VALID,
  CONSTRAINT ingest_jobs_processing_locked_check CHECK ((((status)::text <> 'processing'::text) OR (locked_at > 0))) NOT VALID,
  CONSTRAINT ingest_jobs_status_check CHECK (((status)::text = ANY ((ARRAY['pending'::character varying, 'processing'::character varying, 'done'::character varying, 'failed'::character varying])::text[]))) NOT VALID
);
CREATE INDEX ingest_jobs_brand_id_id_desc_idx ON ingest_jobs (brand_id, id DESC);
CREATE INDEX ingest_jobs_brand_id_outcome_idx ON ingest_jobs (brand_id, outcome, id DESC);
CREATE INDEX ingest_jobs_brand_id_unfinished_idx ON ingest_jobs (brand_id, status, id DESC) WHERE ((status)::text <> 'done'::text);
CREATE INDEX ingest_jobs_brand_unknown_idx ON ingest_jobs (id DESC) WHERE ((brand_id = 0) AND (NOT brandless));
CREATE INDEX ingest_jobs_brandless_idx ON ingest_jobs (id DESC) WHERE ((brand_id = 0) AND brandless);
CREATE INDEX ingest_jobs_created_at_idx ON ingest_jobs USING brin (created_at) WITH (pages_per_range='32', autosummarize='on');
CREATE INDEX ingest_jobs_due_idx ON ingest_jobs (kind, next_attempt_at, id) WHERE ((status)::text = 'pending'::text);
CREATE INDEX ingest_jobs_ended_idx ON ingest_jobs (updated_at, kind, status, outcome) WHERE ((status)::text = ANY ((ARRAY['done'::character varying, 'failed'::character varying])::text[]));
CREATE INDEX ingest_jobs_failed_idx ON ingest_jobs (id DESC) WHERE ((status)::text = 'failed'::text);
CREATE INDEX ingest_jobs_lease_idx ON ingest_jobs (locked_at, id) WHERE ((status)::text = 'processing'::text);
CREATE INDEX ingest_jobs_spent_idx ON ingest_jobs (id) WHERE (((status)::text = 'pending'::text) AND (attempts >= 3));
CREATE INDEX ingest_jobs_subject_key_open_idx ON ingest_jobs (subject_key) WHERE (((status)::text = ANY ((ARRAY['pending'::character varying, 'processing'::character varying])::text[])) AND (subject_key <> ''::text));

CREATE TABLE ingest_messages (
  crawler_id bigint NOT NULL,
  message_id character varying(128) NOT NULL,
  body_sha256 bytea NOT NULL,
  job_id bigint NOT NULL,
  received_at bigint NOT NULL,
  subject text NOT NULL,
  warnings jsonb DEFAULT '[]'::jsonb NOT NULL,
  CONSTRAINT ingest_messages_pkey PRIMARY KEY (crawler_id, message_id),
  CONSTRAINT ingest_messages_body_sha256_check CHECK ((octet_length(body_sha256) = 32))
);
CREATE INDEX ingest_messages_received_at_idx ON ingest_messages (received_at);

CREATE TABLE ingest_pictures (
  job_id bigint NOT NULL,
  "position" integer NOT NULL,
  url text NOT NULL,
  state character varying(16) DEFAULT 'waiting'::character varying NOT NULL,
  tries smallint DEFAULT 0 NOT NULL,
  error_code character varying(64),
  error text,
  object_key text,
  sha256 character varying(64),
  content_type character varying(32),
  width integer,
  height integer,
  bytes bigint,
  thumbhash character varying(64),
  CONSTRAINT ingest_pictures_pkey PRIMARY KEY (job_id, "position"),
  CONSTRAINT ingest_pictures_state_check CHECK (((state)::text = ANY ((ARRAY['waiting'::character varying, 'storing'::character varying, 'stored'::character varying, 'failed'::character varying, 'removing'::character varying])::text[]))),
  CONSTRAINT ingest_pictures_stored_object_key_check CHECK ((((state)::text <> ALL ((ARRAY['storing'::character varying, 'stored'::character varying, 'removing'::character varying])::text[])) OR (object_key IS NOT NULL)))
);
CREATE INDEX ingest_pictures_object_key_idx ON ingest_pictures (object_key);

CREATE TABLE ingest_refusals (
  crawler_id bigint NOT NULL,
  code character varying(64) NOT NULL,
  brand text NOT NULL,
  last_title text NOT NULL,
  count bigint NOT NULL,
  first_seen_at bigint NOT NULL,
  last_seen_at bigint NOT NULL,
  CONSTRAINT ingest_refusals_pkey PRIMARY KEY (crawler_id, code, brand),
  CONSTRAINT ingest_refusals_count_check CHECK ((count > 0))
);
CREATE INDEX ingest_refusals_unknown_brand_idx ON ingest_refusals (brand COLLATE "C", last_seen_at DESC) WHERE ((code)::text = ANY ((ARRAY['brand-unknown'::character varying, 'brand-ambiguous'::character varying, 'brand-mismatch'::character varying])::text[]));
CREATE INDEX ingest_refusals_unknown_brand_seen_idx ON ingest_refusals (last_seen_at DESC, brand COLLATE "C" DESC) WHERE ((code)::text = ANY ((ARRAY['brand-unknown'::character varying, 'brand-ambiguous'::character varying, 'brand-mismatch'::character varying])::text[]));

CREATE TABLE job_kind_pauses (
  kind character varying(16) NOT NULL,
  paused_at bigint NOT NULL,
  paused_by text NOT NULL,
  reason text NOT NULL,
  CONSTRAINT job_kind_pauses_pkey PRIMARY KEY (kind)
);

CREATE TABLE media_hosts (
  host text NOT NULL,
  cool_until bigint NOT NULL,
  code character varying(64) NOT NULL,
  updated_at bigint NOT NULL,
  CONSTRAINT media_hosts_pkey PRIMARY KEY (host)
);

CREATE TABLE schema_migrations (
  id integer DEFAULT nextval('schema_migrations_id_seq'::regclass) NOT NULL,
  "timestamp" bigint NOT NULL,
  name character varying NOT NULL,
  CONSTRAINT PK_62441bec32630ced9e4cccae336 PRIMARY KEY (id)
);

CREATE TABLE setting_fingerprints (
  setting text NOT NULL,
  fingerprint text NOT NULL,
  CONSTRAINT setting_fingerprints_pkey PRIMARY KEY (setting)
);

CREATE TABLE sign_in_attempts (
  subject character varying(64) NOT NULL,
  count integer NOT NULL,
  resets_at bigint NOT NULL,
  CONSTRAINT sign_in_attempts_pkey PRIMARY KEY (subject)
);
CREATE INDEX sign_in_attempts_resets_at_idx ON sign_in_attempts (resets_at);

CREATE TABLE user_sessions (
  id bigint DEFAULT nextval('user_sessions_id_seq'::regclass) NOT NULL,
  user_id bigint NOT NULL,
  token_sha256 bytea NOT NULL,
  address text NOT NULL,
  user_agent text NOT NULL,
  created_at bigint NOT NULL,
  last_seen_at bigint NOT NULL,
  expires_at bigint NOT NULL,
  CONSTRAINT user_sessions_pkey PRIMARY KEY (id),
  CONSTRAINT user_sessions_token_sha256_key UNIQUE (token_sha256),
  CONSTRAINT user_sessions_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE,
  CONSTRAINT user_sessions_token_sha256_check CHECK ((octet_length(token_sha256) = 32))
);
CREATE INDEX user_sessions_expires_at_idx ON user_sessions (expires_at);
CREATE INDEX user_sessions_user_id_idx ON user_sessions (user_id);

CREATE TABLE user_tokens (
  id bigint DEFAULT nextval('user_tokens_id_seq'::regclass) NOT NULL,
  user_id bigint NOT NULL,
  token_sha256 bytea NOT NULL,
  label character varying(100) NOT NULL,
  created_at bigint NOT NULL,
  last_used_at bigint DEFAULT 0 NOT NULL,
  expires_at bigint DEFAULT 0 NOT NULL,
  revoked_at bigint DEFAULT 0 NOT NULL,
  CONSTRAINT user_tokens_pkey PRIMARY KEY (id),
  CONSTRAINT user_tokens_token_sha256_key UNIQUE (token_sha256),
  CONSTRAINT user_tokens_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE,
  CONSTRAINT user_tokens_token_sha256_check CHECK ((octet_length(token_sha256) = 32))
);
CREATE INDEX user_tokens_user_id_idx ON user_tokens (user_id);

CREATE TABLE users (
  id bigint DEFAULT nextval('users_id_seq'::regclass) NOT NULL,
  name character varying(64) NOT NULL,
  name_key text NOT NULL,
  role character varying(16) NOT NULL,
  password_hash text NOT NULL,
  created_at bigint NOT NULL,
  updated_at bigint NOT NULL,
  disabled_at bigint DEFAULT 0 NOT NULL,
  CONSTRAINT users_pkey PRIMARY KEY (id),
  CONSTRAINT users_name_key_key UNIQUE (name_key),
  CONSTRAINT users_role_check CHECK (((role)::text = ANY ((ARRAY['viewer'::character varying, 'editor'::character varying, 'operator'::character varying])::text[])))
);
