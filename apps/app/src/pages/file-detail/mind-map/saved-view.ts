/** A view position: the node nearest to the center, the center's offset from it, and the scale. */
export type ViewPosition = {
  readonly node: string;
  /** Offset of the frame's center from the node's corner, in drawing pixels. */
  readonly dx: number;
  readonly dy: number;
  readonly scale: number;
};
/** A map's saved view. */
export type SavedView = { readonly folded: readonly string[]; readonly place: ViewPosition | null };

type StoredView = SavedView & { readonly recording: string };

/** Local storage key. Views aren't synced, because screen sizes differ. */
const key = 'linnet.mindMaps';
/** Maximum number of saved views. Beyond that, the oldest is dropped. */
const maxViews = 30;

function storedViews(): readonly StoredView[] {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(key) ?? '[]');
    return Array.isArray(stored) ? stored : [];
  } catch (error) {
    // Invalid content is replaced the next time a view is saved.
    if (error instanceof SyntaxError) return [];
    throw error;
  }
}

/** Returns the saved view of a recording's map. By default, no node is folded and the position is null. */
export function loadView(recording: string): SavedView {
  return storedViews().find((each) => each.recording === recording) ?? { folded: [], place: null };
}

/** Saves the view of a recording's map. */
export function saveView(recording: string, view: SavedView): void {
  const others = storedViews().filter((each) => each.recording !== recording);
  localStorage.setItem(key, JSON.stringify([{ ...view, recording }, ...others].slice(0, maxViews)));
}
