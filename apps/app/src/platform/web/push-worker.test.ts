import { readFileSync } from 'node:fs';
import { runInNewContext } from 'node:vm';
import { expect, it } from 'vitest';

type Shown = {
  readonly title: string;
  readonly options: { readonly data: { readonly path: string } };
};
type Page = {
  readonly url: string;
  readonly visibilityState: string;
  /** Whether the page has a listener. */
  readonly answers?: boolean;
};

const flag = '0199aaaa';
const app = 'https://app.example';

/** Runs the service worker's script with the app's open pages. */
function startWorker(pages: readonly Page[] = []) {
  const listeners = new Map<string, (event: object) => void>();
  const effects = {
    shown: [] as Shown[],
    opened: [] as string[],
    messages: [] as unknown[],
    focused: [] as string[],
  };
  const self = {
    addEventListener: (type: string, listener: (event: object) => void) =>
      listeners.set(type, listener),
    clients: {
      matchAll: async () =>
        pages.map((page) => ({
          ...page,
          // Messages have prototypes of the script's own realm.
          postMessage(message: object, [port]: [MessagePort]) {
            effects.messages.push({ ...message });
            if (page.answers) port.postMessage('opened');
            else passTime();
          },
          focus: async () => {
            effects.focused.push(page.url);
          },
        })),
      openWindow: async (path: string) => void effects.opened.push(path),
    },
    registration: {
      showNotification: async (title: string, options: Shown['options']) =>
        void effects.shown.push({ title, options }),
    },
  };
  let passTime = () => {};
  const setTimeout = (callback: () => void) => {
    passTime = callback;
  };
  const script = new URL('../../../public/push.js', import.meta.url);
  runInNewContext(readFileSync(script, 'utf8'), {
    ...{ self, URL, MessageChannel, setTimeout },
  });
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

it('shows a message, with its page at the origin of the app', async () => {
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
  ['transcript', `${app}${recordingPage}`, 'visible', 0],
  ['transcript', `${app}${recordingPage}`, 'hidden', 1],
  ['transcript', `${app}/pages/fileDetail?id=other`, 'visible', 1],
  ['transcript', `${app}/pages/search?id=${flag}`, 'visible', 1],
  ['todos', `${app}${recordingPage}`, 'visible', 1],
] as const)(
  'for a %s with %s %s shows %d notifications',
  async (kind, url, visibilityState, count) => {
    const { effects, push } = startWorker([{ url, visibilityState }]);
    await push(kind);
    expect(effects.shown).toHaveLength(count);
  },
);

const files = { url: `${app}/pages/files`, visibilityState: 'hidden', answers: true };
const shared = { url: `${app}/s/abc`, visibilityState: 'visible', answers: true };

it('opens a tapped notification in an open page of the app', async () => {
  const { effects, tap } = startWorker([shared, files]);
  await tap(recordingPage);
  expect(effects).toMatchObject({
    messages: [{ type: 'open-page', path: recordingPage }],
    focused: [files.url],
    opened: [],
  });
});

it.each([
  ['no page', []],
  ['a share link', [shared]],
  [
    'the sign-in page',
    [
      { ...files, url: `${app}/` },
      { ...files, url: `${app}/pages/index` },
    ],
  ],
  ['a page that does not answer', [{ ...files, answers: false }]],
])('opens a tapped notification in a new window if there is only %s', async (_name, pages) => {
  const { effects, tap } = startWorker(pages);
  await tap(recordingPage);
  expect(effects).toMatchObject({ focused: [], opened: [recordingPage] });
});
