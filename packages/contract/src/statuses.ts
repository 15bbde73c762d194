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
export type UploadType = (typeof uploadTypes)[number];
