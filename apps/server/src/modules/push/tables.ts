import type { NotificationEvent } from '@linnet/contract/notifications';
import type { Json } from '../../db/columns.ts';

/** Table for push notifications. */
export interface PushTables {
  /** Where a session's notifications are sent with Web Push. */
  push_subscriptions: {
    session_id: string;
    account_id: string;
    /** URL at the push service. */
    endpoint: string;
    /** The browser's keys in base64url: a P-256 point and the authentication secret. */
    p256dh: string;
    auth: string;
    events: Json<NotificationEvent[]>;
    /** Whether notifications contain recording names and the text of to-dos. */
    shows_titles: boolean;
    /** The user's IANA time zone. */
    time_zone: string;
    /** When the day's to-dos are looked up next, or null if the event is off. */
    todos_at: Date | null;
    /** The last local day whose to-dos were looked up, such as `2026-11-21`. */
    todos_day: string | null;
    /** When the current series of failures started, or null after a success. */
    failing_since: Date | null;
    created_at: Date;
  };
}
