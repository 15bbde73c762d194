import type {
  AutomaticMove,
  CallInput,
  KeyScope,
  LivePassage,
  Marker,
  MindNode,
  Note,
  ObjectType,
  OperationOutcome,
  OperationType,
  OrderStatus,
  Paragraph,
  Place,
  PlanId,
  StructureId,
  SummaryDocument,
  SummaryTemplate,
  TaskStatus,
  TaskStep,
  UnplacedChange,
  Word,
} from '@linnet/contract';
import type { InterfaceLanguage } from '@linnet/contract/interface-languages';
import type { Bcp47, SpokenLanguage } from '@linnet/contract/languages';
import type { NotificationEvent } from '@linnet/contract/notifications';
import type { RetentionPause, RetentionUnit } from '@linnet/contract/retention';
import type { Scene, SharePart } from '@linnet/contract/statuses';
import type {
  DeliveryFailure,
  DeliveryStatus,
  WebhookEnding,
  WebhookEvent,
  webhookTest,
} from '@linnet/contract/webhooks';
import type { ColumnType, Generated, JSONColumnType } from 'kysely';
import type { SliceResult } from '../live/store.ts';
import type { FileOutcome } from '../modules/folder-import/outcome.ts';
import type { TaskRange } from '../modules/task/range.ts';
import type { VaultTables } from '../modules/vault/tables.ts';
import type { RetrievalTables } from '../retrieval/tables.ts';

/** Options for a requested summary. */
export interface SummaryRequest {
  readonly structure: StructureId;
  readonly template?: SummaryTemplate;
  /** Language of the summary. */
  readonly language?: Bcp47;
}

/** Creation time, set by the database. */
type CreatedAt = ColumnType<Date, Date | undefined, Date>;
type Json<Value extends object | null> = JSONColumnType<
  Value,
  string | null | undefined,
  null extends Value ? string | null : string
>;

/** The tables created by the migrations. Times are Dates; bigints are numbers below 2^53. */
export interface Tables extends RetrievalTables, VaultTables {
  accounts: {
    id: string;
    email: string;
    nickname: Generated<string>;
    avatar: string | null;
    password_hash: string;
    agreement_version: string;
    agreement_accepted_at: Date;
    vip_plan: 'trial' | 'monthly' | 'annual' | 'granted' | null;
    vip_started_at: Date | null;
    vip_expires_at: Date | null;
    /** Whether payment for the next period is expected, in which case VIP survives a short delay. */
    vip_renews: Generated<boolean>;
    /**
     * Trial or granted time that was suspended by the purchase of a membership. It resumes when the membership ends.
     */
    vip_rest_plan: 'trial' | 'granted' | null;
    vip_rest_seconds: Generated<number>;
    rev: Generated<number>;
    /** Set when the account is closed, which disables signing in. A job then deletes all data. */
    closed_at: Date | null;
    /** Identifies a sequence of revisions. Restoring a backup starts a new one. */
    epoch: Generated<string>;
    created_at: CreatedAt;
  };
  verification_codes: {
    email: string;
    /** The code is derived from this seed and from a key that isn't in the database. */
    seed: Buffer;
    used_at: Date | null;
    sent_at: CreatedAt;
    expires_at: Date;
  };
  sessions: {
    id: string;
    account_id: string;
    created_at: CreatedAt;
    revoked_at: Date | null;
    /** Description of the device, shown to the user; '' if unknown. */
    device: Generated<string>;
    last_seen_at: CreatedAt;
    /** When the password was last entered in this session; null for sessions that predate this column. */
    password_at: Date | null;
  };
  /** API keys. Each belongs to a session of its own, which has its name and times. */
  api_keys: {
    session_id: string;
    /** SHA-256 of the key. */
    hash: Buffer;
    scopes: Json<KeyScope[]>;
    last_used_at: Date | null;
    expires_at: Date | null;
  };
  /** Addresses of calendars. Each belongs to a session of its own. */
  calendar_addresses: { session_id: string };
  /** Links that show a recording without an account. Their addresses are derived from the ids. */
  share_links: {
    id: string;
    account_id: string;
    recording_id: string;
    parts: Json<SharePart[]>;
    /** Null if the page has no password. */
    password_hash: string | null;
    created_at: CreatedAt;
    expires_at: Date | null;
    view_count: Generated<number>;
    /** Times of the latest views, latest first, in ISO 8601. */
    views: Json<string[]>;
  };
  webhooks: {
    id: string;
    account_id: string;
    url: string;
    events: Json<WebhookEvent[]>;
    /** The secret that signs messages, encrypted for this row. */
    secret: Buffer;
    /** The previous secret, and until when it signs messages as well. */
    old_secret: Buffer | null;
    old_secret_until: Date | null;
    /** Since when every attempt has failed; null if the latest one succeeded. */
    failing_since: Date | null;
    disabled_at: Date | null;
    disabled_reason: WebhookEnding | null;
    /** When a queued job sends the next messages; null if none is queued. */
    wake_at: Date | null;
    /** Until when the job that sends messages runs, unless it says otherwise or is presumed dead; null if none runs. */
    running_until: Date | null;
    /** Until when no messages are sent, because the receiver failed or asked for fewer; null if not paused. */
    paused_until: Date | null;
    created_at: Date;
  };
  /** Messages to webhooks, with the result of the latest attempt. */
  webhook_deliveries: {
    id: string;
    webhook_id: string;
    type: WebhookEvent | typeof webhookTest;
    /** The recording and its client flag; null for a test. A permanently deleted recording has no row. */
    recording_id: string | null;
    client_flag: string | null;
    occurred_at: Date;
    status: DeliveryStatus;
    /** Whether further edits of the recording are still added to this message. */
    gathers: Generated<boolean>;
    /** When the next attempt is due. During an attempt, when the worker is presumed dead. Null once ended. */
    due_at: Date | null;
    /** Number of attempts, and of those since the message was last sent by the owner. */
    attempts: Generated<number>;
    tries: Generated<number>;
    attempted_at: Date | null;
    duration_ms: number | null;
    response_status: number | null;
    failure: DeliveryFailure | null;
    created_at: Date;
  };
  /** Where notifications of a session are sent by Web Push. */
  push_subscriptions: {
    session_id: string;
    account_id: string;
    /** The address at the push service. */
    endpoint: string;
    /** The browser's keys in base64url: a P-256 point and the authentication secret. */
    p256dh: string;
    auth: string;
    events: Json<NotificationEvent[]>;
    /** Whether notifications contain names of recordings and texts of to-dos. */
    shows_titles: boolean;
    /** IANA time zone of the owner. */
    time_zone: string;
    /** When the to-dos of the day are looked up next; null without the event. */
    todos_at: Date | null;
    /** The last local day that was looked up, such as `2026-11-21`. */
    todos_day: string | null;
    /** When the first of the latest attempts failed; null after a success. */
    failing_since: Date | null;
    created_at: Date;
  };
  /** The events that are mailed to an account. Without a row, there are none. */
  notification_mails: {
    account_id: string;
    events: Json<NotificationEvent[]>;
    /** IANA time zone of the owner. */
    time_zone: string;
    /** When the waiting transcripts are mailed; null if none wait. */
    digest_at: Date | null;
    digest_sent_at: Date | null;
    /** As in `push_subscriptions`. */
    todos_at: Date | null;
    todos_day: string | null;
  };
  /** Recordings whose transcripts have become ready since the last mail. */
  waiting_transcripts: {
    recording_id: string;
    account_id: string;
    /** Identifies the event, so that one that occurs while a mail is sent waits for the next mail. */
    entry: string;
  };
  /** Rules that move old recordings to the recycle bin. */
  retention_rules: {
    id: string;
    account_id: string;
    /** The tag of the recordings; null for all recordings. */
    tag: string | null;
    /** The age from which recordings are moved. */
    after: number;
    unit: RetentionUnit;
    created_at: Date;
    /** When the rule may move recordings for the first time. */
    acts_at: Date;
    /** Why the rule waits until the owner confirms it; null if it doesn't. */
    paused: RetentionPause | null;
  };
  /** Applications of rules that moved recordings, each with a copy of its rule. */
  retention_runs: {
    id: string;
    account_id: string;
    tag: string | null;
    after: number;
    unit: RetentionUnit;
    started_at: Date;
    /** The number of recordings that were moved, including those that were deleted since. */
    move_count: Generated<number>;
  };
  /** Recordings that a run moved to the recycle bin. They are still there if they have the same `binned_at`. */
  retention_moves: { run_id: string; recording_id: string; binned_at: Date };
  /** At most one row: when the rules were last applied, by the clock of the database. */
  retention_clock: { id: Generated<boolean>; ran_at: Date };
  /** Networks from which an account has signed in, as keyed hashes. */
  known_networks: { account_id: string; network: Buffer; seen_at: CreatedAt };
  /** Email addresses that received a trial and free minutes, as keyed hashes. They outlive their accounts. */
  trials: { address: Buffer; given_at: CreatedAt };
  refresh_tokens: {
    hash: Buffer;
    session_id: string;
    created_at: CreatedAt;
    expires_at: Date;
    used_at: Date | null;
    /** Number of times that an unused successor was replaced. */
    renewals: Generated<number>;
    /** When this token was replaced by another successor. */
    voided_at: Date | null;
  };
  rate_windows: { key: string; started_at: CreatedAt; last_at: CreatedAt; count: number };
  devices: {
    sn: string;
    name: Generated<string>;
    project_code: Generated<string>;
    registered_at: CreatedAt;
    /** Ed25519 key (32 bytes) that verifies the recorder's signatures; null if none was registered. */
    public_key: Generated<Buffer | null>;
  };
  bindings: {
    sn: string;
    account_id: string;
    bound_at: CreatedAt;
    /** The encrypted key; null for a binding made with version 1 of the recorder's protocol. */
    binding_key: Buffer | null;
    /** Whether the recorder proved the binding with a signature for this account. */
    is_proved: Generated<boolean>;
  };
  upload_leaves: {
    key: string;
    account_id: string;
    type: ObjectType;
    ext: string;
    max_size: number;
    created_at: CreatedAt;
    expires_at: Date;
    /** The request that is currently writing a resumable upload; null if there is none. */
    lock_holder: string | null;
    /** When the lock expires. A holder that hasn't renewed it by then is presumed dead. */
    locked_until: Date | null;
    /** Whether another request is waiting for the lock. */
    lock_wanted: Generated<boolean>;
  };
  /** The live text of recordings in progress. Counts are in packets of 20 ms from the start of the recording. */
  live_sessions: {
    id: string;
    account_id: string;
    /** The id that the client gives the recording. */
    client_flag: string;
    language: SpokenLanguage;
    /** Number of packets received. */
    received: Generated<number>;
    /** Number of packets before the end of the last slice. */
    settled: Generated<number>;
    /** Number of packets that the last worker had read when it released the session. */
    processed: Generated<number>;
    /** Whether the recording has ended, so that no more packets follow. */
    ended: Generated<boolean>;
    /** Why there is no more text; null while there is. */
    error_code: number | null;
    /** Text after the last slice that may still change. */
    tentative: Json<LivePassage | null>;
    /** The worker that holds the session. */
    held_by: string | null;
    /** When the hold expires. A worker that has not renewed it by then is presumed dead. */
    held_until: Date | null;
    created_at: CreatedAt;
    updated_at: CreatedAt;
  };
  /** Packets that are not settled yet, and the few before them from which a decoder resumes. */
  live_packets: { session_id: string; first: number; packets: Buffer };
  /** Recognized parts of a recording in progress. They adjoin each other, starting with the first packet. */
  live_slices: {
    session_id: string;
    /** Index of the first packet, and the number of packets. */
    first: number;
    count: number;
    /** SHA-256 of the packets. */
    sha256: Buffer;
    /** The result, with times from the start of the recording; null for silence. */
    result: Json<SliceResult | null>;
    /** The words as text; '' if nothing was said. */
    text: string;
  };
  /** Files in IMPORT_DIR that were scanned, by their path within the account's folder. */
  imported_files: {
    account_id: string;
    path: string;
    /** Size in bytes, as bigint. */
    size: ColumnType<string, number, number>;
    modified_at: Date;
    outcome: Json<FileOutcome>;
  };
  recordings: {
    id: string;
    account_id: string;
    client_flag: string;
    name: Generated<string>;
    ai_title: Generated<string>;
    source: Generated<number>;
    /** Null if the recording was registered without a type. */
    scene: Scene | null;
    object_key: string | null;
    file_size: Generated<number>;
    /** Digest of the stored file, as computed by the server. */
    sha256: string | null;
    /** Digest of the audio, as computed by `digestAudio`; null until it is computed. */
    audio_sha256: string | null;
    /** Digest of the file, as computed by the phone that uploaded it and confirmed by the server. */
    client_sha256: string | null;
    /** When the object with these digests was stored. */
    object_stored_at: Date | null;
    /** When the object was found to be missing from the store; null while it exists. */
    lost_at: Date | null;
    /** Whether phones may request a transcription automatically. */
    auto_transcribe: Generated<boolean>;
    mime_type: Generated<string>;
    ext: Generated<string>;
    total_time: Generated<number>;
    /** In base64, as in the contract. */
    peaks: Generated<string>;
    sn: Generated<string>;
    brief: Generated<string>;
    keywords: Json<string[]>;
    is_del: Generated<0 | 1>;
    /** 1 if the recording is protected: retention rules never move it to the recycle bin. */
    is_protected: Generated<0 | 1>;
    /** 1 if the recording is archived, and so hidden from the list. */
    is_archived: Generated<0 | 1>;
    binned_at: Date | null;
    /** When the recording was last restored from the recycle bin; null if it never was. */
    restored_at: Date | null;
    /** The run that moved the recording to the recycle bin, where it has been since; null if no rule moved it. */
    binned_by: Json<AutomaticMove | null>;
    /** Revision at which the audio was stored; null if it never was. */
    stored_rev: number | null;
    tags: Json<string[]>;
    place: Json<Place | null>;
    /** The language spoken in the recording, as set by the user; null for the account's language. */
    language: SpokenLanguage | null;
    /** Names and terms that speech recognition looks for. */
    words: Json<string[]>;
    speakers: Json<Record<string, string>>;
    /** Names proposed for unnamed speakers, by the speaker's label. */
    proposals: Json<Record<string, string>>;
    markers: Json<Marker[]>;
    notes: Json<Note[]>;
    ticks: Json<Record<string, boolean>>;
    mind_map: Json<MindNode[] | null>;
    unplaced: Json<UnplacedChange[]>;
    rev: number;
    recorded_at: Date;
    /** How many minutes the user's local time was ahead of UTC. */
    utc_offset: Generated<number>;
    created_at: CreatedAt;
    updated_at: CreatedAt;
  };
  /** Audio levels of recorded calls; see call.ts in the audio package. */
  call_levels: { recording_id: string; levels: Buffer };
  /** The voices of speakers in the latest transcript, of accounts that have agreed to store them. */
  speaker_voices: {
    recording_id: string;
    /** The speaker's label in the transcript. */
    speaker: string;
    account_id: string;
    /** The model that computed the embedding. */
    model: string;
    /** A unit vector, encoded by `vectorToBytes`. */
    embedding: Buffer;
    /** Whether the owner has named the speaker, removed the name, or dismissed a proposal. */
    is_answered: Generated<boolean>;
    created_at: CreatedAt;
  };
  tasks: {
    id: string;
    recording_id: string;
    account_id: string;
    /** `auto` until the engine has detected the language. */
    language: SpokenLanguage;
    status: Generated<TaskStatus>;
    progress: Generated<number>;
    /** Object to transcribe instead of the recording's own audio, while the task is active. */
    audio_key: string | null;
    /** Current step; null unless the task is running. `step_done` is the completed fraction of the step, 0 to 1. */
    step: TaskStep | null;
    step_done: Generated<number>;
    /** When the current step started waiting for a service; null while the step is running. */
    waiting_since: Date | null;
    attempts: Generated<number>;
    /** Queue position, assigned by `nextQueuePosition`. */
    turn: Generated<number>;
    error_code: number | null;
    engine: string | null;
    title: Generated<string>;
    brief: Generated<string>;
    summary: Generated<string>;
    summary_json: Json<SummaryDocument | null>;
    /** Options of the most recently requested summary; null for the defaults. */
    summary_request: Json<SummaryRequest | null>;
    keywords: Json<string[]>;
    xmind_json: Json<MindNode[] | null>;
    minutes: Generated<number>;
    /** The paragraphs to transcribe; null for the whole recording. */
    range: Json<TaskRange | null>;
    /** Whether the task costs no minutes, because it replaces a draft by a better engine. */
    is_free: Generated<boolean>;
    /** Revision at which the transcript was stored; null if there is none, or if it's older than this column. */
    transcript_rev: number | null;
    /** Status of the most recent summary request; null if there was none. */
    summary_status: TaskStatus | null;
    summary_error_code: number | null;
    rev: number;
    created_at: CreatedAt;
    updated_at: CreatedAt;
  };
  /** Outputs of an active task's completed steps. */
  task_steps: {
    task_id: string;
    step: TaskStep;
    output: Json<object>;
    finished_at: CreatedAt;
  };
  paragraphs: {
    id: string;
    task_id: string;
    account_id: string;
    ordinal: number;
    start_time: number;
    end_time: number;
    content: string;
    /** The transcribed text; null until the paragraph is edited. */
    original: string | null;
    words: Json<Word[]>;
    speaker: string | null;
    /** The language, if it isn't that of the transcript. */
    language: Bcp47 | null;
    is_tag: Generated<Paragraph['is_tag']>;
    rev: number;
  };
  tombstones: {
    account_id: string;
    kind: 'recording';
    id: string;
    client_flag: string | null;
    rev: number;
    deleted_at: CreatedAt;
  };
  minute_grants: {
    id: string;
    account_id: string;
    purse: 'vip' | 'free' | 'package';
    minutes: number;
    ref: string;
    expires_at: Date | null;
    created_at: CreatedAt;
  };
  minute_charges: {
    id: string;
    grant_id: string;
    account_id: string;
    task_id: string;
    minutes: number;
    state: 'reserved' | 'settled' | 'released';
    created_at: CreatedAt;
    closed_at: Date | null;
  };
  operations: {
    account_id: string;
    op_id: string;
    /** The register that the operation writes. Its current value comes from the last operation that was applied. */
    register: string;
    type: OperationType;
    rev: number;
    /** Latest revision that the writer had seen. */
    base_rev: number;
    /** Effective time, never earlier than that of the value that the writer had seen and replaced. */
    at: Date;
    /** Time on the writer's clock. */
    own_at: Date;
    outcome: OperationOutcome['outcome'];
    code: Generated<number>;
    /** The new value; null once the recording is permanently deleted. */
    value: Json<object | null>;
    created_at: CreatedAt;
  };
  settings: {
    account_id: string;
    group_name: string;
    config_key: string;
    config_value: string;
    /** Revision at which this value was set; 0 if it has always been the default. */
    since: number;
    /** When this value was set. */
    changed_at: Date;
    rev: number;
  };
  transcription_history: {
    task_id: string;
    account_id: string;
    recording_id: string | null;
    name: string;
    /** Source of the recording: 1 is a call, anything else a note. */
    source: Generated<number>;
    scene: Scene | null;
    total_time: number;
    language: SpokenLanguage;
    status: TaskStatus;
    error_code: number | null;
    minutes: Generated<number>;
    created_at: Date;
    updated_at: Date;
  };
  orders: {
    id: string;
    account_id: string | null;
    email: string;
    plan: PlanId;
    price: number;
    currency: string;
    status: OrderStatus;
    provider: 'sandbox' | 'stripe';
    /** The payment service's ID of the checkout, of the subscription once it is paid, or of a renewal's invoice. */
    provider_ref: string | null;
    /** The payment service's ID of the payment, used for refunds. */
    payment_ref: string | null;
    return_path: string;
    created_at: Date;
    paid_at: Date | null;
    closed_at: Date | null;
  };
  subscriptions: {
    id: string;
    account_id: string;
    plan: PlanId;
    status: 'active' | 'past_due' | 'canceled' | 'ended';
    period_end: Date;
    provider: 'sandbox' | 'stripe';
    provider_ref: string;
    /** When the payment service was last queried for the status. */
    asked_at: Date;
    created_at: Date;
  };
  farewells: {
    account_id: string;
    email: string;
    language: ColumnType<InterfaceLanguage, InterfaceLanguage | undefined, never>;
    closed_at: Date;
  };
  payment_events: { provider: string; event_id: string; created_at: CreatedAt };
  feedback: {
    id: string;
    /** Null for a signed-out user. */
    account_id: string | null;
    kind: CallInput<'site/feedback'>['kind'];
    content: string;
    contact: string;
    /** The attached log; empty if none. */
    log: string;
    log_key: string | null;
    created_at: CreatedAt;
  };
}
