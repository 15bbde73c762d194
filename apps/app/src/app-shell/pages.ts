import { lazyPage } from '../ui/lazy-page.ts';

/** Every screen and the address it lives at. */
export const paths = {
  entry: '/',
  signIn: '/pages/index',
  register: '/pages/register',
  forgot: '/pages/register/findMyPasswd',
  files: '/pages/files',
  fileDetail: '/pages/fileDetail',
  deviceConnect: '/pages/deviceConnect',
  deviceFiles: '/pages/deviceFiles',
  me: '/pages/me',
  workbench: '/pages/workbench',
} as const;

export const pages = {
  entry: lazyPage<{ face: 'sign-in' | 'sign-up' | 'forgot' }>(
    () => import('../pages/account/entry-page.tsx'),
  ),
  files: lazyPage(() => import('../pages/files/files-page.tsx')),
  fileDetail: lazyPage(() => import('../pages/file-detail/file-detail-page.tsx')),
  deviceConnect: lazyPage(() => import('../pages/device-connect/device-connect-page.tsx')),
  deviceFiles: lazyPage(() => import('../pages/device-files/device-files-page.tsx')),
  me: lazyPage(() => import('../pages/me/me-page.tsx')),
};

const pageOf: Readonly<Record<string, keyof typeof pages>> = {
  [paths.entry]: 'entry',
  [paths.signIn]: 'entry',
  [paths.register]: 'entry',
  [paths.forgot]: 'entry',
  [paths.files]: 'files',
  [paths.fileDetail]: 'fileDetail',
  [paths.deviceConnect]: 'deviceConnect',
  [paths.deviceFiles]: 'deviceFiles',
  [paths.me]: 'me',
};

/** Fetches the code of the screen at an address ahead of going there. */
export async function preloadPath(path: string): Promise<void> {
  const [pathname = ''] = path.split('?');
  const page = pageOf[pathname];
  if (page) await pages[page].preload();
}

/** The address of one recording. */
export function recordingPath(id: string): string {
  return `${paths.fileDetail}?id=${encodeURIComponent(id)}`;
}
