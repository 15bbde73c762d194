import type { StoredAudioDependencies } from '../modules/recording/stored-audio.ts';
import { inspectAllAudio } from '../modules/recording/stored-audio.ts';
import type { JobHandler } from './jobs.ts';

/** Creates the "inspect-audio" job, which compares every recording with its object in the store. */
export function inspectAudioJob(deps: StoredAudioDependencies): JobHandler<'inspect-audio'> {
  return async (_payload, signal) => {
    deps.log.info(await inspectAllAudio(deps, signal), 'stored audio inspected');
  };
}
