/** The protocol's words that the whole recorder speaks. */
import type { ReportOf, RequestOf } from '@linnet/device/codec';

export { CHUNK_SIZE, PACKET_MS, PACKET_SIZE } from '@linnet/device/codec';
export type { RecordMode, RecordScene } from '@linnet/device/session';
/** What the owner may set. */
export type Settings = RequestOf<'generalSetting'>;
/** Why a recording ended; `none` when somebody stopped it. */
export type EndReason = ReportOf<'recordingEnded'>['because'];

/** Model number that begins every serial. */
export const PROJECT_CODE = 'LNR1';
