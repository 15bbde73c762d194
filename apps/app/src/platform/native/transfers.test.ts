import { type Movement, ProgressBoard } from '@linnet/sync';
import { afterEach, describe, expect, it, vi } from 'vitest';
import {
  currentTransfer,
  keepRunning,
  type TransfersPlugin,
  type TransferWords,
} from './transfers.ts';

const words: TransferWords = {
  channel: () => 'Transfers',
  title: ({ step }, percent) => `${step} ${percent}`,
};

const moving = (...movements: Movement[]) =>
  currentTransfer(new Map(movements.map((each, nth) => [String(nth), each])), words);

describe('the transfer notification', () => {
  it('is absent without transfers', () => {
    expect(moving()).toBeNull();
    expect(moving({ step: 'transcribe', fraction: 0.5, at: null })).toBeNull();
  });

  it('shows a transfer from a recorder before one with the cloud', () => {
    const upload: Movement = { step: 'upload', fraction: 0.999 };
    expect(moving(upload)).toEqual({ title: 'upload 99', percent: 99, recorder: false });
    const both = moving(upload, { step: 'fetch', fraction: 0.25 });
    expect(both).toEqual({ title: 'fetch 25', percent: 25, recorder: true });
  });

  it('has no percentage for a recording in progress', () => {
    expect(moving({ step: 'record' })).toMatchObject({ percent: -1, recorder: true });
  });
});

describe('keeping the app running', () => {
  afterEach(() => void vi.useRealTimers());

  function phone() {
    const calls: string[] = [];
    const errors: unknown[] = [];
    let answer: () => Promise<void> = async () => {};
    const plugin: TransfersPlugin = {
      show: ({ percent }) => {
        calls.push(`show ${percent}`);
        return answer();
      },
      hide: async () => void calls.push('hide'),
    };
    return {
      ...{ calls, errors, plugin },
      answers(next: () => Promise<void>) {
        answer = next;
      },
    };
  }
  const refusal = (code: string) => Object.assign(new Error('no'), { code });

  it('bridges the gap between two recordings, and ends after the last', async () => {
    vi.useFakeTimers();
    const board = new ProgressBoard();
    const { calls, errors, plugin } = phone();
    keepRunning(board, words, (error) => errors.push(error), plugin);
    // Hides anything left by a previous page first.
    expect(calls).toEqual(['hide']);
    await vi.advanceTimersByTimeAsync(0);
    board.set('a', { step: 'fetch', fraction: 0.5 });
    await vi.advanceTimersByTimeAsync(200);
    board.clear('a');
    await vi.advanceTimersByTimeAsync(10_000);
    board.set('b', { step: 'fetch', fraction: 0 });
    await vi.advanceTimersByTimeAsync(200);
    board.clear('b');
    await vi.advanceTimersByTimeAsync(60_000);
    expect(calls).toEqual(['hide', 'show 50', 'show 0', 'hide']);
    expect(errors).toEqual([]);
  });

  it('makes one call at a time, and then sends the latest state', async () => {
    vi.useFakeTimers();
    const board = new ProgressBoard();
    const { calls, plugin, answers } = phone();
    const first = Promise.withResolvers<void>();
    answers(() => first.promise);
    board.set('a', { step: 'upload', fraction: 0 });
    keepRunning(board, words, () => {}, plugin);
    for (const fraction of [0.1, 0.2]) {
      board.set('a', { step: 'upload', fraction });
      await vi.advanceTimersByTimeAsync(200);
    }
    expect(calls).toEqual(['show 0']);
    answers(async () => {});
    first.resolve();
    await vi.advanceTimersByTimeAsync(200);
    expect(calls).toEqual(['show 0', 'show 20']);
  });

  it('reports every error except a refusal in the background', async () => {
    vi.useFakeTimers();
    const board = new ProgressBoard();
    const { errors, plugin, answers } = phone();
    keepRunning(board, words, (error) => errors.push(error), plugin);
    answers(() => Promise.reject(refusal('not_allowed')));
    board.set('a', { step: 'upload', fraction: 0 });
    await vi.advanceTimersByTimeAsync(200);
    expect(errors).toEqual([]);
    answers(() => Promise.reject(refusal('other')));
    board.set('a', { step: 'upload', fraction: 0.5 });
    await vi.advanceTimersByTimeAsync(200);
    expect(errors).toEqual([refusal('other')]);
  });
});
