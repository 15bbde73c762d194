import type { Drawing } from '../mind-map/layout.ts';
import type { Twig } from '../mind-map/tree.ts';
import type { Outcome } from './store.ts';

/** The recording that a file is of; `at` ISO-8601. */
export type Recorded = { readonly name: string; readonly at: string };

export type MapFormat = 'png' | 'svg' | 'xmind' | 'markdown';
export type MapToSave = {
  readonly recording: Recorded;
  readonly tree: Twig;
  /** All of it, nothing folded. */
  readonly drawing: Drawing;
  readonly colours: PictureColours;
  /** CSS font families. */
  readonly faces: { readonly text: string; readonly display: string };
};
/** What a picture is coloured with, as CSS colours; branches and their washes in their order. */
export type PictureColours = {
  readonly paper: string;
  readonly ink: string;
  readonly root: string;
  readonly onRoot: string;
  readonly branches: readonly string[];
  readonly washes: readonly string[];
};

/** A to-do of a recording, for a calendar. */
export type CalendarTodo = {
  /** The same whenever it is exported, and no other's. */
  readonly uid: string;
  readonly text: string;
  /** What else is known of it, in words. */
  readonly notes: readonly string[];
  /** A calendar day like `2026-11-21`; null where none was said. */
  readonly due: string | null;
  readonly done: boolean;
  /** Where it was said. */
  readonly url: string;
};

/** The file could not be made: too large a picture for this browser, or no memory. */
export type SaveFailure = 'not-made';

export type UnderstoodFiles = {
  saveMap(map: MapToSave, format: MapFormat): Promise<Outcome<null, SaveFailure>>;
  saveTodos(
    todos: readonly CalendarTodo[],
    recording: Recorded,
  ): Promise<Outcome<null, SaveFailure>>;
};
