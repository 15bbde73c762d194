import { toMindMap } from '../transcript/mind-map.ts';
import type { Step } from './step.ts';

/** Analysis → tree of what was said; none where there is no summary. */
export const mindMap: Step<'mind-map'> = {
  name: 'mind-map',
  share: 1,

  async run({ recording }, { analyse: { analysis } }) {
    if (!analysis) return { nodes: null };
    return { nodes: toMindMap(analysis.title || recording.name, analysis.document) };
  },
};
