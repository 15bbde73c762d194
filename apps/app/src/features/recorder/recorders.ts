/** The recorders that the record button can control, and the user's choice among them. */
import { merged, writable } from '@linnet/base';
import type { Recorder, RecorderKind } from '@linnet/recorders';
import type { OmiService } from '../../ports/omi.ts';
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
  readonly omi: {
    readonly recorder: Recorder<RecorderFailure>;
    readonly service: Pick<OmiService, 'state'>;
  };
  readonly thisDevice: Pick<ThisDevice, 'recorder' | 'microphone'>;
  readonly link: RecorderService['link'];
  readonly onError: (error: unknown) => void;
};

function isBusy({ activity }: Recorder<unknown>): boolean {
  return !['disconnected', 'unavailable', 'idle'].includes(activity.get().state);
}

/** Combines the recorders. Defaults to the bound recorder, then to the Omi, then to this device. */
export function createRecorders(options: RecordersOptions): RecordersService {
  const { linnet, omi, thisDevice, link, onError } = options;
  const byKind: Readonly<Record<RecorderKind, Recorder<RecorderFailure>>> = {
    linnet,
    omi: omi.recorder,
    'this-device': thisDevice.recorder,
  };
  let canUseMicrophone = true;

  function readChoice(): RecorderKind {
    const storedKind = localStorage.getItem(KEY);
    if (storedKind === 'this-device' && canUseMicrophone) return 'this-device';
    const isBound = link.get().status !== 'none';
    const hasOmi = omi.service.state.get().status !== 'none';
    if (hasOmi && (storedKind === 'omi' || !isBound)) return 'omi';
    return isBound || !canUseMicrophone ? 'linnet' : 'this-device';
  }
  function resolve(): RecorderKind {
    if (isBusy(thisDevice.recorder)) return 'this-device';
    if (isBusy(omi.recorder)) return 'omi';
    return isBusy(linnet) ? 'linnet' : readChoice();
  }
  const storedOptions = localStorage.getItem(OPTIONS_KEY);
  const recordingOptions = writable<RecordingOptions>({
    ...defaultOptions,
    ...(storedOptions === null ? null : (JSON.parse(storedOptions) as Partial<RecordingOptions>)),
  });
  const current = writable(resolve());
  const update = () => current.set(resolve());

  merged(
    link,
    omi.service.state,
    linnet.activity,
    omi.recorder.activity,
    thisDevice.recorder.activity,
  )(update);
  thisDevice.microphone
    .availability()
    .then((availability) => {
      // With denied access, the button stays usable and explains the failure when pressed.
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
