/** A position on a map: the node nearest to the center, the center's distance from it, and the scale. */
export type Place = {
  readonly node: string;
  /** From the node's corner to the center of the frame, in pixels of the drawing. */
  readonly dx: number;
  readonly dy: number;
  readonly scale: number;
};
/** The saved view of a map. */
export type SavedView = { readonly folded: readonly string[]; readonly place: Place | null };

type StoredView = SavedView & { readonly recording: string };

/** Local storage key. Not synced, because screens differ in size. */
const key = 'linnet.mindMaps';
/** Number of maps remembered, most recent first. */
const most = 30;

function all(): readonly StoredView[] {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(key) ?? '[]');
    return Array.isArray(stored) ? stored : [];
  } catch (error) {
    // Invalid content is replaced the next time a view is saved.
    if (error instanceof SyntaxError) return [];
    throw error;
  }
}

/** The saved view of a recording's map; by default unfolded, at its start. */
export function savedViewOf(recording: string): SavedView {
  return all().find((each) => each.recording === recording) ?? { folded: [], place: null };
}

/** Saves the view of a recording's map. */
export function saveView(recording: string, view: SavedView): void {
  const others = all().filter((each) => each.recording !== recording);
  localStorage.setItem(key, JSON.stringify([{ ...view, recording }, ...others].slice(0, most)));
}
