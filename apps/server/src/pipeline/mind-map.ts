import { toMindMap } from '../transcript/mind-map.ts';
import type { Step } from './step.ts';

/** Analysis → mind map; none without a summary. */
export const mindMap: Step<'mind-map'> = {
  name: 'mind-map',
  share: 1,

  async run({ recording }, { analyse: { analysis } }) {
    if (!analysis) return { nodes: null };
    return { nodes: toMindMap(analysis.title || recording.name, analysis.document) };
  },
};
