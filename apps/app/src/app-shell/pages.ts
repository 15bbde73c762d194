import type { ComponentType } from 'react';
import { loadWords, type WordParcel } from '../i18n/index.ts';
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
  bluetoothConnection: '/pages/bluetoothConnection',
  wifiTransmission: '/pages/WiFiFastTransmission',
  wifiJoin: '/pages/WiFiFastConnection',
  wifiJoinByHand: '/pages/WiFiFastConnection2',
  newTransmission: '/pages/NewTransmission',
  wifiTransmissionDetail: '/pages/WiFiFastTransmissionDetail',
  spaceManagement: '/pages/spaceManagement',
  storageLocation: '/pages/storageLocation',
  cloudBackup: '/pages/cloudBackup',
  dataSynchronization: '/pages/dataSynchronization',
  me: '/pages/me',
  personalInformation: '/pages/personalInformation',
  changePassword: '/pages/changePassword',
  language: '/pages/language',
  serverAddress: '/pages/serverAddress',
  vip: '/pages/vip',
  payResult: '/pages/payResult',
  purchaseRecord: '/pages/purchaseRecord',
  transliterationRecord: '/pages/transliterationRecord',
  chooseLocation: '/pages/choose-location',
  openLocation: '/pages/open-location',
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

/** A screen whose code comes with words that no other screen has to have. */
function worded<Props extends object = object>(
  load: () => Promise<{ default: ComponentType<Props> }>,
  ...parcels: readonly WordParcel[]
) {
  return lazyPage(async () => {
    const [page] = await Promise.all([load(), ...parcels.map(loadWords)]);
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
  bluetoothConnection: lazyPage(
    () => import('../pages/bluetooth-connection/bluetooth-connection-page.tsx'),
  ),
  wifiTransmission: lazyPage(() => import('../pages/wifi/choose-page.tsx')),
  wifiJoin: lazyPage(() => import('../pages/wifi/join-page.tsx')),
  wifiJoinByHand: lazyPage(() => import('../pages/wifi/join-by-hand-page.tsx')),
  newTransmission: lazyPage(() => import('../pages/wifi/under-way-page.tsx')),
  wifiTransmissionDetail: lazyPage(() => import('../pages/wifi/result-page.tsx')),
  spaceManagement: lazyPage(() => import('../pages/space-management/space-management-page.tsx')),
  storageLocation: lazyPage(() => import('../pages/storage-location/storage-location-page.tsx')),
  cloudBackup: lazyPage(() => import('../pages/cloud-backup/cloud-backup-page.tsx')),
  dataSynchronization: lazyPage(
    () => import('../pages/data-synchronization/data-synchronization-page.tsx'),
  ),
  me: lazyPage(() => import('../pages/me/me-page.tsx')),
  personalInformation: lazyPage(
    () => import('../pages/personal-information/personal-information-page.tsx'),
  ),
  changePassword: lazyPage(() => import('../pages/account/change-password-page.tsx')),
  language: worded(() => import('../pages/language/language-page.tsx'), 'doorstep'),
  serverAddress: worded(
    () => import('../pages/server-address/server-address-page.tsx'),
    'doorstep',
  ),
  aboutUs: worded(() => import('../pages/help/about-us-page.tsx'), 'help'),
  agreement: worded<{ text: 'privacy' | 'terms' }>(
    () => import('../pages/help/agreement-page.tsx'),
    'agreements',
  ),
  feedback: worded(() => import('../pages/help/feedback-page.tsx'), 'help'),
  customerService: worded(() => import('../pages/help/customer-service-page.tsx'), 'help'),
  instructions: worded(() => import('../pages/help/instructions-page.tsx'), 'help'),
  question: worded<{ question: Question }>(() => import('../pages/help/question-page.tsx'), 'help'),
  demo: worded(() => import('../pages/demo/demo-page.tsx'), 'help', 'signed-in'),
  vip: worded(() => import('../pages/membership/vip-page.tsx'), 'membership'),
  payResult: worded(() => import('../pages/membership/pay-result-page.tsx'), 'membership'),
  purchaseRecord: worded(
    () => import('../pages/membership/purchase-record-page.tsx'),
    'membership',
  ),
  transliterationRecord: worded(
    () => import('../pages/membership/consumption-page.tsx'),
    'membership',
  ),
  chooseLocation: worded(() => import('../pages/place/choose-location-page.tsx'), 'places'),
  openLocation: worded(() => import('../pages/place/open-location-page.tsx'), 'places'),
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
  [paths.bluetoothConnection]: ['shell', 'bluetoothConnection'],
  [paths.wifiTransmission]: ['shell', 'wifiTransmission'],
  [paths.wifiJoin]: ['shell', 'wifiJoin'],
  [paths.wifiJoinByHand]: ['shell', 'wifiJoinByHand'],
  [paths.newTransmission]: ['shell', 'newTransmission'],
  [paths.wifiTransmissionDetail]: ['shell', 'wifiTransmissionDetail'],
  [paths.spaceManagement]: ['shell', 'spaceManagement'],
  [paths.storageLocation]: ['shell', 'storageLocation'],
  [paths.cloudBackup]: ['shell', 'cloudBackup'],
  [paths.dataSynchronization]: ['shell', 'dataSynchronization'],
  [paths.me]: ['shell', 'me'],
  [paths.personalInformation]: ['shell', 'personalInformation'],
  [paths.changePassword]: ['shell', 'changePassword'],
  [paths.language]: ['language'],
  [paths.serverAddress]: ['serverAddress'],
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
  [paths.vip]: ['shell', 'vip'],
  [paths.payResult]: ['shell', 'payResult'],
  [paths.purchaseRecord]: ['shell', 'purchaseRecord'],
  [paths.transliterationRecord]: ['shell', 'transliterationRecord'],
  [paths.chooseLocation]: ['shell', 'chooseLocation'],
  [paths.openLocation]: ['shell', 'openLocation'],
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

/** The address where the place of a recording is shown, or chosen. */
export function placePath(what: 'openLocation' | 'chooseLocation', id: string): string {
  return `${paths[what]}?${new URLSearchParams({ id })}`;
}
