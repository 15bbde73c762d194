export { declaredSeconds, MAX_SECONDS, maxSecondsFor } from './declared-duration.ts';
export { OggSamples } from './ogg-samples.ts';
export type { ReadAt } from './read-at.ts';
export {
  createSampleReader,
  type SampleReader,
} from './sample-reader.ts';
export { WaveSamples } from './wave-samples.ts';
