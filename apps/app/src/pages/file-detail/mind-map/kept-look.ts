/** Where on a map one is: which node is nearest to the middle, how far from it that is, and the scale. */
export type Place = {
  readonly node: string;
  /** From the node's corner to the middle of the frame, in pixels of the drawing. */
  readonly dx: number;
  readonly dy: number;
  readonly scale: number;
};
/** How a map was left. */
export type Look = { readonly folded: readonly string[]; readonly place: Place | null };

type Kept = Look & { readonly recording: string };

/** Kept on this phone alone: another screen has other room. */
const key = 'linnet.mindMaps';
/** Maps that are remembered, those left last. */
const most = 30;

function all(): readonly Kept[] {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(key) ?? '[]');
    return Array.isArray(kept) ? kept : [];
  } catch (error) {
    // Somebody else's words: the next map that is left replaces them.
    if (error instanceof SyntaxError) return [];
    throw error;
  }
}

/** How the map of a recording was left on this phone; unfolded and from its beginning where it never was. */
export function lookOf(recording: string): Look {
  return all().find((each) => each.recording === recording) ?? { folded: [], place: null };
}

/** Keeps how the map of a recording is left. */
export function keepLook(recording: string, look: Look): void {
  const others = all().filter((each) => each.recording !== recording);
  localStorage.setItem(key, JSON.stringify([{ ...look, recording }, ...others].slice(0, most)));
}
