import type { NotificationEvent } from '@linnet/contract/notifications';
import type { Json } from '../../db/columns.ts';

/** Tables for notification emails. */
export interface NotificationMailTables {
  /** The events that an account is emailed about. Without a row, there are none. */
  notification_mails: {
    account_id: string;
    events: Json<NotificationEvent[]>;
    /** The user's IANA time zone. */
    time_zone: string;
    /** When the next digest of transcripts is due, or null if no transcripts are waiting. */
    digest_at: Date | null;
    digest_sent_at: Date | null;
    /** As in `push_subscriptions`. */
    todos_at: Date | null;
    todos_day: string | null;
  };
  /** Recordings whose transcripts have become ready since the last email. */
  waiting_transcripts: {
    recording_id: string;
    account_id: string;
    /** Identifies the event, so that a transcript completed during sending waits for the next email. */
    entry: string;
  };
}
