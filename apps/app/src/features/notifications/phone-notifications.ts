/** Notifications of a phone app, which has no push service: the app itself detects the events. */
import { Coalesced, withUtcOffset } from '@linnet/base';
import { getDirection } from '@linnet/contract/interface-languages';
import { notificationEvents, todosHour } from '@linnet/contract/notifications';
import { type DueTodo, isTrans, type RecordStore, type RecordSummary } from '@linnet/sync';
import type { TFunction } from 'i18next';
import { formatCount } from '../../i18n/format.ts';
import { recordingName } from '../../i18n/record-name.ts';
import type {
  NotificationChoices,
  NotificationsFailure,
  NotificationsState,
} from '../../ports/notifications.ts';
import type { Outcome } from '../../ports/store.ts';
import type {
  PhoneNotifications,
  RunningNotifications,
  ScheduledNotice,
  ShownNotice,
} from './device-notifications.ts';

/** Local storage key of the account's choices. */
const CHOICES_KEY = 'PHONE_NOTIFICATIONS';
/** Number of days for which to-dos are scheduled. iOS keeps at most 64 scheduled notifications of an app. */
const scheduledDays = 30;
/** Maximum number of to-dos that a notification shows. */
const maxLines = 3;

type StoredChoices = NotificationChoices & { readonly uid: string };
/** The tasks by recording. */
type Seen = { readonly uid: string; readonly tasks: ReadonlyMap<string, string> };
type Result = Outcome<NotificationsState, NotificationsFailure>;

const notStored: Result = { ok: false, failure: { kind: 'not-stored' } };

export type PhoneNotificationsOptions = {
  readonly device: PhoneNotifications;
  readonly records: Pick<RecordStore, 'summaries' | 'dueTodos'>;
  /** Returns the ID of the signed-in account. */
  readonly uid: () => string | null;
  /** Whether the server's earlier changes have been received, so that a new transcript really is new. */
  readonly isCaughtUp: () => boolean;
  readonly isVisible: () => boolean;
  /** Returns the path of a recording's page, at a paragraph if one is given. */
  readonly recordingPath: (id: string, paragraph?: string) => string;
  /** The path of the app's first page. */
  readonly startPath: string;
  readonly t: TFunction;
  /** Returns the interface language. */
  readonly language: () => string;
  readonly now: () => Date;
  readonly onError: (error: unknown) => void;
};

/**
 * Creates the notifications of a phone app. The app detects new transcripts while it runs in the background. To-dos
 * are scheduled, so that they are shown even while the app is closed.
 */
export function createPhoneNotifications(options: PhoneNotificationsOptions): RunningNotifications {
  const { device, records, uid, recordingPath, t, language, now, onError } = options;
  /** The account whose recordings were last checked, and the tasks of those that were being transcribed. */
  let seen: Seen | null = null;

  /** Returns the choices of the signed-in account; null if its notifications are off. */
  function getChoices(): NotificationChoices | null {
    const stored = readChoices();
    return stored !== null && stored.uid === uid() && device.permission() === 'granted'
      ? { events: stored.events, showsTitles: stored.showsTitles }
      : null;
  }

  function state(): Result {
    if (device.permission() === 'denied') return { ok: true, data: { status: 'blocked' } };
    const choices = getChoices();
    return { ok: true, data: choices ? { status: 'on', choices } : { status: 'off' } };
  }

  /** Stores the choices. If there is no space or no account, the previous choices remain. */
  function store(choices: NotificationChoices): Result {
    const stored = { ...choices, uid: uid() };
    if (stored.uid === null) return notStored;
    try {
      localStorage.setItem(CHOICES_KEY, JSON.stringify(stored));
    } catch (error) {
      onError(error);
      return notStored;
    }
    schedule();
    return state();
  }

  /** Reports a failure of the device as an outcome. */
  async function attempt<T>(
    request: () => Promise<Outcome<T, NotificationsFailure>>,
  ): Promise<Outcome<T, NotificationsFailure>> {
    try {
      return await request();
    } catch (error) {
      onError(error);
      return { ok: false, failure: { kind: 'device' } };
    }
  }

  const notice = (
    text: Pick<ShownNotice, 'title' | 'tag' | 'path'>,
    lines: readonly string[],
  ): ShownNotice => ({
    ...text,
    body: lines.join('\n'),
    lang: language(),
    dir: getDirection(language()),
  });

  const transcriptNotice = (record: RecordSummary, showsTitles: boolean): ShownNotice =>
    notice(
      {
        title: t('notifications.transcript'),
        tag: `transcript ${record.id}`,
        path: recordingPath(record.id),
      },
      showsTitles ? [recordingName(record, t, language())] : [],
    );

  /** Returns the notification of a day's to-dos; null if its time has passed. */
  function todosNotice(
    day: string,
    todos: readonly DueTodo[],
    showsTitles: boolean,
  ): ScheduledNotice | null {
    // Without a time zone, the time is this device's local time.
    const at = new Date(`${day}T${String(todosHour).padStart(2, '0')}:00:00`);
    const [first] = todos;
    if (first === undefined || at <= now()) return null;
    const lines = showsTitles ? todos.slice(0, maxLines).map(({ text }) => text) : [];
    const { length: count } = todos;
    const title = t('notifications.todosDue', { count, formatted: formatCount(count, language()) });
    const path = recordingPath(first.recording, first.paragraph);
    return { ...notice({ title, tag: `todos ${day}`, path }, lines), at };
  }

  /** Shows the transcripts that have become ready since the last call. */
  async function noticeTranscripts(): Promise<void> {
    const owner = uid();
    if (owner === null || !options.isCaughtUp()) {
      seen = null;
      return;
    }
    const list = await records.summaries(owner);
    if (uid() !== owner) return;
    const previousTasks = seen?.uid === owner ? seen.tasks : new Map<string, string>();
    const tasks = new Map<string, string>();
    const readyRecords: RecordSummary[] = [];
    for (const record of list) {
      const { id, is_trans, taskId } = record;
      if (taskId === null) continue;
      if (is_trans === isTrans.transferring) tasks.set(id, taskId);
      // A canceled or failed task restores the transcript of an earlier one.
      else if (is_trans === isTrans.translated && previousTasks.get(id) === taskId)
        readyRecords.push(record);
    }
    seen = { uid: owner, tasks };
    if (readyRecords.length === 0) return;
    const choices = getChoices();
    if (choices?.events.includes('transcript') && !options.isVisible()) {
      for (const record of readyRecords) {
        if (uid() !== owner) return;
        // The other notifications don't depend on this one.
        await device.show(transcriptNotice(record, choices.showsTitles)).catch(onError);
      }
    }
  }

  const checking = new Coalesced(async () => {
    await noticeTranscripts();
    // A summary with to-dos may follow its transcript. While the app is visible, its to-dos are scheduled once it's
    // hidden.
    if (!options.isVisible() && getChoices()?.events.includes('todos')) await scheduling.run();
  });

  const scheduling = new Coalesced(async () => {
    const owner = uid();
    const choices = getChoices();
    if (owner === null || !choices?.events.includes('todos')) {
      await device.cancelScheduled();
      return;
    }
    const today = now();
    const lastDay = new Date(today);
    lastDay.setDate(lastDay.getDate() + scheduledDays - 1);
    const todos = await records.dueTodos(owner, localDay(today), localDay(lastDay));
    // A sign-out clears the device after the calls that precede it.
    if (uid() !== owner) return;
    await device.schedule(
      [...Map.groupBy(todos, ({ due }) => due)].flatMap(
        ([day, ofDay]) => todosNotice(day, ofDay, choices.showsTitles) ?? [],
      ),
    );
  });

  const schedule = () => void scheduling.run().catch(onError);

  return {
    place: 'phone',
    renew: () => scheduling.run(),
    recordsChanged: () => void checking.run().catch(onError),
    // While the app is open, to-dos are changed there.
    pageHidden: schedule,

    get: () =>
      attempt(async () => {
        await device.readPermission();
        return state();
      }),

    turnOn: () =>
      attempt(async () => {
        const permission = await device.requestPermission();
        if (permission !== 'granted') return state();
        return store({ events: notificationEvents, showsTitles: true });
      }),

    change: async (choices) => store(choices),

    async turnOff() {
      localStorage.removeItem(CHOICES_KEY);
      schedule();
      return state();
    },

    test: () =>
      attempt(async () => {
        const text = { title: t('notifications.testTitle'), tag: 'test', path: options.startPath };
        await device.show(notice(text, [t('notifications.testBody')]));
        return { ok: true, data: null };
      }),

    onTap: device.onTap,
  };
}

function readChoices(): StoredChoices | null {
  const stored = localStorage.getItem(CHOICES_KEY);
  return stored === null ? null : (JSON.parse(stored) as StoredChoices);
}

/** Returns the day in this device's time zone, such as `2026-11-21`. */
const localDay = (time: Date): string => withUtcOffset(time).slice(0, 10);
