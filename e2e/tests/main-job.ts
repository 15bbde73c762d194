import { decodeOggToPcm } from '@linnet/audio/convert';
import { demuxOgg } from '@linnet/audio/ogg';
import { loadOpus } from '@linnet/audio/opus';
import { readOpusWasm } from '@linnet/audio/opus-wasm-node';
import { parseWave } from '@linnet/audio/wave';
import { expect } from '@playwright/test';
import type { LinnetApp } from '../support/linnet-app.ts';
import type { Stack } from '../support/stack.ts';

type ServerRow = {
  id: string;
  client_flag: string;
  url: string;
  task: { id: string; status: number } | null;
};

/** Longer than the microphone's scene: nothing is cut off. */
const RECORD_MS = 26_000;

/**
 * Steps 1 to 5 of the main job, the same over every transport: sign up, bind, record, transfer, read. Ends
 * with the app on the new recording's page. @returns the recording's id
 */
export async function walkMainJob(
  app: LinnetApp,
  stack: Stack,
  way: 'websocket' | 'web-bluetooth',
): Promise<string> {
  await app.signUp('wren@example.org');
  await app.bind(way);

  // Recordings from before pairing are transferred and transcribed automatically.
  await expect(app.rows('done').first()).toBeVisible({ timeout: 240_000 });

  await app.startRecording();
  await expect
    .poll(async () => (await stack.recorder.getStatus()).session?.elapsedMs ?? 0, {
      timeout: 60_000,
    })
    .toBeGreaterThan(RECORD_MS);
  const session = (await stack.recorder.getStatus()).session?.sessionId as number;
  await app.stopRecording();

  const newest = app.rows().first();
  await expect(newest).toHaveAttribute('data-state', 'done', { timeout: 240_000 });
  const id = (await newest.getAttribute('data-record-id')) as string;
  await expectSameEverywhere(app, stack, id, session);

  await app.openRecording(id);
  return id;
}

/** Recorder, phone and server hold the same packets, and the WAV is their decode, sample for sample. */
async function expectSameEverywhere(
  app: LinnetApp,
  stack: Stack,
  id: string,
  session: number,
): Promise<void> {
  const onRecorder = await stack.recorder.readPackets(session);
  const master = await app.readStoredFile(id, 'ogg');
  expect(Buffer.concat(demuxOgg(master).packets).equals(onRecorder)).toBe(true);

  const { list } = await app.callApi<{ list: ServerRow[] }>('/task/index', {
    limit: 1000,
    page: 1,
  });
  const row = list.find(({ client_flag }) => client_flag === id);
  const uploaded = Buffer.from(await (await fetch(row?.url ?? '')).arrayBuffer());
  expect(uploaded.equals(master)).toBe(true);

  const opus = await loadOpus(readOpusWasm());
  const samples = parseWave(await app.readStoredFile(id, 'wav')).samples;
  expect(Buffer.from(samples.buffer).equals(Buffer.from(decodeOggToPcm(master, opus).buffer))).toBe(
    true,
  );
}
