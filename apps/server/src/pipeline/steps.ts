import { analyse } from './analyse.ts';
import { decode } from './decode.ts';
import { detect } from './detect.ts';
import { mindMap } from './mind-map.ts';
import { paragraphs } from './paragraphs.ts';
import { recognise } from './recognise.ts';
import { speakers } from './speakers.ts';
import type { Pipeline } from './step.ts';
import { store } from './store.ts';

/** The steps from an uploaded recording to its result. */
export const steps: Pipeline = [
  decode,
  detect,
  recognise,
  speakers,
  paragraphs,
  analyse,
  mindMap,
  store,
];
