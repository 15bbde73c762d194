/** Generates random histories for `copies.test.ts`. */
import type { CopyPlace } from '@linnet/sync';
import fc from 'fast-check';

/** The file that a third-party client uploads for a recording. */
export type ForeignFile = 'one_byte' | 'truncated' | 'wave' | 'other' | 'wrong_size' | 'same';

/** One step of a history. `phone` and `recording` are indexes, modulo the number of phones or recordings. */
export type Action =
  | { readonly do: 'record'; readonly from: number; readonly packets: number }
  | { readonly do: 'connect' | 'disconnect' | 'look'; readonly phone: number }
  | { readonly do: 'restart'; readonly phone: number }
  | { readonly do: 'network'; readonly phone: number; readonly online: boolean }
  | { readonly do: 'lose_answers'; readonly phone: number; readonly calls: number }
  | { readonly do: 'crash'; readonly phone: number; readonly commits: number }
  | {
      readonly do: 'switch';
      readonly phone: number;
      readonly place: CopyPlace;
      readonly on: boolean;
    }
  | { readonly do: 'pass'; readonly minutes: number }
  | {
      readonly do: 'make_room';
      readonly phone: number;
      readonly recording: number;
      readonly all: boolean;
    }
  | {
      readonly do: 'download' | 'bin' | 'recover' | 'delete_for_good' | 'transcribe';
      readonly phone: number;
      readonly recording: number;
    }
  | { readonly do: 'work' | 'inspect' }
  | { readonly do: 'lose_object'; readonly recording: number }
  | { readonly do: 'replace_object'; readonly recording: number; readonly from: number }
  | {
      readonly do: 'foreign';
      readonly file: ForeignFile;
      /** Whether the file is a new recording or claims to be an existing one. */
      readonly own: boolean;
      readonly recording: number;
      readonly from: number;
    };

export type History = { readonly phones: number; readonly actions: readonly Action[] };

const phone = fc.nat({ max: 1 });
const recording = fc.nat({ max: 9 });
const from = fc.nat({ max: 2000 });
const is = <const Name extends string>(name: Name) => fc.constant(name);
const copyPlace = fc.constantFrom<CopyPlace>('recorder', 'phone', 'cloud');

const action: fc.Arbitrary<Action> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({ do: is('record'), from, packets: fc.integer({ min: 1, max: 25 }) }),
  },
  { weight: 4, arbitrary: fc.record({ do: is('connect'), phone }) },
  {
    weight: 2,
    arbitrary: fc.record({ do: fc.constantFrom('disconnect', 'look'), phone }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ do: is('restart'), phone }),
  },
  { weight: 2, arbitrary: fc.record({ do: is('network'), phone, online: fc.boolean() }) },
  {
    weight: 1,
    arbitrary: fc.record({
      do: is('lose_answers'),
      phone,
      calls: fc.integer({ min: 1, max: 4 }),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ do: is('crash'), phone, commits: fc.integer({ min: 1, max: 12 }) }),
  },
  {
    weight: 6,
    arbitrary: fc.record({ do: is('switch'), phone, place: copyPlace, on: fc.boolean() }),
  },
  {
    weight: 5,
    arbitrary: fc.record({ do: is('pass'), minutes: fc.constantFrom(5, 59, 61, 61, 61, 180) }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ do: is('make_room'), phone, recording, all: fc.boolean() }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constantFrom('download', 'bin', 'recover', 'delete_for_good'),
      phone,
      recording,
    }),
  },
  { weight: 2, arbitrary: fc.record({ do: is('transcribe'), phone, recording }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constantFrom('work', 'work', 'inspect') }) },
  { weight: 1, arbitrary: fc.record({ do: is('lose_object'), recording }) },
  { weight: 1, arbitrary: fc.record({ do: is('replace_object'), recording, from }) },
  {
    weight: 3,
    arbitrary: fc.record({
      do: is('foreign'),
      file: fc.constantFrom('one_byte', 'truncated', 'wave', 'other', 'wrong_size', 'same'),
      own: fc.boolean(),
      recording,
      from,
    }),
  },
);

/** Sequences of actions that cause deletions, which random actions rarely do. */
const phrase: fc.Arbitrary<Action[]> = fc.oneof(
  fc.record({ phone, place: copyPlace }).map(({ phone, place }): Action[] => [
    { do: 'switch', phone, place, on: false },
    { do: 'pass', minutes: 61 },
  ]),
  fc
    .record({ phone, recording })
    .map(({ phone, recording }): Action[] => [
      { do: 'transcribe', phone, recording },
      { do: 'work' },
      { do: 'pass', minutes: 5 },
    ]),
  fc
    .record({ phone, recording })
    .map(({ phone, recording }): Action[] => [
      { do: 'switch', phone, place: 'cloud', on: false },
      { do: 'transcribe', phone, recording },
      { do: 'work' },
      { do: 'pass', minutes: 61 },
    ]),
  // The only other copy, in the cloud, is lost before the recorder's copy would be deleted.
  fc
    .record({ phone, recording, isLost: fc.boolean(), from })
    .map(({ phone, recording, isLost, from }): Action[] => [
      { do: 'connect', phone },
      { do: 'switch', phone, place: 'phone', on: false },
      { do: 'pass', minutes: 61 },
      { do: 'switch', phone, place: 'recorder', on: false },
      isLost ? { do: 'lose_object', recording } : { do: 'replace_object', recording, from },
      { do: 'pass', minutes: 61 },
    ]),
  // Phones delete audio that is stored in the cloud, and then cloud storage is turned off.
  fc
    .record({ phone, recording })
    .map(({ phone, recording }): Action[] => [
      { do: 'transcribe', phone, recording },
      { do: 'work' },
      { do: 'make_room', phone, recording, all: true },
      { do: 'switch', phone, place: 'cloud', on: false },
      { do: 'pass', minutes: 61 },
    ]),
  fc.record({ phone, recording }).map(({ phone, recording }): Action[] => [
    { do: 'bin', phone, recording },
    { do: 'delete_for_good', phone, recording },
  ]),
);

/**
 * Generates histories with a recorder, one or two phones, the cloud and a third-party client. Every history starts with
 * a recording.
 */
export const anyHistory: fc.Arbitrary<History> = fc.record({
  phones: fc.integer({ min: 1, max: 2 }),
  actions: fc
    .array(
      fc.oneof(
        { weight: 3, arbitrary: action.map((each) => [each]) },
        { weight: 1, arbitrary: phrase },
      ),
      { minLength: 8, maxLength: 16, size: 'max' },
    )
    .map((actions): Action[] => [
      { do: 'record', from: 0, packets: 20 },
      { do: 'connect', phone: 0 },
      ...actions.flat(),
    ]),
});
