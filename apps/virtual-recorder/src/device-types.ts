/** The protocol types used throughout the recorder. */
import type { ReportOf, RequestOf } from '@linnet/device/codec';

export { CHUNK_SIZE, PACKET_MS, PACKET_SIZE } from '@linnet/device/codec';
export type { RecordMode, RecordScene } from '@linnet/device/session';
/** The user settings. */
export type Settings = RequestOf<'generalSetting'>;
/** Why a recording stopped. `none` is a regular stop. */
export type EndReason = ReportOf<'recordingEnded'>['because'];

/** The model number, the prefix of every serial number. */
export const PROJECT_CODE = 'LNR1';
