import type { SpeechFailure } from '../speech/port.ts';
import { VoiceFailure } from './port.ts';

/** Converts a failure of reading audio or running an engine to a detector's failure. */
export function voiceFailureOf(failure: SpeechFailure): VoiceFailure {
  const { code, detail } = failure;
  switch (code) {
    case 'engine-missing':
    case 'model-corrupt':
    case 'timeout':
    case 'audio-unreadable':
    case 'aborted':
      return new VoiceFailure(code, detail, failure);
    default:
      return new VoiceFailure('engine-crashed', detail, failure);
  }
}
