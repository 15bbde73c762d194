/** Status values on the wire. Imports nothing, because the app loads it at startup. */

/** Status of a transcription task. Results exist only at `transcribed`. */
export const taskStatus = { queued: 0, working: 1, transcribed: 2, failed: 3 } as const;
export type TaskStatus = (typeof taskStatus)[keyof typeof taskStatus];

/** Source of a recording in the server's numbering: 1 is a call, any other value a note. */
export const source = { note: 0, call: 1 } as const;

/** Source of a recording in the phone's numbering (`rec_source`). */
export const recSource = { note: 1, call: 2 } as const;
export type RecSource = (typeof recSource)[keyof typeof recSource];

/** Converts a server's `source` to a phone's `rec_source`. */
export function toRecSource(serverSource: number): RecSource {
  return serverSource === source.call ? recSource.call : recSource.note;
}

/** Converts a phone's `rec_source` to a server's `source`. */
export function toSource(phoneSource: RecSource): number {
  return phoneSource === recSource.call ? source.call : source.note;
}

/** Purposes of an upload: the values of `type` in oss/config. */
export const uploadTypes = ['voice_file', 'avatar'] as const;
/** The types of stored objects: `log` is issued by upload/ossConfig, `converted` is an mp3 for /convert. */
export const objectTypes = [...uploadTypes, 'log', 'converted'] as const;
export type ObjectType = (typeof objectTypes)[number];

/** Plans for sale: memberships that renew automatically, and minutes that do not expire. */
export const planIds = [
  'vip_monthly',
  'vip_annual',
  'package_120',
  'package_600',
  'package_3000',
] as const;
export type PlanId = (typeof planIds)[number];

/** Status of an order. `expired`: it was not paid in time. */
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
   * ISO date of the user's last deletion of copies from a phone. The server then relies only on phone copies created
   * later; the storage setting does not change.
   */
  freedKey: 'app_freed',
} as const;
/** The cloud setting's group and keys; values '0' and '1'. */
export const cloudSetting = {
  group: 'cloud_setting',
  keys: { autoSync: 'auto_sync', wifiOnly: 'wifi_only' },
} as const;
