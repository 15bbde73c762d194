/** Numbers that travel as states. The app loads this file at start: it imports nothing. */

/** Where a transcription task stands; results are read at `transcribed` only. */
export const taskStatus = { queued: 0, working: 1, transcribed: 2, failed: 3 } as const;
export type TaskStatus = (typeof taskStatus)[keyof typeof taskStatus];

/** What made a recording, as the server counts: 1 is a call, anything else a note. */
export const source = { note: 0, call: 1 } as const;

/** What made a recording, as the phone counts (`rec_source`). */
export const recSource = { note: 1, call: 2 } as const;
export type RecSource = (typeof recSource)[keyof typeof recSource];

/** The phone's `rec_source` for a server's `source`. */
export function toRecSource(serverSource: number): RecSource {
  return serverSource === source.call ? recSource.call : recSource.note;
}

/** The server's `source` for a phone's `rec_source`. */
export function toSource(phoneSource: RecSource): number {
  return phoneSource === recSource.call ? source.call : source.note;
}

/** What an upload is for: what `type` may be in oss/config. */
export const uploadTypes = ['voice_file', 'avatar'] as const;
/** What an object may be: `log` is issued by upload/ossConfig, `converted` is an mp3 for /convert. */
export const objectTypes = [...uploadTypes, 'log', 'converted'] as const;
export type ObjectType = (typeof objectTypes)[number];

/** What may be bought: memberships that renew themselves, and minutes that do not expire. */
export const planIds = [
  'vip_monthly',
  'vip_annual',
  'package_120',
  'package_600',
  'package_3000',
] as const;
export type PlanId = (typeof planIds)[number];

/** Where an order stands. `expired`: nobody paid in time. */
export const orderStatuses = [
  'pending',
  'paid',
  'failed',
  'canceled',
  'expired',
  'refunded',
] as const;
export type OrderStatus = (typeof orderStatuses)[number];

/** The storage setting's group and keys in user/config; values '0' and '1' (specification, section 4). */
export const storageSetting = {
  group: 'radio_save_style',
  keys: { recorder: 'local', phone: 'app', cloud: 'cloud' },
  /**
   * When a phone last let go of copies by its owner's hand, as an ISO date. From then on the server counts
   * only on phones' copies that come later; where recordings are kept stays as it is.
   */
  freedKey: 'app_freed',
} as const;
/** The cloud setting's group and keys; values '0' and '1'. */
export const cloudSetting = {
  group: 'cloud_setting',
  keys: { autoSync: 'auto_sync', wifiOnly: 'wifi_only' },
} as const;
