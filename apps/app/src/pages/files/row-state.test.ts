import { type CopyState, sha256From } from '@linnet/sync';
import { describe, expect, it } from 'vitest';
import { isInProgress, rowState, type StateSource, transferredShare } from './row-state.ts';

const absentCopy: CopyState = { status: 'absent' };
const completeCopy: CopyState = { status: 'whole', bytes: 1000 };
const verifiedCopy: CopyState = {
  status: 'verified',
  bytes: 1000,
  sha256: sha256From('00'.repeat(32)),
};
const partialCopy = (bytes: number): CopyState => ({ status: 'partial', bytes });

const onRecorder: StateSource = {
  is_local: 0,
  is_trans: 0,
  process: 0,
  copies: { recorder: verifiedCopy, phone: absentCopy, cloud: absentCopy },
  audioBytes: 1000,
  problem: null,
  sn: 'LN24A70000A1',
};
const onPhone: StateSource = {
  ...onRecorder,
  copies: { recorder: verifiedCopy, phone: verifiedCopy, cloud: absentCopy },
};
const inCloud: StateSource = {
  ...onPhone,
  is_local: 2,
  copies: { recorder: verifiedCopy, phone: verifiedCopy, cloud: verifiedCopy },
};

describe('rowState', () => {
  it('shows a microphone recording as in progress, interrupted, or complete', () => {
    const record = { ...onPhone, sn: 'MIC-1', audioBytes: 0 };
    const partial = {
      ...record,
      copies: { recorder: absentCopy, phone: partialCopy(320), cloud: absentCopy },
    };
    expect(rowState({ ...partial, movement: { step: 'record', source: 'microphone' } })).toEqual({
      kind: 'recording',
    });
    expect(rowState(partial)).toEqual({ kind: 'interrupted' });
    const copies = { recorder: absentCopy, phone: verifiedCopy, cloud: absentCopy };
    expect(rowState({ ...record, copies })).toEqual({ kind: 'local' });
  });

  it('follows a recording from the recorder to its transcript', () => {
    expect(rowState(onRecorder)).toEqual({ kind: 'on-recorder' });
    expect(rowState({ ...onRecorder, movement: { step: 'fetch', fraction: 0.624 } })).toEqual({
      kind: 'fetching',
      percent: 62,
      paused: false,
    });
    expect(rowState(onPhone)).toEqual({ kind: 'local' });
    expect(rowState({ ...onPhone, movement: { step: 'upload', fraction: 0.5 } })).toEqual({
      kind: 'uploading',
      percent: 50,
    });
    expect(rowState(inCloud)).toEqual({ kind: 'cloud' });
    expect(rowState({ ...inCloud, is_trans: 1, process: 38 })).toEqual({
      kind: 'transcribing',
      percent: 38,
      at: null,
    });
    const at = { name: 'recognise', done: 0.41 } as const;
    const movement = { step: 'transcribe', fraction: 0.38, at } as const;
    expect(rowState({ ...inCloud, is_trans: 1, process: 38, movement })).toEqual({
      kind: 'transcribing',
      percent: 38,
      at,
    });
    expect(rowState({ ...inCloud, is_trans: 2, process: 100 })).toEqual({ kind: 'done' });
  });

  it('is recording while the total is unknown, and on-recorder after the connection is lost', () => {
    const listedRecord = { ...onRecorder, audioBytes: 160 };
    const movement = { step: 'record', source: 'recorder' } as const;
    expect(rowState({ ...listedRecord, movement })).toEqual({ kind: 'recording' });
    const interrupted = {
      ...listedRecord,
      copies: { ...listedRecord.copies, phone: partialCopy(80_000) },
    };
    expect(rowState(interrupted)).toEqual({ kind: 'on-recorder' });
  });

  it('is paused when partially transferred and idle', () => {
    const partiallyTransferred = {
      ...onRecorder,
      copies: { ...onRecorder.copies, phone: partialCopy(250) },
    };
    expect(rowState(partiallyTransferred)).toEqual({ kind: 'fetching', percent: 25, paused: true });
    expect(rowState({ ...partiallyTransferred, audioBytes: 0 })).toEqual({ kind: 'on-recorder' });
  });

  it('reports session_gone if no copy remains', () => {
    for (const phone of [absentCopy, partialCopy(250)]) {
      const withoutCopies = {
        ...onRecorder,
        copies: { recorder: absentCopy, phone, cloud: absentCopy },
      };
      expect(rowState(withoutCopies)).toEqual({
        kind: 'trouble',
        step: 'fetch',
        code: 'session_gone',
        failure: null,
      });
      expect(rowState({ ...withoutCopies, is_local: 2 })).toEqual({ kind: 'cloud' });
    }
  });

  it('limits progress to 1–99 until the operation is confirmed', () => {
    for (const [fraction, percent] of [
      [0, 1],
      [1, 99],
    ] as const) {
      expect(rowState({ ...onPhone, movement: { step: 'upload', fraction } })).toMatchObject({
        percent,
      });
      expect(rowState({ ...onRecorder, movement: { step: 'fetch', fraction } })).toMatchObject({
        percent,
      });
    }
    expect(rowState({ ...inCloud, is_trans: 1, process: 100 })).toMatchObject({ percent: 99 });
  });

  it('treats preparing the audio file as the end of the transfer', () => {
    const preparing = { ...onPhone, movement: { step: 'prepare', fraction: 0.1 } } as const;
    expect(rowState(preparing)).toEqual({ kind: 'fetching', percent: 99, paused: false });
  });

  it('shows the failure with the server’s message', () => {
    const failure = { kind: 'server', code: 44001, msg: '' } as const;
    const failedTranscription = {
      ...inCloud,
      problem: { step: 'transcribe', code: 'refused', failure },
    } as const;
    expect(rowState(failedTranscription)).toEqual({
      kind: 'trouble',
      step: 'transcribe',
      code: 'refused',
      failure,
    });
    expect(rowState({ ...onPhone, problem: { step: 'fetch', code: 'not_audio' } })).toEqual({
      kind: 'trouble',
      step: 'fetch',
      code: 'not_audio',
      failure: null,
    });
    expect(rowState({ ...inCloud, is_trans: 3 })).toMatchObject({
      kind: 'trouble',
      code: 'failed',
    });
  });

  it('prefers a transcript to an old failure', () => {
    const transcribed = {
      ...inCloud,
      is_trans: 2,
      problem: { step: 'upload', code: 'refused' },
    } as const;
    expect(rowState(transcribed)).toEqual({ kind: 'done' });
  });

  it('prefers a transcript to an upload that replaces audio missing from the cloud', () => {
    const movement = { step: 'upload', fraction: 0.5 } as const;
    const copies = { ...inCloud.copies, cloud: onPhone.copies.cloud };
    expect(rowState({ ...inCloud, copies, is_trans: 2, movement })).toEqual({ kind: 'done' });
  });

  it('shows a failed re-transcription, and an upload in progress', () => {
    const problem = { step: 'transcribe', code: 'refused' } as const;
    expect(rowState({ ...inCloud, is_trans: 2, problem })).toMatchObject({
      kind: 'trouble',
      code: 'refused',
    });
    const movement = { step: 'upload', fraction: 0.5 } as const;
    expect(rowState({ ...inCloud, is_trans: 2, movement })).toEqual({
      kind: 'uploading',
      percent: 50,
    });
  });

  it('recognizes a recording that only the server has', () => {
    const onOtherPhone = {
      ...inCloud,
      copies: { recorder: absentCopy, phone: absentCopy, cloud: completeCopy },
    };
    expect(rowState(onOtherPhone)).toEqual({ kind: 'cloud' });
  });
});

describe('transferredShare', () => {
  it('returns the share on this phone, and 1 for a complete copy', () => {
    expect(transferredShare(onRecorder)).toBe(0);
    expect(
      transferredShare({
        ...onRecorder,
        copies: { ...onRecorder.copies, phone: partialCopy(250) },
      }),
    ).toBe(0.25);
    expect(transferredShare({ ...onRecorder, movement: { step: 'fetch', fraction: 0.5 } })).toBe(
      0.5,
    );
    expect(transferredShare(onPhone)).toBe(1);
    expect(transferredShare({ ...onPhone, problem: { step: 'upload', code: 'refused' } })).toBe(1);
  });
});

it('a recording is in progress while it is transferred or transcribed, or on a connected recorder', () => {
  const fetching: StateSource = { ...onRecorder, movement: { step: 'fetch', fraction: 0.4 } };
  const transcribing: StateSource = { ...inCloud, is_trans: 1 };
  expect(
    [onRecorder, fetching, transcribing, onPhone, inCloud].map((each) => isInProgress(each, true)),
  ).toEqual([true, true, true, false, false]);
  expect(isInProgress(onRecorder, false)).toBe(false);
  expect(isInProgress(fetching, false)).toBe(true);
});
