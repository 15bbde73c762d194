import { toMindMap } from '../transcript/mind-map.ts';
import type { Step } from './step.ts';

/** Converts the analysis to a mind map. Without a summary, there is no mind map either. */
export const mindMap: Step<'mind-map'> = {
  name: 'mind-map',
  share: 1,

  async run({ recording }, { analyse: { analysis } }) {
    if (!analysis) return { nodes: null };
    return { nodes: toMindMap(analysis.title || recording.name, analysis.document) };
  },
};
