export { announcedSeconds, MAX_SECONDS, maxSecondsFor, type ReadAt } from './announced.ts';
export { OggSamples } from './ogg-samples.ts';
export {
  createSampleReader,
  type SampleReader,
} from './sample-reader.ts';
export { WaveSamples } from './wave-samples.ts';
