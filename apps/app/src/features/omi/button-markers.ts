/** Adds a marker to the recording in progress when the button of an Omi is tapped. */
import type { Marker } from '@linnet/contract';
import { TransportError } from '@linnet/device/transport';
import type { ButtonEvent, OmiSession } from '@linnet/omi';
import { markerId } from '@linnet/sync';
import type { Store } from '../../ports/store.ts';

/** Maximum number of markers per recording, so that a faulty button can't add an unlimited number. */
const MAX_MARKERS = 200;
/** The events that add a marker. Excludes the long press, which turns some models off. */
const taps: ReadonlySet<ButtonEvent> = new Set(['tap', 'double_tap']);

export type ButtonMarkersOptions = {
  /** The open session, or null. */
  readonly session: Store<OmiSession | null>;
  /** Returns the recording in progress and the current position in it in milliseconds, or null. */
  readonly position: () => { readonly recording: string; readonly ms: number } | null;
  readonly mark: (recordId: string, marker: Marker) => Promise<unknown>;
  readonly onError: (error: unknown) => void;
};

export function createButtonMarkers({
  session,
  position,
  mark,
  onError,
}: ButtonMarkersOptions): void {
  let markers = { recording: '', count: 0 };

  function handle(event: ButtonEvent): void {
    const current = position();
    if (!taps.has(event) || !current) return;
    const { recording, ms } = current;
    const count = markers.recording === recording ? markers.count + 1 : 1;
    markers = { recording, count };
    if (count > MAX_MARKERS) return;
    mark(recording, { id: markerId(), time: Math.max(0, ms) / 1000, label: '' }).catch(onError);
  }

  session.subscribe(() => {
    session
      .get()
      ?.onButton(handle)
      .catch((error: unknown) => {
        // The next connection subscribes again.
        if (!(error instanceof TransportError)) onError(error);
      });
  });
}
