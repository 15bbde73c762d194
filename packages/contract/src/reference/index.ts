/** The API reference for the calls: their groups, names and descriptions. Only the server imports it. */
import type { CallName } from '../routes.ts';
import { accountCalls } from './account.ts';
import { deviceCalls } from './devices.ts';
import type { CallReference } from './groups.ts';
import { keyCalls } from './keys.ts';
import { notificationCalls } from './notifications.ts';
import { orderCalls } from './orders.ts';
import { questionCalls } from './questions.ts';
import { recordingCalls } from './recordings.ts';
import { retentionCalls } from './retention.ts';
import { shareCalls } from './shares.ts';
import { siteCalls } from './site.ts';
import { syncCalls } from './sync.ts';
import { taskCalls } from './tasks.ts';
import { uploadCalls } from './upload.ts';
import { vaultCalls } from './vaults.ts';
import { voiceCalls } from './voices.ts';
import { webhookCalls } from './webhooks.ts';

export { type CallGroup, type CallReference, callGroups } from './groups.ts';

/** The entry of each call. */
export const callReference: Readonly<Record<CallName, CallReference>> = {
  ...accountCalls,
  ...keyCalls,
  ...uploadCalls,
  ...recordingCalls,
  ...retentionCalls,
  ...shareCalls,
  ...taskCalls,
  ...questionCalls,
  ...voiceCalls,
  ...vaultCalls,
  ...webhookCalls,
  ...notificationCalls,
  ...syncCalls,
  ...deviceCalls,
  ...orderCalls,
  ...siteCalls,
};
