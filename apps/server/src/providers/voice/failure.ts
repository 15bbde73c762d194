import type { SpeechFailure } from '../speech/port.ts';
import { VoiceFailure } from './port.ts';

/** Converts a failure to read audio or run an engine into a `VoiceFailure`. */
export function toVoiceFailure(failure: SpeechFailure): VoiceFailure {
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
