import type {
  DeliveryFailure,
  DeliveryStatus,
  WebhookEnding,
  WebhookEvent,
  webhookTest,
} from '@linnet/contract/webhooks';
import type { Generated } from 'kysely';
import type { Json } from '../../db/columns.ts';

/** Tables for webhooks. */
export interface WebhookTables {
  webhooks: {
    id: string;
    account_id: string;
    url: string;
    events: Json<WebhookEvent[]>;
    /** The secret that signs messages, encrypted for this row. */
    secret: Buffer;
    /** The previous secret, and until when messages are also signed with it. */
    old_secret: Buffer | null;
    old_secret_until: Date | null;
    /** When the current series of failures started, or null if the latest attempt succeeded. */
    failing_since: Date | null;
    disabled_at: Date | null;
    disabled_reason: WebhookEnding | null;
    /** When a queued job sends the next messages, or null if none is queued. */
    wake_at: Date | null;
    /** When the lease of the running job expires, or null if no job is running. */
    running_until: Date | null;
    /** When the pause after a failure or throttling ends, or null if the webhook isn't paused. */
    paused_until: Date | null;
    created_at: Date;
  };
  /** Messages to webhooks, with the result of the latest attempt. */
  webhook_deliveries: {
    id: string;
    webhook_id: string;
    type: WebhookEvent | typeof webhookTest;
    /** The recording and its client flag, or null for a test. A permanently deleted recording has no row. */
    recording_id: string | null;
    client_flag: string | null;
    occurred_at: Date;
    status: DeliveryStatus;
    /** Whether further edits of the recording are still added to this message. */
    gathers: Generated<boolean>;
    /**
     * When the next attempt is due or, during an attempt, when the worker is presumed dead. Null once the delivery has
     * finished.
     */
    due_at: Date | null;
    /** Number of attempts, in total and since the user last sent the message. */
    attempts: Generated<number>;
    tries: Generated<number>;
    attempted_at: Date | null;
    duration_ms: number | null;
    response_status: number | null;
    failure: DeliveryFailure | null;
    created_at: Date;
  };
}
