/** The recorders that the record button can control, and the user's choice among them. */
import { merged, writable } from '@linnet/base';
import type { Recorder, RecorderKind } from '@linnet/recorders';
import type { RecorderFailure, RecorderService } from '../../ports/recorder.ts';
import type { RecordersService, RecordingOptions } from '../../ports/recorders.ts';
import type { ThisDevice } from './this-device.ts';

/** Local storage key of the chosen recorder. */
const KEY = 'RECORDER';
/** Local storage key of the chosen options. */
const OPTIONS_KEY = 'RECORDING_OPTIONS';
const defaultOptions: RecordingOptions = { mode: 'normal', scene: 'meeting' };

export type RecordersOptions = {
  readonly linnet: Recorder<RecorderFailure>;
  readonly thisDevice: Pick<ThisDevice, 'recorder' | 'microphone'>;
  readonly link: RecorderService['link'];
  readonly onError: (error: unknown) => void;
};

function isBusy({ activity }: Recorder<unknown>): boolean {
  return !['disconnected', 'unavailable', 'idle'].includes(activity.get().state);
}

/** Combines the recorders. Defaults to the bound recorder, or to this device if none is bound. */
export function createRecorders(options: RecordersOptions): RecordersService {
  const { linnet, thisDevice, link, onError } = options;
  const byKind: Readonly<Record<RecorderKind, Recorder<RecorderFailure>>> = {
    linnet,
    'this-device': thisDevice.recorder,
  };
  let canUseMicrophone = true;

  function chosen(): RecorderKind {
    if (localStorage.getItem(KEY) === 'this-device' && canUseMicrophone) return 'this-device';
    const isBound = link.get().status !== 'none';
    return isBound || !canUseMicrophone ? 'linnet' : 'this-device';
  }
  function resolve(): RecorderKind {
    if (isBusy(thisDevice.recorder)) return 'this-device';
    return isBusy(linnet) ? 'linnet' : chosen();
  }
  const stored = localStorage.getItem(OPTIONS_KEY);
  const recordingOptions = writable<RecordingOptions>({
    ...defaultOptions,
    ...(stored === null ? null : (JSON.parse(stored) as Partial<RecordingOptions>)),
  });
  const current = writable(resolve());
  const update = () => current.set(resolve());

  merged(link, linnet.activity, thisDevice.recorder.activity)(update);
  thisDevice.microphone
    .availability()
    .then((availability) => {
      // If the user has denied access, pressing the button explains that.
      canUseMicrophone =
        availability.status === 'ready' || availability.code === 'permission_denied';
      update();
    })
    .catch(onError);

  return {
    current,
    choose(kind) {
      localStorage.setItem(KEY, kind);
      update();
    },
    options: recordingOptions,
    chooseOptions(changes) {
      recordingOptions.set({ ...recordingOptions.get(), ...changes });
      localStorage.setItem(OPTIONS_KEY, JSON.stringify(recordingOptions.get()));
    },
    of: (kind) => byKind[kind],
    microphone: thisDevice.microphone,
  };
}
