export { NoiseReducer } from './noise-reducer.ts';
export { type NoiseReduction, reduceNoise } from './reduce-noise.ts';
export { type Denoiser, loadRnnoise, type RnnoiseModule } from './rnnoise.ts';
