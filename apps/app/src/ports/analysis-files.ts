import type { Drawing } from '../mind-map/layout.ts';
import type { MindMapBranch } from '../mind-map/tree.ts';
import type { Outcome } from './store.ts';

/** The recording of an exported file. `at` is in ISO-8601. */
export type RecordingInfo = { readonly name: string; readonly at: string };

export type MapFormat = 'png' | 'svg' | 'xmind' | 'markdown';
export type MindMapExport = {
  readonly recording: RecordingInfo;
  readonly tree: MindMapBranch;
  /** The complete map, without folded branches. */
  readonly drawing: Drawing;
  readonly colors: PictureColors;
  /** CSS font families. */
  readonly faces: { readonly text: string; readonly display: string };
};
/** Colors of a picture, as CSS values; branch colors and their washes in order. */
export type PictureColors = {
  readonly paper: string;
  readonly ink: string;
  readonly root: string;
  readonly onRoot: string;
  readonly branches: readonly string[];
  readonly washes: readonly string[];
};

/** A to-do for a calendar. */
export type CalendarTodo = {
  /** Unique, and stable across exports. */
  readonly uid: string;
  readonly text: string;
  /** Further details. */
  readonly notes: readonly string[];
  /** Calendar day such as `2026-11-21`; null if unknown. */
  readonly due: string | null;
  readonly done: boolean;
  /** Link to the source in the transcript. */
  readonly url: string;
};

/** The image exceeds the browser's limits, or memory is exhausted. */
export type SaveFailure = 'not-made';

export type AnalysisFiles = {
  saveMap(map: MindMapExport, format: MapFormat): Promise<Outcome<null, SaveFailure>>;
  saveTodos(
    todos: readonly CalendarTodo[],
    recording: RecordingInfo,
  ): Promise<Outcome<null, SaveFailure>>;
};
