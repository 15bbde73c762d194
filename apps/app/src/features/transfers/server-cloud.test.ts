import { Buffer } from 'node:buffer';
import { calls } from '@linnet/contract';
import type { Client } from '@linnet/contract/client';
import { limits } from '@linnet/contract/limits';
import { expect, test } from 'vitest';
import { createServerCloud } from './server-cloud.ts';

test.each([0, 3, 1200])('reduces a waveform with %d peaks to the maximum number', async (count) => {
  let sentBody: unknown;
  const client: Client = {
    call: async (name, ...[body]) => {
      expect(name).toBe('upload/checkOssFile');
      sentBody = body;
      return { ok: false, failure: { kind: 'timeout' } };
    },
  };
  const peaks = Uint8Array.from({ length: count }, (_, index) => index % 256);
  const facts = {
    id: 'id',
    name: 'Lunch',
    scene: 'note',
    seconds: 60,
    sn: 'SN',
    peaks,
    callLevels: null,
  } as const;
  await createServerCloud(client).check({
    ...facts,
    recordedAt: '2026-03-02T09:00:00Z',
    autoTranscribe: true,
  });
  const { peaks: sentPeaks } = calls['upload/checkOssFile'].body.parse(sentBody);
  expect(Buffer.from(sentPeaks, 'base64')).toHaveLength(Math.min(count, limits.recording.peaks));
});
