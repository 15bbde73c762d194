import type { StoredAudioParts } from '../modules/recording/stored-audio.ts';
import { inspectAllAudio } from '../modules/recording/stored-audio.ts';
import type { JobHandler } from './jobs.ts';

/** Creates the job "inspect-audio", which compares every recording with its object in the store. */
export function inspectAudioJob(parts: StoredAudioParts): JobHandler<'inspect-audio'> {
  return async (_payload, signal) => {
    parts.log.info(await inspectAllAudio(parts, signal), 'stored audio inspected');
  };
}
