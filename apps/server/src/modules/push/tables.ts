import type { NotificationEvent } from '@linnet/contract/notifications';
import type { Json } from '../../db/columns.ts';

/** The table of notifications. */
export interface PushTables {
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
}
