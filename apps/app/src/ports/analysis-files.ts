import type { Drawing } from '../mind-map/layout.ts';
import type { Twig } from '../mind-map/tree.ts';
import type { Outcome } from './store.ts';

/** The recording of an exported file; `at` ISO-8601. */
export type RecordingInfo = { readonly name: string; readonly at: string };

export type MapFormat = 'png' | 'svg' | 'xmind' | 'markdown';
export type MindMapExport = {
  readonly recording: RecordingInfo;
  readonly tree: Twig;
  /** The whole map, with nothing folded. */
  readonly drawing: Drawing;
  readonly colours: PictureColors;
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
  /** Further details in words. */
  readonly notes: readonly string[];
  /** A calendar day such as `2026-11-21`; null if none was mentioned. */
  readonly due: string | null;
  readonly done: boolean;
  /** Link to where it was said. */
  readonly url: string;
};

/** The file could not be made: the picture is too large for this browser, or memory is short. */
export type SaveFailure = 'not-made';

export type AnalysisFiles = {
  saveMap(map: MindMapExport, format: MapFormat): Promise<Outcome<null, SaveFailure>>;
  saveTodos(
    todos: readonly CalendarTodo[],
    recording: RecordingInfo,
  ): Promise<Outcome<null, SaveFailure>>;
};
