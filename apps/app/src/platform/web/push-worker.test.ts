import { readFileSync } from 'node:fs';
import { runInNewContext } from 'node:vm';
import { expect, it } from 'vitest';

type ShownNotification = {
  readonly title: string;
  readonly options: { readonly data: { readonly path: string } };
};
type Page = {
  readonly visibilityState: string;
  /** The recording that the page shows; undefined if the page doesn't respond. */
  readonly shown?: string | null;
};
type Port = { onmessage: ((event: { data: unknown }) => void) | null };

/** A channel whose messages arrive at once. */
class Channel {
  readonly port1: Port = { onmessage: null };
  readonly port2 = { postMessage: (data: unknown) => this.port1.onmessage?.({ data }) };
}

const flag = '0199aaaa';

/** Runs the service worker's script with the app's open pages. */
function startWorker(pages: readonly Page[] = []) {
  const listeners = new Map<string, (event: object) => void>();
  const effects = {
    shown: [] as ShownNotification[],
    opened: [] as string[],
    messages: [] as unknown[],
    focused: 0,
  };
  const self = {
    addEventListener: (type: string, listener: (event: object) => void) =>
      listeners.set(type, listener),
    clients: {
      matchAll: async () =>
        pages.map((page) => ({
          ...page,
          postMessage(message: { type: string }, [port]: [Channel['port2']]) {
            if (page.shown === undefined) return;
            if (message.type === 'shown-recording') port.postMessage(page.shown);
            if (message.type !== 'open-page') return;
            // Copy the message: its prototype is from the script's realm, so a comparison would fail.
            effects.messages.push({ ...message });
            port.postMessage(true);
          },
          focus: async () => {
            effects.focused += 1;
          },
        })),
      openWindow: async (path: string) => void effects.opened.push(path),
    },
    registration: {
      showNotification: async (title: string, options: ShownNotification['options']) =>
        void effects.shown.push({ title, options }),
    },
  };
  const script = new URL('../../../public/push.js', import.meta.url);
  const globals = { self, URL, MessageChannel: Channel, setTimeout: setImmediate };
  runInNewContext(readFileSync(script, 'utf8'), globals);
  const dispatch = async (type: string, event: object) => {
    let done: Promise<unknown> = Promise.resolve();
    const waitUntil = (promise: Promise<unknown>) => {
      done = promise;
    };
    listeners.get(type)?.({ ...event, waitUntil });
    await done;
  };
  return {
    effects,
    push: (kind: 'transcript' | 'todos') =>
      dispatch('push', {
        data: {
          json: () => ({
            web_push: 8030,
            notification: {
              ...{ title: 'Transcript ready', lang: 'en', dir: 'ltr', tag: 'topic' },
              navigate: `https://server.example/pages/fileDetail?id=${flag}`,
              data: { kind, recording: flag },
            },
          }),
        },
      }),
    tap: (path: string) =>
      dispatch('notificationclick', { notification: { close: () => undefined, data: { path } } }),
  };
}
const recordingPage = `/pages/fileDetail?id=${flag}`;

it('shows a notification that links to a page at the app’s own origin', async () => {
  const { effects, push } = startWorker();
  await push('transcript');
  expect(effects.shown).toMatchObject([
    {
      title: 'Transcript ready',
      options: { lang: 'en', tag: 'topic', data: { path: recordingPage } },
    },
  ]);
});

it.each([
  ['transcript', 'visible', flag, 0],
  ['transcript', 'hidden', flag, 1],
  ['transcript', 'visible', 'other', 1],
  ['transcript', 'visible', null, 1],
  ['transcript', 'visible', undefined, 1],
  ['todos', 'visible', flag, 1],
] as const)(
  'a %s push, with a %s page showing %s, shows %d notifications',
  async (kind, visibilityState, shown, count) => {
    const { effects, push } = startWorker([
      { visibilityState, ...(shown !== undefined && { shown }) },
    ]);
    await push(kind);
    expect(effects.shown).toHaveLength(count);
  },
);

it('opens a tapped notification in a page that responds, or in a new page otherwise', async () => {
  const loading = { visibilityState: 'visible' };
  const workerWithPages = startWorker([loading, { visibilityState: 'hidden', shown: null }]);
  await workerWithPages.tap(recordingPage);
  expect(workerWithPages.effects).toMatchObject({
    messages: [{ type: 'open-page', path: recordingPage }],
    focused: 1,
    opened: [],
  });
  const closed = startWorker([loading]);
  await closed.tap(recordingPage);
  expect(closed.effects).toMatchObject({ messages: [], opened: [recordingPage] });
});
