import type { LiveText } from '@linnet/sync';
import type { LiveAvailability } from '../ports/live.ts';

/** The note below the live text, as a translation key (`live.…`). */
export type LiveNote =
  | 'listening'
  | 'minutes'
  | 'language'
  | 'membership'
  | 'failed'
  | 'incomplete';

/**
 * Returns the note that explains why live text is missing or has stopped, or null if no explanation is needed.
 * @param text the recording's text, or null before its first packets
 * @param isListening whether audio is being recorded right now
 */
export function liveNote(
  availability: LiveAvailability,
  text: Pick<LiveText, 'passages' | 'tentative' | 'state'> | null,
  isListening: boolean,
): LiveNote | null {
  const isEmpty = text === null || (text.passages.length === 0 && text.tentative === null);
  if (text?.state.status === 'stopped') {
    const { reason } = text.state;
    if (reason === 'unsupported') return null;
    // Without any text, an interruption doesn't need an explanation.
    return reason === 'incomplete' && isEmpty ? null : reason;
  }
  // Whether a recording on another device has text doesn't depend on this device's availability.
  if (availability === 'not_member' && isEmpty) return 'membership';
  if (availability === 'unsupported_language' && isEmpty) return 'language';
  const isExpected = availability === 'ready' && text?.state.status !== 'ended';
  return isExpected && isEmpty && isListening ? 'listening' : null;
}

/**
 * Returns whether questions about a recording can be asked before it is transcribed: it has live text, or may still get
 * some.
 * @param text the recording's text, or null if it has none
 */
export function canAsk(text: Pick<LiveText, 'passages' | 'state'> | null): boolean {
  return text !== null && (text.passages.length > 0 || text.state.status !== 'stopped');
}
