/** Defines the actions of histories: user actions and faults. A seed fully determines a history. */
import { Random } from '@linnet/server/testing/random';
import type { CopyPlace } from '@linnet/sync';
import type { Moment } from './app-run.ts';
import type { ImageKind } from './firmware.ts';
import type { ServerProcess } from './server.ts';

/** One step of a history. `phone` and `recording` are indexes, modulo the number of phones or recordings. */
export type Action =
  /** Records a session. `words` is a bit set that selects words from the vocabulary. */
  | { readonly do: 'record'; readonly words: number }
  /** Presses the recorder's button, which starts or stops a recording. */
  | { readonly do: 'press'; readonly words: number }
  | { readonly do: 'connect' | 'connect_wifi'; readonly phone: number }
  /** Sends firmware to the recorder. The recorder must reject invalid images. */
  | { readonly do: 'update'; readonly phone: number; readonly image: ImageKind }
  /** Signs in on a phone, with the recorder's account or a different one. */
  | { readonly do: 'sign_in'; readonly phone: number; readonly as: 'guest' | 'owner' }
  | {
      readonly do: 'rename' | 'tag';
      readonly phone: number;
      readonly recording: number;
      readonly text: string;
    }
  | {
      readonly do: 'bin' | 'recover' | 'delete';
      readonly phone: number;
      readonly recording: number;
    }
  | {
      readonly do: 'transcribe' | 'free_space' | 'download';
      readonly phone: number;
      readonly recording: number;
    }
  | { readonly do: 'ask'; readonly phone: number; readonly recording: number }
  | { readonly do: 'share' | 'revoke'; readonly phone: number; readonly recording: number }
  | {
      readonly do: 'store';
      readonly phone: number;
      readonly place: CopyPlace;
      readonly on: boolean;
    }
  | { readonly do: 'spend_minutes'; readonly remaining: number }
  /** Lets an hour pass on the server. It then deletes audio from storage locations that were turned off. */
  | { readonly do: 'advance_hour' }
  | Fault
  | { readonly do: 'online'; readonly phone: number }
  /** Waits until a phone has uploaded all its audio, without the recorder. */
  | { readonly do: 'await_uploads'; readonly phone: number }
  /** Waits until a phone shows live text. */
  | { readonly do: 'await_live_text'; readonly phone: number }
  /** Waits for a number of phone steps. */
  | { readonly do: 'proceed'; readonly steps: number }
  /** Clears all faults, waits until nothing is pending, and checks the invariants. */
  | { readonly do: 'settle' };

/** A fault. Lasts until the history settles, or applies to a fixed number of requests. */
export type Fault =
  | { readonly do: 'disconnect' }
  | { readonly do: 'cut_link'; readonly bytes: number }
  | { readonly do: 'unbind' }
  | { readonly do: 'fill_recorder' | 'drain_recorder' | 'restart_recorder' }
  /** Denies the phone access to the recorder's network. */
  | { readonly do: 'deny_wifi' }
  | { readonly do: 'lose_wifi'; readonly bytes: number }
  | { readonly do: 'offline'; readonly phone: number }
  | { readonly do: 'lose_answers'; readonly phone: number; readonly calls: number }
  | {
      readonly do: 'refuse_objects' | 'halve_objects';
      readonly phone: number;
      readonly objects: number;
    }
  | { readonly do: 'fill_phone'; readonly phone: number }
  | { readonly do: 'fill_server' }
  | {
      readonly do: 'kill_phone';
      readonly phone: number;
      readonly writes: number;
      readonly at: Moment;
    }
  | { readonly do: 'kill_server'; readonly process: ServerProcess }
  | { readonly do: 'break_speech'; readonly fault: 'busy' | 'broken' | 'reset' | 'truncate' }
  | { readonly do: 'set_clock'; readonly phone: number; readonly minutes: number };

const faultNames: readonly Fault['do'][] = [
  ...(['disconnect', 'cut_link', 'unbind', 'offline', 'lose_answers', 'refuse_objects'] as const),
  ...(['halve_objects', 'fill_recorder', 'fill_phone', 'fill_server', 'kill_phone'] as const),
  ...(['kill_server', 'break_speech', 'set_clock', 'drain_recorder', 'restart_recorder'] as const),
  ...(['deny_wifi', 'lose_wifi'] as const),
];

export const isFault = (action: Action): action is Fault =>
  faultNames.some((name) => name === action.do);

/** Relative frequency of each action. Killing a server process is rare, because a restart takes seconds. */
const habits: Readonly<
  Record<Exclude<Action['do'], 'settle' | 'await_uploads' | 'await_live_text'>, number>
> = {
  ...{
    record: 4,
    press: 3,
    connect: 6,
    sign_in: 1,
    rename: 4,
    tag: 3,
    bin: 2,
    recover: 2,
    delete: 2,
  },
  ...{
    transcribe: 2,
    free_space: 1,
    download: 1,
    ask: 1,
    share: 1,
    revoke: 0.5,
    store: 1.5,
    spend_minutes: 0.5,
  },
  ...{
    online: 1,
    proceed: 9,
    disconnect: 2,
    cut_link: 4,
    unbind: 0.5,
    offline: 1.5,
    lose_answers: 4,
  },
  ...{
    refuse_objects: 2,
    halve_objects: 2,
    fill_recorder: 0.5,
    fill_phone: 1,
    fill_server: 0.4,
    kill_phone: 4,
  },
  ...{ kill_server: 2, break_speech: 1, set_clock: 1.5 },
  ...{ connect_wifi: 2, deny_wifi: 0.5, lose_wifi: 1.5, advance_hour: 1 },
  ...{ update: 0.7, drain_recorder: 0.3, restart_recorder: 0.7 },
};

const serverProcesses = ['api', 'worker', 'second_worker', 'postgres'] as const;
const ROUNDS = 2;
const ACTIONS_PER_ROUND = 12;
const MINUTES_PER_DAY = 24 * 60;
/** How far a phone's clock is ahead, in minutes. */
const clocks = [0, 5, -5, MINUTES_PER_DAY + 120, -MINUTES_PER_DAY - 120];

/** Generates the history of a seed. */
export function history(seed: number): Action[] {
  const random = new Random(seed);
  const actions: Action[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    actions.push({ do: 'record', words: words(random) }, { do: 'connect', phone: 0 });
    for (let n = 0; n < ACTIONS_PER_ROUND; n++) actions.push(action(random));
    actions.push({ do: 'settle' });
  }
  return actions;
}

/** Selects at least four of the sixteen words. */
function words(random: Random): number {
  return 0b1000_1000_1000_1000 | random.below(2 ** 16);
}

function action(random: Random): Action {
  const name = random.weighted(habits);
  const phone = random.below(2);
  const recording = random.below(8);
  switch (name) {
    case 'record':
    case 'press':
      return { do: name, words: words(random) };
    case 'sign_in':
      return { do: name, phone, as: random.pick(['guest', 'owner'] as const) };
    case 'connect':
    case 'connect_wifi':
    case 'offline':
    case 'online':
    case 'fill_phone':
      return { do: name, phone };
    case 'rename':
    case 'tag':
      return { do: name, phone, recording, text: `${name} ${random.below(1000)}` };
    case 'bin':
    case 'recover':
    case 'delete':
    case 'transcribe':
    case 'free_space':
    case 'download':
    case 'ask':
    case 'share':
    case 'revoke':
      return { do: name, phone, recording };
    case 'store': {
      const place = random.pick(['recorder', 'phone', 'cloud'] as const);
      return { do: name, phone, place, on: random.chance(0.4) };
    }
    case 'spend_minutes':
      return { do: name, remaining: random.below(3) };
    case 'proceed':
      return { do: name, steps: 1 + random.below(60) };
    case 'disconnect':
    case 'unbind':
    case 'fill_recorder':
    case 'drain_recorder':
    case 'restart_recorder':
    case 'deny_wifi':
    case 'advance_hour':
    case 'fill_server':
      return { do: name };
    case 'update': {
      const image = random.pick(['valid', 'valid', 'damaged', 'other_model'] as const);
      return { do: name, phone, image };
    }
    case 'lose_wifi':
    case 'cut_link':
      return { do: name, bytes: 1 + random.below(60_000) };
    case 'lose_answers':
      return { do: name, phone, calls: 1 + random.below(4) };
    case 'refuse_objects':
    case 'halve_objects':
      return { do: name, phone, objects: 1 + random.below(2) };
    case 'kill_phone': {
      const at = random.pick(['before', 'during', 'after'] as const);
      return { do: name, phone, writes: random.below(50), at };
    }
    case 'kill_server':
      return { do: name, process: random.pick(serverProcesses) };
    case 'break_speech':
      return { do: name, fault: random.pick(['busy', 'broken', 'reset', 'truncate'] as const) };
    case 'set_clock':
      return { do: name, phone, minutes: random.pick(clocks) };
  }
}
