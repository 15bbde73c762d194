/** The code, translations, frame and access of every page. Addresses are in `page-kit/paths.ts`. */
import type { ComponentType } from 'react';
import type { Namespace } from '../i18n/index.ts';
import type { PageName, Question } from '../page-kit/paths.ts';

/**
 * Access to a page.
 * - `signed-out`: signed-in users are redirected
 * - `signed-in`: signed-out users sign in first and return to the page
 * - `everyone`: no restriction
 * - `demo`: everyone, with the services of the demo recording
 */
export type PageAccess = 'signed-out' | 'signed-in' | 'everyone' | 'demo';

/**
 * The frame around a page.
 * - `library`: the shell, with Files beside a recording on wide screens
 * - `shell`: the bar with the tabs and the record button
 * - `shell-if-signed-in`: the shell for signed-in users only
 * - `none`: no frame
 */
export type PageFrame = 'library' | 'shell' | 'shell-if-signed-in' | 'none';

/**
 * Code and translations of a page. Pages with the same code share a component, which stays mounted when only
 * the address changes.
 */
export interface PageCode {
  // biome-ignore lint/suspicious/noExplicitAny: each page has its own props; `with` checks them.
  readonly load: () => Promise<{ default: ComponentType<any> }>;
  /** Translation namespaces loaded in addition to the base ones. */
  readonly words: readonly Namespace[];
}

export interface PageEntry {
  readonly code: PageCode;
  /** Props that distinguish pages with the same component. */
  readonly props?: object;
  readonly access: PageAccess;
  readonly frame: PageFrame;
}

function code<Props extends object>(
  load: () => Promise<{ default: ComponentType<Props> }>,
  ...words: readonly Namespace[]
) {
  return { load, words, with: (props: Props) => ({ code: { load, words }, props }) };
}

const entry = code<{ mode: 'sign-in' | 'sign-up' | 'forgot' }>(
  () => import('../pages/account/entry-page.tsx'),
);
const agreement = code<{ text: 'privacy' | 'terms' }>(
  () => import('../pages/help/agreement-page.tsx'),
  'agreements',
);
const question = code<{ question: Question }>(
  () => import('../pages/help/question-page.tsx'),
  'help',
);

const signedOut = { access: 'signed-out', frame: 'none' } as const;
const inShell = { access: 'signed-in', frame: 'shell' } as const;
const inLibrary = { access: 'signed-in', frame: 'library' } as const;
const open = { access: 'everyone', frame: 'none' } as const;
const besideShell = { access: 'everyone', frame: 'shell-if-signed-in' } as const;

export const pageTable = {
  entry: { ...signedOut, ...entry.with({ mode: 'sign-in' }) },
  signIn: { ...signedOut, ...entry.with({ mode: 'sign-in' }) },
  register: { ...signedOut, ...entry.with({ mode: 'sign-up' }) },
  forgot: { ...signedOut, ...entry.with({ mode: 'forgot' }) },
  files: { ...inLibrary, code: code(() => import('../pages/files/files-page.tsx')) },
  fileDetail: {
    ...inLibrary,
    code: code(() => import('../pages/file-detail/file-detail-page.tsx')),
  },
  search: { ...inShell, code: code(() => import('../pages/search/search-page.tsx')) },
  recycleBin: { ...inShell, code: code(() => import('../pages/recycle-bin/recycle-bin-page.tsx')) },
  deviceConnect: {
    ...inShell,
    code: code(() => import('../pages/device-connect/device-connect-page.tsx')),
  },
  deviceFiles: {
    ...inShell,
    code: code(() => import('../pages/device-files/device-files-page.tsx')),
  },
  myDevice: { ...inShell, code: code(() => import('../pages/my-device/my-device-page.tsx')) },
  upgrade: { ...inShell, code: code(() => import('../pages/upgrade/upgrade-page.tsx')) },
  bluetoothConnection: {
    ...inShell,
    code: code(() => import('../pages/bluetooth-connection/bluetooth-connection-page.tsx')),
  },
  wifiTransmission: { ...inShell, code: code(() => import('../pages/wifi/choose-page.tsx')) },
  wifiJoin: { ...inShell, code: code(() => import('../pages/wifi/join-page.tsx')) },
  wifiJoinByHand: { ...inShell, code: code(() => import('../pages/wifi/manual-join-page.tsx')) },
  newTransmission: {
    ...inShell,
    code: code(() => import('../pages/wifi/transfer-progress-page.tsx')),
  },
  wifiTransmissionDetail: { ...inShell, code: code(() => import('../pages/wifi/result-page.tsx')) },
  spaceManagement: {
    ...inShell,
    code: code(() => import('../pages/space-management/space-management-page.tsx')),
  },
  storageLocation: {
    ...inShell,
    code: code(() => import('../pages/storage-location/storage-location-page.tsx')),
  },
  cloudBackup: {
    ...inShell,
    code: code(() => import('../pages/cloud-backup/cloud-backup-page.tsx')),
  },
  dataSynchronization: {
    ...inShell,
    code: code(() => import('../pages/data-synchronization/data-synchronization-page.tsx')),
  },
  me: { ...inShell, code: code(() => import('../pages/me/me-page.tsx')) },
  personalInformation: {
    ...inShell,
    code: code(() => import('../pages/personal-information/personal-information-page.tsx')),
  },
  changePassword: {
    ...inShell,
    code: code(() => import('../pages/account/change-password-page.tsx')),
  },
  language: {
    ...besideShell,
    code: code(() => import('../pages/language/language-page.tsx'), 'doorstep'),
  },
  serverAddress: {
    ...besideShell,
    code: code(() => import('../pages/server-address/server-address-page.tsx'), 'doorstep'),
  },
  vip: {
    ...inShell,
    code: code(() => import('../pages/membership/vip-page.tsx'), 'membership'),
  },
  payResult: {
    ...inShell,
    code: code(() => import('../pages/membership/pay-result-page.tsx'), 'membership'),
  },
  purchaseRecord: {
    ...inShell,
    code: code(() => import('../pages/membership/purchase-record-page.tsx'), 'membership'),
  },
  transliterationRecord: {
    ...inShell,
    code: code(() => import('../pages/membership/consumption-page.tsx'), 'membership'),
  },
  chooseLocation: {
    ...inShell,
    code: code(() => import('../pages/place/choose-location-page.tsx'), 'places'),
  },
  openLocation: {
    ...inShell,
    code: code(() => import('../pages/place/open-location-page.tsx'), 'places'),
  },
  aboutUs: { ...open, code: code(() => import('../pages/help/about-us-page.tsx'), 'help') },
  privacyPolicy: { ...open, ...agreement.with({ text: 'privacy' }) },
  userAgreement: { ...open, ...agreement.with({ text: 'terms' }) },
  feedback: { ...open, code: code(() => import('../pages/help/feedback-page.tsx'), 'help') },
  customerService: {
    ...open,
    code: code(() => import('../pages/help/customer-service-page.tsx'), 'help'),
  },
  instructions: {
    ...open,
    code: code(() => import('../pages/help/instructions-page.tsx'), 'help'),
  },
  questionBind: { ...open, ...question.with({ question: 'bind' }) },
  questionRecord: { ...open, ...question.with({ question: 'record' }) },
  questionSync: { ...open, ...question.with({ question: 'sync' }) },
  questionRead: { ...open, ...question.with({ question: 'read' }) },
  demo: {
    access: 'demo',
    frame: 'none',
    code: code(() => import('../pages/demo/demo-page.tsx'), 'help', 'signed-in'),
  },
} as const satisfies Readonly<Record<Exclude<PageName, 'workbench'>, PageEntry>>;

/** Names of all pages, in the order of the table. */
export const pageNames = Object.keys(pageTable) as (keyof typeof pageTable)[];
