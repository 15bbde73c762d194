import { type Movement, ProgressBoard } from '@linnet/sync';
import { afterEach, describe, expect, it, vi } from 'vitest';
import {
  keepRunning,
  selectNotice,
  type TransfersPlugin,
  type TransferTexts,
} from './transfers.ts';

const texts: TransferTexts = {
  channel: () => 'Transfers',
  title: ({ step }, percent) => `${step} ${percent}`,
};

const noticeFor = (...movements: Movement[]) =>
  selectNotice(new Map(movements.map((each, index) => [String(index), each])), texts);

describe('the transfer notification', () => {
  it('is absent without transfers', () => {
    expect(noticeFor()).toBeNull();
    expect(noticeFor({ step: 'transcribe', fraction: 0.5, at: null })).toBeNull();
  });

  it('shows a transfer from a recorder rather than an upload', () => {
    const upload: Movement = { step: 'upload', fraction: 0.999 };
    expect(noticeFor(upload)).toEqual({ title: 'upload 99', percent: 99, type: 'dataSync' });
    const notice = noticeFor(upload, { step: 'fetch', fraction: 0.25 });
    expect(notice).toEqual({ title: 'fetch 25', percent: 25, type: 'connectedDevice' });
  });

  it('has no percentage for a recording in progress', () => {
    const notice = noticeFor({ step: 'record', source: 'recorder' });
    expect(notice).toMatchObject({ percent: -1, type: 'connectedDevice' });
  });

  it('shows a recording with the microphone rather than a transfer', () => {
    const recording: Movement = { step: 'record', source: 'microphone' };
    const notice = noticeFor({ step: 'fetch', fraction: 0.25 }, recording);
    expect(notice).toMatchObject({ percent: -1, type: 'microphone' });
  });
});

describe('keepRunning', () => {
  afterEach(() => void vi.useRealTimers());

  function setUp() {
    const calls: string[] = [];
    const errors: unknown[] = [];
    let onShow: () => Promise<void> = async () => {};
    const plugin: TransfersPlugin = {
      show: ({ percent }) => {
        calls.push(`show ${percent}`);
        return onShow();
      },
      hide: async () => void calls.push('hide'),
    };
    return {
      calls,
      errors,
      plugin,
      setOnShow(callback: () => Promise<void>) {
        onShow = callback;
      },
    };
  }
  const pluginError = (code: string) => Object.assign(new Error('no'), { code });

  it('bridges the pause between two transfers and ends after the last one', async () => {
    vi.useFakeTimers();
    const board = new ProgressBoard();
    const { calls, errors, plugin } = setUp();
    keepRunning(board, texts, (error) => errors.push(error), plugin);
    // A previous page may have left a notification, so it is hidden first.
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

  it('hides the notification immediately when the microphone is released', async () => {
    vi.useFakeTimers();
    const board = new ProgressBoard();
    const { calls, plugin } = setUp();
    keepRunning(board, texts, () => {}, plugin);
    await vi.advanceTimersByTimeAsync(0);
    board.set('a', { step: 'record', source: 'microphone' });
    // Hours may pass without further changes.
    await vi.advanceTimersByTimeAsync(7_200_000);
    expect(calls).toEqual(['hide', 'show -1']);
    board.clear('a');
    await vi.advanceTimersByTimeAsync(0);
    expect(calls).toEqual(['hide', 'show -1', 'hide']);
  });

  it('keeps running from a microphone recording to its upload', async () => {
    vi.useFakeTimers();
    const board = new ProgressBoard();
    const { calls, plugin } = setUp();
    keepRunning(board, texts, () => {}, plugin);
    await vi.advanceTimersByTimeAsync(0);
    board.set('a', { step: 'record', source: 'microphone' });
    await vi.advanceTimersByTimeAsync(200);
    board.set('a', { step: 'prepare', fraction: 0 });
    await vi.advanceTimersByTimeAsync(200);
    board.clear('a');
    await vi.advanceTimersByTimeAsync(10_000);
    board.set('a', { step: 'upload', fraction: 0.5 });
    await vi.advanceTimersByTimeAsync(200);
    expect(calls).toEqual(['hide', 'show -1', 'show 0', 'show 50']);
  });

  it('makes one call at a time, and then sends the latest state', async () => {
    vi.useFakeTimers();
    const board = new ProgressBoard();
    const { calls, plugin, setOnShow } = setUp();
    const first = Promise.withResolvers<void>();
    setOnShow(() => first.promise);
    board.set('a', { step: 'upload', fraction: 0 });
    keepRunning(board, texts, () => {}, plugin);
    for (const fraction of [0.1, 0.2]) {
      board.set('a', { step: 'upload', fraction });
      await vi.advanceTimersByTimeAsync(200);
    }
    expect(calls).toEqual(['show 0']);
    setOnShow(async () => {});
    first.resolve();
    await vi.advanceTimersByTimeAsync(200);
    expect(calls).toEqual(['show 0', 'show 20']);
  });

  it('reports all errors except a rejection in the background', async () => {
    vi.useFakeTimers();
    const board = new ProgressBoard();
    const { errors, plugin, setOnShow } = setUp();
    keepRunning(board, texts, (error) => errors.push(error), plugin);
    setOnShow(() => Promise.reject(pluginError('not_allowed')));
    board.set('a', { step: 'upload', fraction: 0 });
    await vi.advanceTimersByTimeAsync(200);
    expect(errors).toEqual([]);
    setOnShow(() => Promise.reject(pluginError('other')));
    board.set('a', { step: 'upload', fraction: 0.5 });
    await vi.advanceTimersByTimeAsync(200);
    expect(errors).toEqual([pluginError('other')]);
  });
});
