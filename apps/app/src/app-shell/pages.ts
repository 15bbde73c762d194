import type { ComponentType } from 'react';
import { loadWords } from '../i18n/index.ts';
import { lazyPage } from '../ui/lazy-page.ts';

/** Every screen and the address it lives at. */
export const paths = {
  entry: '/',
  signIn: '/pages/index',
  register: '/pages/register',
  forgot: '/pages/register/findMyPasswd',
  files: '/pages/files',
  fileDetail: '/pages/fileDetail',
  search: '/pages/search',
  recycleBin: '/pages/recycleBin',
  deviceConnect: '/pages/deviceConnect',
  deviceFiles: '/pages/deviceFiles',
  myDevice: '/pages/myDevice',
  upgrade: '/pages/upgrade',
  me: '/pages/me',
  workbench: '/pages/workbench',
  aboutUs: '/pages/aboutUs',
  privacyPolicy: '/pages/privacyPolicy',
  userAgreement: '/pages/userAgreement',
  feedback: '/pages/kefu',
  customerService: '/pages/kefuOnLine',
  instructions: '/pages/instructions',
  questionBind: '/pages/questions/question1',
  questionRecord: '/pages/questions/question2',
  questionSync: '/pages/questions/question3',
  questionRead: '/pages/questions/question4',
  demo: '/pages/demo',
} as const;

/** The questions that have a page each. */
export type Question = 'bind' | 'record' | 'sync' | 'read';

/** A page that helps, with its words. */
function help<Props extends object = object>(
  load: () => Promise<{ default: ComponentType<Props> }>,
) {
  return lazyPage(async () => {
    const [page] = await Promise.all([load(), loadWords('help')]);
    return page;
  });
}

const layout = () => import('./layout.tsx');

export const pages = {
  /** What surrounds every screen of somebody signed in; their words come with it. */
  shell: lazyPage(async () => {
    const [{ Shell }] = await Promise.all([layout(), loadWords('signed-in')]);
    return { default: Shell };
  }),
  /** What surrounds files and a recording. */
  library: lazyPage(async () => ({ default: (await layout()).Library })),
  entry: lazyPage<{ face: 'sign-in' | 'sign-up' | 'forgot' }>(
    () => import('../pages/account/entry-page.tsx'),
  ),
  files: lazyPage(() => import('../pages/files/files-page.tsx')),
  fileDetail: lazyPage(() => import('../pages/file-detail/file-detail-page.tsx')),
  search: lazyPage(() => import('../pages/search/search-page.tsx')),
  recycleBin: lazyPage(() => import('../pages/recycle-bin/recycle-bin-page.tsx')),
  deviceConnect: lazyPage(() => import('../pages/device-connect/device-connect-page.tsx')),
  deviceFiles: lazyPage(() => import('../pages/device-files/device-files-page.tsx')),
  myDevice: lazyPage(() => import('../pages/my-device/my-device-page.tsx')),
  upgrade: lazyPage(() => import('../pages/upgrade/upgrade-page.tsx')),
  me: lazyPage(() => import('../pages/me/me-page.tsx')),
  aboutUs: help(() => import('../pages/help/about-us-page.tsx')),
  agreement: lazyPage<{ text: 'privacy' | 'terms' }>(async () => {
    const [page] = await Promise.all([
      import('../pages/help/agreement-page.tsx'),
      loadWords('agreements'),
    ]);
    return page;
  }),
  feedback: help(() => import('../pages/help/feedback-page.tsx')),
  customerService: help(() => import('../pages/help/customer-service-page.tsx')),
  instructions: help(() => import('../pages/help/instructions-page.tsx')),
  question: help<{ question: Question }>(() => import('../pages/help/question-page.tsx')),
  demo: lazyPage(async () => {
    const [page] = await Promise.all([
      import('../pages/demo/demo-page.tsx'),
      loadWords('help'),
      loadWords('signed-in'),
    ]);
    return page;
  }),
};

/** What an address is drawn with: on a large screen the files stand beside a recording. */
const drawnAt: Readonly<Record<string, readonly (keyof typeof pages)[]>> = {
  [paths.entry]: ['entry'],
  [paths.signIn]: ['entry'],
  [paths.register]: ['entry'],
  [paths.forgot]: ['entry'],
  [paths.files]: ['shell', 'library', 'files'],
  [paths.fileDetail]: ['shell', 'library', 'fileDetail', 'files'],
  [paths.search]: ['shell', 'search'],
  [paths.recycleBin]: ['shell', 'recycleBin'],
  [paths.deviceConnect]: ['shell', 'deviceConnect'],
  [paths.deviceFiles]: ['shell', 'deviceFiles'],
  [paths.myDevice]: ['shell', 'myDevice'],
  [paths.upgrade]: ['shell', 'upgrade'],
  [paths.me]: ['shell', 'me'],
  [paths.aboutUs]: ['aboutUs'],
  [paths.privacyPolicy]: ['agreement'],
  [paths.userAgreement]: ['agreement'],
  [paths.feedback]: ['feedback'],
  [paths.customerService]: ['customerService'],
  [paths.instructions]: ['instructions'],
  [paths.questionBind]: ['question'],
  [paths.questionRecord]: ['question'],
  [paths.questionSync]: ['question'],
  [paths.questionRead]: ['question'],
  [paths.demo]: ['demo'],
};

/** Fetches the code of the screen at an address ahead of going there. */
export async function preloadPath(path: string): Promise<void> {
  const [pathname = ''] = path.split('?');
  await Promise.all((drawnAt[pathname] ?? []).map((page) => pages[page].preload()));
}

/** Where on a recording's page one arrives: in one of its parts, or at a paragraph of its transcription. */
export type RecordingPlace =
  | { readonly tab: string; readonly paragraph?: never }
  | { readonly paragraph: string; readonly tab?: never };

/** The address of one recording. */
export function recordingPath(id: string, place?: RecordingPlace): string {
  return `${paths.fileDetail}?${new URLSearchParams({ id, ...place })}`;
}
