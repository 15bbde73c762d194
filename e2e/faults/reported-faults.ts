/** Histories of faults that recorder users have reported. */
import type { Action } from './actions.ts';

const record: Action = { do: 'record', words: 0b1101_1010_0110_1111 };
const connect: Action = { do: 'connect', phone: 0 };
const proceed: Action = { do: 'proceed', steps: 20 };

export const reportedFaults: readonly {
  readonly name: string;
  readonly actions: readonly Action[];
}[] = [
  {
    name: 'the app is killed in the middle of a transfer',
    actions: [1, 12, 30, 45].flatMap((writes): Action[] => [
      record,
      { do: 'kill_phone', phone: 0, writes, at: 'during' },
      connect,
      { do: 'proceed', steps: 200 },
      { do: 'settle' },
    ]),
  },
  {
    name: 'a recording never becomes a transcript, without a reason',
    actions: [
      record,
      { do: 'break_speech', fault: 'reset' },
      { do: 'break_speech', fault: 'truncate' },
      connect,
      { do: 'await_uploads', phone: 0 },
      { do: 'kill_server', process: 'worker' },
      record,
      connect,
      { do: 'await_uploads', phone: 0 },
      { do: 'kill_server', process: 'api' },
    ],
  },
  {
    name: 'a lost link costs a recording',
    actions: [
      record,
      ...[1, 900, 15_000, 40_000].flatMap((bytes): Action[] => [
        { do: 'cut_link', bytes },
        connect,
        { do: 'proceed', steps: 100 },
      ]),
    ],
  },
  {
    name: 'nothing is uploaded after the internet is back, until the recorder connects',
    actions: [
      record,
      { do: 'offline', phone: 0 },
      connect,
      { do: 'proceed', steps: 200 },
      { do: 'disconnect' },
      { do: 'online', phone: 0 },
      { do: 'await_uploads', phone: 0 },
      // Phones transfer the recorder's audio to the cloud even if they aren't a storage location.
      { do: 'store', phone: 0, place: 'phone', on: false },
      record,
    ],
  },
  {
    name: 'a full recorder loses audio silently',
    actions: [record, { do: 'fill_recorder' }, record, connect, proceed, record],
  },
  {
    name: 'a limit becomes an endless silent loop',
    actions: [
      { do: 'break_speech', fault: 'busy' },
      record,
      connect,
      { do: 'settle' },
      { do: 'spend_minutes', remaining: 0 },
      record,
      connect,
    ],
  },
  {
    name: 'pairing is stuck after a side has forgotten it',
    actions: [record, connect, proceed, { do: 'unbind' }, record, connect],
  },
  {
    name: 'Wi-Fi strands the recorder',
    actions: [
      record,
      { do: 'deny_wifi' },
      { do: 'connect_wifi', phone: 0 },
      proceed,
      { do: 'settle' },
      record,
      { do: 'lose_wifi', bytes: 20_000 },
      { do: 'connect_wifi', phone: 0 },
      { do: 'proceed', steps: 100 },
      { do: 'settle' },
      record,
      { do: 'connect_wifi', phone: 0 },
      { do: 'await_uploads', phone: 0 },
    ],
  },
  {
    name: 'a firmware update leaves the recorder unusable',
    actions: [
      record,
      connect,
      { do: 'drain_recorder' },
      { do: 'update', phone: 0, image: 'valid' },
      { do: 'settle' },
      connect,
      { do: 'update', phone: 0, image: 'other_model' },
      proceed,
      { do: 'update', phone: 0, image: 'damaged' },
      proceed,
      { do: 'update', phone: 0, image: 'valid' },
      { do: 'restart_recorder' },
      connect,
      { do: 'update', phone: 0, image: 'valid' },
      { do: 'cut_link', bytes: 500 },
      proceed,
      { do: 'settle' },
      connect,
      { do: 'update', phone: 0, image: 'valid' },
      proceed,
      record,
      connect,
    ],
  },
  {
    name: 'deleted recordings return, or clocks make duplicates',
    actions: [
      { do: 'set_clock', phone: 0, minutes: 5 },
      { do: 'set_clock', phone: 1, minutes: -26 * 60 },
      record,
      connect,
      proceed,
      { do: 'connect', phone: 1 },
      { do: 'settle' },
      { do: 'offline', phone: 1 },
      { do: 'rename', phone: 1, recording: 0, text: 'Choir' },
      { do: 'delete', phone: 0, recording: 0 },
      { do: 'connect', phone: 1 },
      proceed,
      record,
      { do: 'lose_answers', phone: 0, calls: 3 },
      connect,
      { do: 'settle' },
      // Move a recording to the recycle bin before its upload, and restore it.
      { do: 'offline', phone: 0 },
      record,
      connect,
      { do: 'proceed', steps: 200 },
      { do: 'bin', phone: 0, recording: 2 },
      { do: 'settle' },
      { do: 'recover', phone: 0, recording: 2 },
    ],
  },
];
