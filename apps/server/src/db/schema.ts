import type {
  CallInput,
  Marker,
  MindNode,
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
  Word,
} from '@linnet/contract';
import type { Bcp47, SpokenLanguage } from '@linnet/contract/languages';
import type { ColumnType, Generated, JSONColumnType } from 'kysely';

/** How a summary was asked for. */
export interface SummaryRequest {
  readonly structure: StructureId;
  readonly template?: SummaryTemplate;
  /** Of the summary. */
  readonly language?: Bcp47;
}

/** The tables as the migrations make them. Times are Dates, bigints are numbers (below 2^53). */
type CreatedAt = ColumnType<Date, Date | undefined, Date>;
type Json<Value extends object | null> = JSONColumnType<
  Value,
  string | null | undefined,
  null extends Value ? string | null : string
>;

export interface Tables {
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
    /** A payment for the next period is expected: being late with it does not end VIP at once. */
    vip_renews: Generated<boolean>;
    /** Trial or granted time that was put off by buying a membership, and comes when that is over. */
    vip_rest_plan: 'trial' | 'granted' | null;
    vip_rest_seconds: Generated<number>;
    rev: Generated<number>;
    /** Set once its owner closed it: nobody signs in, and a job takes everything away. */
    closed_at: Date | null;
    /** Which counting of revisions this is: a restored server begins another one. */
    epoch: Generated<string>;
    created_at: CreatedAt;
  };
  verification_codes: {
    email: string;
    /** The code follows from it and from a key that is not in the database. */
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
    /** What signed in, as its owner recognises it; '' where it did not say. */
    device: Generated<string>;
    last_seen_at: CreatedAt;
    /** When the password was entered last in this session; null for sessions older than this column. */
    password_at: Date | null;
  };
  /** Networks that an account signed in from, as keyed hashes. */
  known_networks: { account_id: string; network: Buffer; seen_at: CreatedAt };
  /** E-mail addresses that had their trial and free minutes, as keyed hashes; accounts come and go. */
  trials: { address: Buffer; given_at: CreatedAt };
  refresh_tokens: {
    hash: Buffer;
    session_id: string;
    created_at: CreatedAt;
    expires_at: Date;
    used_at: Date | null;
    /** How often a successor that was never used was replaced by another one. */
    renewals: Generated<number>;
    /** When another successor took its place. */
    voided_at: Date | null;
  };
  rate_windows: { key: string; started_at: CreatedAt; last_at: CreatedAt; count: number };
  devices: {
    sn: string;
    name: Generated<string>;
    project_code: Generated<string>;
    registered_at: CreatedAt;
    /** Ed25519, 32 bytes: checks what the recorder signs. Null for one that was registered without. */
    public_key: Generated<Buffer | null>;
  };
  bindings: {
    sn: string;
    account_id: string;
    bound_at: CreatedAt;
    /** Sealed; null for one that was bound under version 1 of the recorder's protocol. */
    binding_key: Buffer | null;
    /** Whether the recorder has signed for this account. */
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
    /** The request that writes an upload in parts; null when none does. */
    lock_holder: string | null;
    /** The holder is dead when this has passed. */
    locked_until: Date | null;
    /** Another request waits for the lock. */
    lock_wanted: Generated<boolean>;
  };
  recordings: {
    id: string;
    account_id: string;
    client_flag: string;
    name: Generated<string>;
    ai_title: Generated<string>;
    source: Generated<number>;
    object_key: string | null;
    file_size: Generated<number>;
    /** Of the stored file, as the server computed it. */
    sha256: string | null;
    /** Of the audio in it, as `digestAudio` computes it; null until it was computed. */
    audio_sha256: string | null;
    /** Of the file, as the phone that sent it computed it, and the server found it to be. */
    client_sha256: string | null;
    /** When the store took the object whose digests these are. */
    object_stored_at: Date | null;
    /** Since when the store has the object no more; null while it has it. */
    lost_at: Date | null;
    /** Whether phones may have it transcribed without being asked. */
    auto_transcribe: Generated<boolean>;
    mime_type: Generated<string>;
    ext: Generated<string>;
    total_time: Generated<number>;
    /** Base64, as the contract has it. */
    peaks: Generated<string>;
    sn: Generated<string>;
    brief: Generated<string>;
    keywords: Json<string[]>;
    is_del: Generated<0 | 1>;
    binned_at: Date | null;
    /** The revision at which its audio came; null when the server never had any. */
    stored_rev: number | null;
    tags: Json<string[]>;
    place: Json<Place | null>;
    speakers: Json<Record<string, string>>;
    markers: Json<Marker[]>;
    ticks: Json<Record<string, boolean>>;
    mind_map: Json<MindNode[] | null>;
    rev: number;
    recorded_at: Date;
    created_at: CreatedAt;
    updated_at: CreatedAt;
  };
  tasks: {
    id: string;
    recording_id: string;
    account_id: string;
    /** `auto` until the engine found out which. */
    language: SpokenLanguage;
    status: Generated<TaskStatus>;
    progress: Generated<number>;
    /** The object that is heard in place of the recording's, while the task is under way. */
    audio_key: string | null;
    /** What is being done, and how much of it is, 0 to 1; null unless it is worked on. */
    step: TaskStep | null;
    step_done: Generated<number>;
    attempts: Generated<number>;
    /** Tasks wait in the order of their turns: see nextTurn. */
    turn: Generated<number>;
    error_code: number | null;
    engine: string | null;
    title: Generated<string>;
    brief: Generated<string>;
    summary: Generated<string>;
    summary_json: Json<SummaryDocument | null>;
    /** What the owner asked for last; null while that is nothing but the default. */
    summary_request: Json<SummaryRequest | null>;
    keywords: Json<string[]>;
    xmind_json: Json<MindNode[] | null>;
    minutes: Generated<number>;
    /** The summary made again; null while it never was. */
    summary_status: TaskStatus | null;
    summary_error_code: number | null;
    rev: number;
    created_at: CreatedAt;
    updated_at: CreatedAt;
  };
  /** What each finished step of a task under way gave. */
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
    /** What the engine heard, once the owner changed it. */
    original: string | null;
    words: Json<Word[]>;
    speaker: string | null;
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
    /** What it changes: the last applied operation of a register made its present value. */
    register: string;
    type: OperationType;
    rev: number;
    /** The latest revision its writer had seen. */
    base_rev: number;
    /** When it counts as done: not before anything that its writer knowingly replaced. */
    at: Date;
    /** When its writer's clock said that it was done. */
    own_at: Date;
    outcome: OperationOutcome['outcome'];
    code: Generated<number>;
    /** What it set; null once its recording is gone for good. */
    value: Json<object | null>;
    created_at: CreatedAt;
  };
  settings: {
    account_id: string;
    group_name: string;
    config_key: string;
    config_value: string;
    /** The revision at which it took this value; 0 where it is the default and always was. */
    since: number;
    /** When it took this value. */
    changed_at: Date;
    rev: number;
  };
  transcription_history: {
    task_id: string;
    account_id: string;
    recording_id: string | null;
    name: string;
    /** As of the recording: 1 is a call, anything else a note. */
    source: Generated<number>;
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
    /** What the payment service calls it: a checkout, a subscription once paid, a renewal's invoice. */
    provider_ref: string | null;
    /** What the payment service calls the payment; it is what can be refunded. */
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
    /** When the payment service was asked for the status. */
    asked_at: Date;
    created_at: Date;
  };
  farewells: { account_id: string; email: string; closed_at: Date };
  payment_events: { provider: string; event_id: string; created_at: CreatedAt };
  feedback: {
    id: string;
    /** Null: of somebody who was not signed in. */
    account_id: string | null;
    kind: CallInput<'site/feedback'>['kind'];
    content: string;
    contact: string;
    /** The log that came with it; empty without one. */
    log: string;
    log_key: string | null;
    created_at: CreatedAt;
  };
}
