/** Status values on the wire. This module imports nothing, because the app loads it at startup. */

/** The status of a transcription task. Only `transcribed` tasks have results. */
export const taskStatus = { queued: 0, working: 1, transcribed: 2, failed: 3 } as const;
export type TaskStatus = (typeof taskStatus)[keyof typeof taskStatus];

/** A recording's source, as numbered by the server. Any value other than 1 means a note. */
export const source = { note: 0, call: 1 } as const;

/** A recording's source, as numbered by the phone (`rec_source`). */
export const recSource = { note: 1, call: 2 } as const;
export type RecSource = (typeof recSource)[keyof typeof recSource];

/** Converts a server's `source` to a phone's `rec_source`. */
export function toRecSource(serverSource: number): RecSource {
  return serverSource === source.call ? recSource.call : recSource.note;
}

/** The types of recordings: the setting they were recorded in, or `audio` for imported files. */
export const scenes = ['call', 'meeting', 'note', 'audio'] as const;
export type Scene = (typeof scenes)[number];

/** The parts of a recording that a share link can show. */
export const shareParts = ['transcript', 'summary', 'audio', 'todos'] as const;
export type SharePart = (typeof shareParts)[number];

/** Returns the server's `source` for a scene. */
export function toSource(scene: Scene): number {
  return scene === 'call' ? source.call : source.note;
}

/** Returns the phone's `rec_source` for a scene. */
export function toSceneRecSource(scene: Scene): RecSource {
  return toRecSource(toSource(scene));
}

/**
 * Returns a recording's scene, or the most likely one if it was registered without a scene.
 * @param recording.sn the recorder's serial number, '' for an imported file, or null if unknown
 */
export function getScene(recording: {
  readonly scene?: Scene | null | undefined;
  readonly source: number;
  readonly sn: string | null;
}): Scene {
  if (recording.scene) return recording.scene;
  if (recording.source === source.call) return 'call';
  return recording.sn === '' ? 'audio' : 'note';
}

/** The purposes of uploads: the values of `type` in oss/config. */
export const uploadTypes = ['voice_file', 'avatar'] as const;
/** The types of stored objects. A `log` is uploaded through upload/ossConfig; `converted` is an MP3 from /convert. */
export const objectTypes = [...uploadTypes, 'log', 'converted'] as const;
export type ObjectType = (typeof objectTypes)[number];

/** The plans for sale: auto-renewing memberships, and packages of minutes that don't expire. */
export const planIds = [
  'vip_monthly',
  'vip_annual',
  'package_120',
  'package_600',
  'package_3000',
] as const;
export type PlanId = (typeof planIds)[number];

/** The status of an order. `expired` means that it wasn't paid in time. */
export const orderStatuses = [
  'pending',
  'paid',
  'failed',
  'canceled',
  'expired',
  'refunded',
] as const;
export type OrderStatus = (typeof orderStatuses)[number];

/** The group and keys of the storage setting in user/config. The values are '0' and '1' (specification, section 4). */
export const storageSetting = {
  group: 'radio_save_style',
  keys: { recorder: 'local', phone: 'app', cloud: 'cloud' },
  /**
   * When the user last deleted copies from a phone (ISO 8601). From then on, the server relies only on phone copies
   * created later. The storage setting itself doesn't change.
   */
  freedKey: 'app_freed',
} as const;
/** The group and keys of the cloud setting. The values are '0' and '1'. */
export const cloudSetting = {
  group: 'cloud_setting',
  keys: { autoSync: 'auto_sync', wifiOnly: 'wifi_only' },
} as const;
/**
 * The group and keys of the transcription setting: the language last chosen for a transcription (a BCP 47 tag), and
 * whether recordings have live text ('0' or '1').
 */
export const transcriptionSetting = {
  group: 'transcribe',
  keys: { language: 'language', live: 'live' },
} as const;
/**
 * The group and key of the voice recognition setting: whether the server stores speakers' voices to recognize them in
 * other recordings ('0' or '1'). Off by default. Turning it off deletes all of the account's voices.
 */
export const voiceSetting = { group: 'voices', key: 'remember' } as const;
/** The group and key of the account's interface language, which is also the language of its emails. */
export const languageSetting = { group: 'interface', key: 'language' } as const;
/**
 * The group of the settings that store the account's vocabulary: names and terms for speech recognition. Each entry is
 * a setting of its own, with the entry as key, so entries added on different phones are merged. The value is `listed`
 * for an entry on the list, `removed` for an entry removed from it, and `corrected` for a word that the user typed
 * while correcting a transcript.
 */
export const vocabularySetting = {
  group: 'vocabulary',
  values: { listed: '1', removed: '0', corrected: '2' },
} as const;

/**
 * The group of the settings that store the account's saved filters for the list of recordings. Each filter is a setting
 * of its own, with the filter's ID as key, so filters added on different phones are merged. The value is JSON, or empty
 * if the filter was deleted. The setting `order` contains the IDs in display order, separated by spaces.
 */
export const filterSetting = { group: 'filters', order: 'order' } as const;
