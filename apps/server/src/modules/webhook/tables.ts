import type {
  DeliveryFailure,
  DeliveryStatus,
  WebhookEnding,
  WebhookEvent,
  webhookTest,
} from '@linnet/contract/webhooks';
import type { Generated } from 'kysely';
import type { Json } from '../../db/columns.ts';

/** The tables of webhooks. */
export interface WebhookTables {
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
}
