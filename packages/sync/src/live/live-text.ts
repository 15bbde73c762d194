import type { LivePassage } from '@linnet/contract';
import type { CallFailure } from '@linnet/contract/client';
import { codeName } from '@linnet/contract/codes';
import { verdicts } from '../verdicts.ts';

/**
 * Why live text stopped before the end of the recording.
 *
 * - `minutes`: the balance has run out.
 * - `language`: the server doesn't recognize the language.
 * - `membership`: the account isn't a member.
 * - `failed`: the server's speech recognition failed, or the server refused the audio for another reason.
 * - `incomplete`: audio that the server lacks is no longer available, or the connection was lost at the end.
 * - `unsupported`: the server is too old.
 */
export type LiveStopReason =
  | 'minutes'
  | 'language'
  | 'membership'
  | 'failed'
  | 'incomplete'
  | 'unsupported';

/** The text recognized in a recording while it is in progress. */
export type LiveText = {
  /** The recording's language, as a BCP 47 tag. */
  readonly language: string;
  /** Settled passages in chronological order. */
  readonly passages: readonly LivePassage[];
  /** Text after the last settled passage, which may still change. */
  readonly tentative: LivePassage | null;
  readonly state:
    | { readonly status: 'listening' }
    /** The recording has ended, and the server has received all of it. */
    | { readonly status: 'ended' }
    | { readonly status: 'stopped'; readonly reason: LiveStopReason };
};

/** Maps a server error code to the reason that live text stopped. */
export function toStopReason(code: number): LiveStopReason {
  switch (codeName(code)) {
    case 'notEnoughMinutes':
      return 'minutes';
    case 'languageUnavailable':
      return 'language';
    case 'membersOnly':
      return 'membership';
    case 'unknownCall':
      return 'unsupported';
    case 'notFound':
    case 'recordingDeleted':
    case 'tokenInvalid':
    case 'tokenExpired':
      return 'incomplete';
    default:
      return 'failed';
  }
}

/** Returns why a failed call ends live text, or null if the call can be repeated later. */
export function stopReasonOfCall(failure: CallFailure): LiveStopReason | null {
  if (failure.kind === 'server') {
    const name = codeName(failure.code);
    return name && verdicts[name] === 'wait' ? null : toStopReason(failure.code);
  }
  if (failure.kind !== 'http' || failure.status < 400 || failure.status >= 500) return null;
  if (failure.status === 429) return null;
  return failure.status === 404 ? 'unsupported' : 'failed';
}
