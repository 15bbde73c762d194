export { OggSamples } from './ogg-samples.ts';
export { type SampleReader, sampleReader } from './sample-reader.ts';
export { WaveSamples } from './wave-samples.ts';
