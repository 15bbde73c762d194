/** The path of every page, keyed by name. The pages are registered in `routing/page-table.ts`. */
export const paths = {
  entry: '/',
  signIn: '/pages/index',
  register: '/pages/register',
  forgot: '/pages/register/findMyPasswd',
  files: '/pages/files',
  fileDetail: '/pages/fileDetail',
  search: '/pages/search',
  ask: '/pages/ask',
  recycleBin: '/pages/recycleBin',
  deviceConnect: '/pages/deviceConnect',
  deviceFiles: '/pages/deviceFiles',
  folders: '/pages/folders',
  myDevice: '/pages/myDevice',
  upgrade: '/pages/upgrade',
  bluetoothConnection: '/pages/bluetoothConnection',
  wifiTransmission: '/pages/WiFiFastTransmission',
  wifiJoin: '/pages/WiFiFastConnection',
  wifiJoinByHand: '/pages/WiFiFastConnection2',
  newTransmission: '/pages/NewTransmission',
  wifiTransmissionDetail: '/pages/WiFiFastTransmissionDetail',
  spaceManagement: '/pages/spaceManagement',
  retention: '/pages/retention',
  storageLocation: '/pages/storageLocation',
  cloudBackup: '/pages/cloudBackup',
  dataSynchronization: '/pages/dataSynchronization',
  me: '/pages/me',
  personalInformation: '/pages/personalInformation',
  changePassword: '/pages/changePassword',
  apiKeys: '/pages/apiKeys',
  shareLinks: '/pages/shareLinks',
  calendar: '/pages/calendar',
  vault: '/pages/vault',
  webhooks: '/pages/webhooks',
  webhook: '/pages/webhook',
  notifications: '/pages/notifications',
  vocabulary: '/pages/vocabulary',
  voices: '/pages/voices',
  language: '/pages/language',
  serverAddress: '/pages/serverAddress',
  vip: '/pages/vip',
  payResult: '/pages/payResult',
  purchaseRecord: '/pages/purchaseRecord',
  usedMinutes: '/pages/transliterationRecord',
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

export type PageName = keyof typeof paths;

/** Help questions that have their own page. */
export type Question = 'bind' | 'record' | 'sync' | 'read';

/**
 * A position on the recording page: a tab, or a paragraph in the transcript. `play` is the paragraph's start time in
 * seconds, where playback starts. If the transcript has changed, the paragraph is located by that time.
 */
export type RecordingPlace =
  | { readonly tab: string; readonly paragraph?: never }
  | { readonly paragraph: string; readonly play?: `${number}`; readonly tab?: never };

/**
 * Returns the path of the automatic cleanup page. With `run`, the page lists the recordings that the run moved to the
 * recycle bin.
 */
export function retentionPath(run: string | null): string {
  return run === null ? paths.retention : `${paths.retention}?${new URLSearchParams({ run })}`;
}

/** Returns the path of a recording's page. */
export function recordingPath(id: string, place?: RecordingPlace): string {
  return `${paths.fileDetail}?${new URLSearchParams({ id, ...place })}`;
}

/**
 * Returns a conversation's path: a stored thread, a new conversation about a recording (its ID on this device), or
 * a new conversation about all recordings that immediately asks the question `q`.
 */
export function askPath(
  subject: { readonly thread: string } | { readonly recording: string } | { readonly q: string },
): string {
  return `${paths.ask}?${new URLSearchParams(subject)}`;
}

/** Returns the path of the page that shows or changes a recording's location. */
export function placePath(page: 'openLocation' | 'chooseLocation', id: string): string {
  return `${paths[page]}?${new URLSearchParams({ id })}`;
}

/** Returns the path of a webhook's page. */
export function webhookPath(id: string): string {
  return `${paths.webhook}?${new URLSearchParams({ id })}`;
}
