/** Maps every page to its code, translations, frame and access. The addresses are in `page-kit/paths.ts`. */
import type { ComponentType } from 'react';
import type { Namespace } from '../i18n/index.ts';
import type { PageName, Question } from '../page-kit/paths.ts';

/**
 * Who may open a page.
 * - `signed-out`: signed-in users are redirected
 * - `signed-in`: signed-out users sign in first, then return to the page
 * - `everyone`: no restriction
 * - `demo`: everyone, with the demo recording's services
 */
export type PageAccess = 'signed-out' | 'signed-in' | 'everyone' | 'demo';

/**
 * The frame around a page.
 * - `library`: the shell, with the Files page beside a recording on wide screens
 * - `shell`: the bar with the tabs and the record button
 * - `shell-if-signed-in`: the shell for signed-in users, no frame for anyone else
 * - `none`: no frame
 */
export type PageFrame = 'library' | 'shell' | 'shell-if-signed-in' | 'none';

/**
 * A page's code and translations. Pages with the same code share a component, which stays mounted when only the path
 * changes.
 */
export interface PageCode {
  // biome-ignore lint/suspicious/noExplicitAny: each page has its own props; `with` checks them.
  readonly load: () => Promise<{ default: ComponentType<any> }>;
  /** Translation namespaces to load in addition to the base ones. */
  readonly namespaces: readonly Namespace[];
}

export interface PageEntry {
  readonly code: PageCode;
  /** Props that distinguish pages with the same component. */
  readonly props?: object;
  readonly access: PageAccess;
  readonly frame: PageFrame;
}

function pageCode<Props extends object>(
  load: () => Promise<{ default: ComponentType<Props> }>,
  ...namespaces: readonly Namespace[]
) {
  return { load, namespaces, with: (props: Props) => ({ code: { load, namespaces }, props }) };
}

const entry = pageCode<{ mode: 'sign-in' | 'sign-up' | 'forgot' }>(
  () => import('../pages/account/entry-page.tsx'),
);
const agreement = pageCode<{ text: 'privacy' | 'terms' }>(
  () => import('../pages/help/agreement-page.tsx'),
  'agreements',
);
const question = pageCode<{ question: Question }>(
  () => import('../pages/help/question-page.tsx'),
  'help',
);

const signedOut = { access: 'signed-out', frame: 'none' } as const;
const inShell = { access: 'signed-in', frame: 'shell' } as const;
const inLibrary = { access: 'signed-in', frame: 'library' } as const;
const publicPage = { access: 'everyone', frame: 'none' } as const;
const besideShell = { access: 'everyone', frame: 'shell-if-signed-in' } as const;

export const pageTable = {
  entry: { ...signedOut, ...entry.with({ mode: 'sign-in' }) },
  signIn: { ...signedOut, ...entry.with({ mode: 'sign-in' }) },
  register: { ...signedOut, ...entry.with({ mode: 'sign-up' }) },
  forgot: { ...signedOut, ...entry.with({ mode: 'forgot' }) },
  files: { ...inLibrary, code: pageCode(() => import('../pages/files/files-page.tsx')) },
  fileDetail: {
    ...inLibrary,
    code: pageCode(() => import('../pages/file-detail/file-detail-page.tsx')),
  },
  search: { ...inShell, code: pageCode(() => import('../pages/search/search-page.tsx')) },
  ask: { ...inShell, code: pageCode(() => import('../pages/ask/ask-page.tsx'), 'ask') },
  recycleBin: {
    ...inShell,
    code: pageCode(() => import('../pages/recycle-bin/recycle-bin-page.tsx')),
  },
  deviceConnect: {
    ...inShell,
    code: pageCode(() => import('../pages/device-connect/device-connect-page.tsx')),
  },
  deviceFiles: {
    ...inShell,
    code: pageCode(() => import('../pages/device-files/device-files-page.tsx')),
  },
  folders: { ...inShell, code: pageCode(() => import('../pages/folders/folders-page.tsx')) },
  myDevice: { ...inShell, code: pageCode(() => import('../pages/my-device/my-device-page.tsx')) },
  upgrade: { ...inShell, code: pageCode(() => import('../pages/upgrade/upgrade-page.tsx')) },
  bluetoothConnection: {
    ...inShell,
    code: pageCode(() => import('../pages/bluetooth-connection/bluetooth-connection-page.tsx')),
  },
  wifiTransmission: { ...inShell, code: pageCode(() => import('../pages/wifi/choose-page.tsx')) },
  wifiJoin: { ...inShell, code: pageCode(() => import('../pages/wifi/join-page.tsx')) },
  wifiJoinByHand: {
    ...inShell,
    code: pageCode(() => import('../pages/wifi/manual-join-page.tsx')),
  },
  newTransmission: {
    ...inShell,
    code: pageCode(() => import('../pages/wifi/transfer-progress-page.tsx')),
  },
  wifiTransmissionDetail: {
    ...inShell,
    code: pageCode(() => import('../pages/wifi/result-page.tsx')),
  },
  spaceManagement: {
    ...inShell,
    code: pageCode(() => import('../pages/space-management/space-management-page.tsx')),
  },
  storageLocation: {
    ...inShell,
    code: pageCode(() => import('../pages/storage-location/storage-location-page.tsx')),
  },
  cloudBackup: {
    ...inShell,
    code: pageCode(() => import('../pages/cloud-backup/cloud-backup-page.tsx')),
  },
  dataSynchronization: {
    ...inShell,
    code: pageCode(() => import('../pages/data-synchronization/data-synchronization-page.tsx')),
  },
  me: { ...inShell, code: pageCode(() => import('../pages/me/me-page.tsx')) },
  personalInformation: {
    ...inShell,
    code: pageCode(() => import('../pages/personal-information/personal-information-page.tsx')),
  },
  changePassword: {
    ...inShell,
    code: pageCode(() => import('../pages/account/change-password-page.tsx')),
  },
  apiKeys: {
    ...inShell,
    code: pageCode(() => import('../pages/api-keys/api-keys-page.tsx')),
  },
  shareLinks: {
    ...inShell,
    code: pageCode(() => import('../pages/share-links/share-links-page.tsx')),
  },
  retention: {
    ...inShell,
    code: pageCode(() => import('../pages/retention/retention-page.tsx')),
  },
  calendar: {
    ...inShell,
    code: pageCode(() => import('../pages/calendar/calendar-page.tsx')),
  },
  vault: {
    ...inShell,
    code: pageCode(() => import('../pages/vault/vault-page.tsx')),
  },
  webhooks: {
    ...inShell,
    code: pageCode(() => import('../pages/webhooks/webhooks-page.tsx')),
  },
  webhook: {
    ...inShell,
    code: pageCode(() => import('../pages/webhooks/webhook-page.tsx')),
  },
  notifications: {
    ...inShell,
    code: pageCode(() => import('../pages/notifications/notifications-page.tsx')),
  },
  vocabulary: {
    ...inShell,
    code: pageCode(() => import('../pages/vocabulary/vocabulary-page.tsx')),
  },
  voices: {
    ...inShell,
    code: pageCode(() => import('../pages/voices/voices-page.tsx')),
  },
  language: {
    ...besideShell,
    code: pageCode(() => import('../pages/language/language-page.tsx'), 'doorstep'),
  },
  serverAddress: {
    ...besideShell,
    code: pageCode(() => import('../pages/server-address/server-address-page.tsx'), 'doorstep'),
  },
  vip: {
    ...inShell,
    code: pageCode(() => import('../pages/membership/vip-page.tsx'), 'membership'),
  },
  payResult: {
    ...inShell,
    code: pageCode(() => import('../pages/membership/pay-result-page.tsx'), 'membership'),
  },
  purchaseRecord: {
    ...inShell,
    code: pageCode(() => import('../pages/membership/purchase-record-page.tsx'), 'membership'),
  },
  usedMinutes: {
    ...inShell,
    code: pageCode(() => import('../pages/membership/consumption-page.tsx'), 'membership'),
  },
  chooseLocation: {
    ...inShell,
    code: pageCode(() => import('../pages/place/choose-location-page.tsx'), 'places'),
  },
  openLocation: {
    ...inShell,
    code: pageCode(() => import('../pages/place/open-location-page.tsx'), 'places'),
  },
  aboutUs: {
    ...publicPage,
    code: pageCode(() => import('../pages/help/about-us-page.tsx'), 'help'),
  },
  privacyPolicy: { ...publicPage, ...agreement.with({ text: 'privacy' }) },
  userAgreement: { ...publicPage, ...agreement.with({ text: 'terms' }) },
  feedback: {
    ...publicPage,
    code: pageCode(() => import('../pages/help/feedback-page.tsx'), 'help'),
  },
  customerService: {
    ...publicPage,
    code: pageCode(() => import('../pages/help/customer-service-page.tsx'), 'help'),
  },
  instructions: {
    ...publicPage,
    code: pageCode(() => import('../pages/help/instructions-page.tsx'), 'help'),
  },
  questionBind: { ...publicPage, ...question.with({ question: 'bind' }) },
  questionRecord: { ...publicPage, ...question.with({ question: 'record' }) },
  questionSync: { ...publicPage, ...question.with({ question: 'sync' }) },
  questionRead: { ...publicPage, ...question.with({ question: 'read' }) },
  demo: {
    access: 'demo',
    frame: 'none',
    code: pageCode(() => import('../pages/demo/demo-page.tsx'), 'help', 'signed-in'),
  },
} as const satisfies Readonly<Record<Exclude<PageName, 'workbench'>, PageEntry>>;

/** The names of all pages, in table order. */
export const pageNames = Object.keys(pageTable) as (keyof typeof pageTable)[];
