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
} as const;

const layout = () => import('./layout.tsx');

export const pages = {
  /** What surrounds every screen of somebody signed in. */
  shell: lazyPage(async () => ({ default: (await layout()).Shell })),
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
};

/**
 * Fetches the code of the screen at an address ahead of going there.
 * @param pause waited for before each part of it but the first
 */
export async function preloadPath(path: string, pause?: () => Promise<void>): Promise<void> {
  const [pathname = ''] = path.split('?');
  let turn = Promise.resolve();
  await Promise.all(
    (drawnAt[pathname] ?? []).map((page, place) => {
      if (pause && place > 0) turn = turn.then(pause);
      return turn.then(pages[page].preload);
    }),
  );
}

/** Where on a recording's page one arrives: in one of its parts, or at a paragraph of its transcription. */
export type RecordingPlace =
  | { readonly tab: string; readonly paragraph?: never }
  | { readonly paragraph: string; readonly tab?: never };

/** The address of one recording. */
export function recordingPath(id: string, place?: RecordingPlace): string {
  return `${paths.fileDetail}?${new URLSearchParams({ id, ...place })}`;
}
