import type { CalendarTodo } from '@linnet/contract/todo-calendar';
import type { Drawing } from '@linnet/mind-map/layout';
import type { PictureColors } from '@linnet/mind-map/svg';
import type { MindMapBranch } from '@linnet/mind-map/tree';
import type { Outcome } from './store.ts';

/** The recording that a file is exported from. `at` is its time in ISO 8601. */
export type RecordingInfo = { readonly name: string; readonly at: string };

export type MapFormat = 'png' | 'svg' | 'xmind' | 'markdown';
export type MindMapExport = {
  readonly recording: RecordingInfo;
  /** The word for a mind map in the user's language. It distinguishes the file from the recording's other exports. */
  readonly label: string;
  readonly tree: MindMapBranch;
  /** A drawing of the complete map, with no branches folded. */
  readonly drawing: Drawing;
  readonly colors: PictureColors;
  /** CSS font families. */
  readonly faces: { readonly text: string; readonly display: string };
};
/** The file couldn't be created, because the image exceeds the browser's limits or memory is exhausted. */
export type SaveFailure = 'not-made';

export type AnalysisFiles = {
  saveMap(map: MindMapExport, format: MapFormat): Promise<Outcome<null, SaveFailure>>;
  saveTodos(
    todos: readonly CalendarTodo[],
    recording: RecordingInfo,
  ): Promise<Outcome<null, SaveFailure>>;
};
