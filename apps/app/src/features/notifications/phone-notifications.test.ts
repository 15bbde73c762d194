import { type DueTodo, isTrans, type RecordSummary } from '@linnet/sync';
import i18next from 'i18next';
import { afterEach, beforeAll, beforeEach, expect, it, vi } from 'vitest';
import en from '../../i18n/locales/en/index.ts';
import { stubLocalStorage } from '../testing/local-storage.ts';
import type { ScheduledNotice, ShownNotice } from './device-notifications.ts';
import { createPhoneNotifications } from './phone-notifications.ts';

beforeAll(() => i18next.init({ lng: 'en', resources: { en: { translation: en } } }));
let hasSpace: boolean;
beforeEach(() => {
  hasSpace = true;
  stubLocalStorage(() => hasSpace);
});
afterEach(() => void vi.unstubAllGlobals());

/** Half past six in the morning, in this machine's time zone. */
const morning = new Date(2026, 10, 21, 6, 30);
const { transferring, translated, untranslated } = isTrans;
const bothEvents = { events: ['transcript', 'todos'], showsTitles: true } as const;

/** A phone whose user gives an answer when asked. */
function start(answer: NotificationPermission = 'granted') {
  const phone = {
    permission: 'default' as NotificationPermission,
    uid: 'ada' as string | null,
    now: morning,
    isVisible: false,
    isCaughtUp: true,
    records: [] as RecordSummary[],
    todos: [] as DueTodo[],
    shown: [] as ShownNotice[],
    scheduled: [] as readonly ScheduledNotice[],
    /** The permission after a visit to the settings. */
    settings: null as NotificationPermission | null,
    /** Called while records are being read, before the user is asked, and before each notification. */
    onRead: () => {},
    onAsk: () => {},
    onShow: (_notice: ShownNotice): void => {},
    /** The expected errors; any other fails the test. */
    errors: null as unknown[] | null,
  };
  const service = createPhoneNotifications({
    device: {
      kind: 'phone',
      permission: () => phone.permission,
      async readPermission() {
        phone.onAsk();
        phone.permission = phone.settings ?? phone.permission;
        return phone.permission;
      },
      async requestPermission() {
        phone.onAsk();
        phone.permission = answer;
        return answer;
      },
      async show(notice) {
        phone.onShow(notice);
        phone.shown.push(notice);
      },
      async schedule(notices) {
        const shownNotices = phone.scheduled.filter(({ at }) => at <= phone.now);
        phone.scheduled = [...shownNotices, ...notices];
      },
      async cancelScheduled() {
        phone.scheduled = [];
      },
      onTap: () => () => {},
    },
    records: {
      async summaries() {
        phone.onRead();
        return phone.records;
      },
      async dueTodos(_uid, first, last) {
        phone.onRead();
        return phone.todos.filter(({ due }) => due >= first && due <= last);
      },
    },
    uid: () => phone.uid,
    isCaughtUp: () => phone.isCaughtUp,
    isVisible: () => phone.isVisible,
    recordingPath: (id, paragraph) => [id, paragraph].join('/'),
    startPath: '/pages/files',
    t: i18next.t,
    language: () => 'en',
    now: () => phone.now,
    onError(error) {
      if (phone.errors === null) throw error;
      phone.errors.push(error);
    },
  });
  /** Changes a recording's state, and waits until the service has checked it. */
  async function setState(
    is_trans: RecordSummary['is_trans'],
    id = 'r1',
    taskId: string | null = 'task',
  ): Promise<void> {
    const title = `Recording ${id}`;
    const record = { id, title, ai_title: '', is_trans, taskId } as RecordSummary;
    phone.records = [...phone.records.filter((each) => each.id !== id), record];
    service.recordsChanged();
    await settle();
  }
  return { phone, service, setState };
}
/** Resolves after all promises that are already resolved have been handled. */
const settle = () => new Promise((resolve) => setImmediate(resolve));
const todo = (due: string, text: string): DueTodo => ({
  ...{ recording: 'r1', paragraph: 'p1', due, text },
});

it('is off at first, and asks for permission only when turned on', async () => {
  const { phone, service, setState } = start();
  phone.todos = [todo('2026-11-21', 'Water the beans')];
  await service.renew();
  await setState(transferring);
  await setState(translated);
  expect(await service.get()).toEqual({ ok: true, data: { status: 'off' } });
  expect([phone.permission, phone.shown, phone.scheduled]).toEqual(['default', [], []]);
  const enabledState = { ok: true, data: { status: 'on', choices: bothEvents } };
  expect(await service.turnOn()).toEqual(enabledState);
  expect(await service.get()).toEqual(enabledState);
});

it.each([
  ['denied', 'blocked'],
  ['default', 'off'],
] as const)('when the user’s answer is %s, the status is %s', async (answer, status) => {
  const { service } = start(answer);
  expect(await service.turnOn()).toEqual({ ok: true, data: { status } });
});

it('reports choices that it can’t store, and keeps the previous ones', async () => {
  const { phone, service } = start();
  const failed = { ok: false, failure: { kind: 'not-stored' } };
  phone.errors = [];
  hasSpace = false;
  expect(await service.turnOn()).toEqual(failed);
  expect(await service.get()).toEqual({ ok: true, data: { status: 'off' } });
  hasSpace = true;
  await service.turnOn();
  hasSpace = false;
  expect(await service.change({ events: [], showsTitles: false })).toEqual(failed);
  expect(await service.get()).toEqual({ ok: true, data: { status: 'on', choices: bothEvents } });
  expect(phone.errors).toHaveLength(2);
  phone.uid = null;
  expect(await service.turnOn()).toEqual(failed);
});

it('reports requests that the phone refuses', async () => {
  const { phone, service } = start();
  const refused = new Error('refused');
  const refuse = () => {
    throw refused;
  };
  const failed = { ok: false, failure: { kind: 'device' } };
  Object.assign(phone, { errors: [], onAsk: refuse, onShow: refuse });
  expect(await service.turnOn()).toEqual(failed);
  expect(await service.get()).toEqual(failed);
  expect(await service.test()).toEqual(failed);
  expect(phone.errors).toEqual([refused, refused, refused]);
});

it('reads the permission again, because it may change in the settings', async () => {
  const { phone, service } = start();
  await service.turnOn();
  phone.settings = 'denied';
  expect(await service.get()).toEqual({ ok: true, data: { status: 'blocked' } });
  phone.settings = 'granted';
  expect(await service.get()).toMatchObject({ ok: true, data: { status: 'on' } });
});

it('is on only for the account that turned it on', async () => {
  const { phone, service, setState } = start();
  await service.turnOn();
  phone.uid = 'grace';
  expect(await service.get()).toEqual({ ok: true, data: { status: 'off' } });
  phone.todos = [todo('2026-11-21', 'Water the beans')];
  await service.renew();
  await setState(transferring);
  await setState(translated);
  expect([phone.shown, phone.scheduled]).toEqual([[], []]);
});

it('shows one notification when a transcript becomes ready in the background', async () => {
  const { phone, service, setState } = start();
  await service.turnOn();
  await setState(untranslated);
  await setState(transferring);
  expect(phone.shown).toEqual([]);
  await setState(translated);
  await setState(translated);
  expect(phone.shown).toEqual([
    {
      ...{ title: 'Transcript ready', body: 'Recording r1', lang: 'en', dir: 'ltr' },
      ...{ tag: 'transcript r1', path: 'r1/' },
    },
  ]);
  await service.change({ ...bothEvents, showsTitles: false });
  await setState(transferring, 'r2');
  await setState(translated, 'r2');
  expect(phone.shown.at(-1)).toMatchObject({ tag: 'transcript r2', body: '' });
});

it('shows no notification of a transcript that is restored because another transcription was canceled or failed', async () => {
  const { phone, service, setState } = start();
  await service.turnOn();
  await setState(translated, 'r1', 'first');
  await setState(transferring, 'r1', 'second');
  await setState(translated, 'r1', 'first');
  expect(phone.shown).toEqual([]);
  await setState(transferring, 'r1', 'third');
  await setState(translated, 'r1', 'third');
  expect(phone.shown).toHaveLength(1);
});

it('shows no notification of a transcript while the app is open or the event is turned off, or of one from the first sync or another account', async () => {
  const { phone, service, setState } = start();
  await service.turnOn();
  phone.isVisible = true;
  await setState(transferring);
  await setState(translated);
  phone.isVisible = false;
  await service.change({ events: ['todos'], showsTitles: true });
  await setState(transferring);
  await setState(translated);
  await service.change(bothEvents);
  phone.isCaughtUp = false;
  await setState(transferring);
  phone.isCaughtUp = true;
  await setState(translated);
  await setState(transferring);
  phone.uid = 'grace';
  await setState(translated);
  expect(phone.shown).toEqual([]);
});

it('schedules a notification of each day’s to-dos for the morning of that day', async () => {
  const { phone, service } = start();
  phone.todos = [
    ...['Water the beans', 'Weed the beds', 'Buy seeds', 'Mow'].map((text) =>
      todo('2026-11-21', text),
    ),
    todo('2026-11-23', 'Call Ben'),
    todo('2026-12-25', 'Much later'),
  ];
  await service.turnOn();
  await settle();
  const [first, second, ...others] = phone.scheduled;
  expect(first).toEqual({
    ...{ title: '4 to-dos due today', lang: 'en', dir: 'ltr' },
    ...{ body: 'Water the beans\nWeed the beds\nBuy seeds', tag: 'todos 2026-11-21' },
    ...{ path: 'r1/p1', at: new Date(2026, 10, 21, 8) },
  });
  expect(second).toMatchObject({ body: 'Call Ben', at: new Date(2026, 10, 23, 8) });
  expect(others).toEqual([]);

  // The morning of the first day has passed, but the system may still show its notification.
  phone.now = new Date(2026, 10, 21, 9);
  phone.todos = [todo('2026-11-21', 'Too late'), todo('2026-11-24', 'Call Ben')];
  service.pageHidden();
  await settle();
  expect(phone.scheduled.map(({ tag }) => tag)).toEqual(['todos 2026-11-21', 'todos 2026-11-24']);
  expect(phone.scheduled).toMatchObject([first, { body: 'Call Ben' }]);
  phone.todos = [];
  service.pageHidden();
  await settle();
  expect(phone.scheduled).toEqual([first]);
  await service.change({ events: ['transcript'], showsTitles: true });
  await settle();
  expect(phone.scheduled).toEqual([]);
});

it('schedules a notification of the to-dos in a summary that arrives while the app is hidden', async () => {
  const { phone, service, setState } = start();
  await service.turnOn();
  await setState(transferring);
  await setState(translated);
  expect(phone.scheduled).toEqual([]);
  phone.todos = [todo('2026-11-22', 'Call Ben')];
  phone.isVisible = true;
  await setState(translated);
  expect(phone.scheduled).toEqual([]);
  phone.isVisible = false;
  await setState(translated);
  expect(phone.scheduled).toHaveLength(1);
  await service.turnOff();
  await settle();
  expect(phone.scheduled).toEqual([]);
});

it('schedules and shows nothing if the account signs out in the meantime', async () => {
  const { phone, service, setState } = start();
  await service.turnOn();
  await settle();
  const signOut = () => {
    phone.uid = null;
  };
  phone.todos = [todo('2026-11-22', 'Call Ben')];
  phone.onRead = signOut;
  service.pageHidden();
  await settle();
  expect([phone.uid, phone.scheduled]).toEqual([null, []]);

  Object.assign(phone, { uid: 'ada', onRead: () => {} });
  await service.change({ events: ['transcript'], showsTitles: true });
  await setState(transferring, 'r1');
  await setState(transferring, 'r2');
  phone.onShow = signOut;
  phone.records = phone.records.map((record) => ({ ...record, is_trans: translated }));
  service.recordsChanged();
  await settle();
  expect(phone.shown).toMatchObject([{ tag: 'transcript r1' }]);
});

it('shows and schedules the other notifications if one fails', async () => {
  const { phone, service, setState } = start();
  await service.turnOn();
  await setState(transferring, 'r1');
  await setState(transferring, 'r2');
  const refused = new Error('refused');
  phone.errors = [];
  phone.onShow = ({ tag }) => {
    if (tag === 'transcript r1') throw refused;
  };
  phone.todos = [todo('2026-11-22', 'Call Ben')];
  phone.records = phone.records.map((record) => ({ ...record, is_trans: translated }));
  service.recordsChanged();
  await settle();
  expect(phone.errors).toEqual([refused]);
  expect(phone.shown).toMatchObject([{ tag: 'transcript r2' }]);
  expect(phone.scheduled).toMatchObject([{ tag: 'todos 2026-11-22' }]);
});

it('shows a test notification', async () => {
  const { phone, service } = start();
  await service.turnOn();
  expect(await service.test()).toEqual({ ok: true, data: null });
  expect(phone.shown).toMatchObject([{ title: 'Notifications work', path: '/pages/files' }]);
});
