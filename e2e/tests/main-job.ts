import { decodeOggToPcm } from '@linnet/audio/convert';
import { demuxOgg } from '@linnet/audio/ogg';
import { loadOpus } from '@linnet/audio/opus';
import { readOpusWasm } from '@linnet/audio/opus-wasm-node';
import { parseWave } from '@linnet/audio/wave';
import { expect } from '@playwright/test';
import type { EmptyRecorderStack } from '../support/empty-recorder-stack.ts';
import type { LinnetApp } from '../support/linnet-app.ts';
import type { Stack } from '../support/stack.ts';

type ServerRow = {
  id: string;
  client_flag: string;
  url: string;
  scene: string;
  task: { id: string; status: number } | null;
};

/** Duration of the recording, longer than the sample that the virtual microphone plays. */
const RECORD_MS = 26_000;
/** Duration of the speech recorded before the recorder is bound, in seconds. */
const EARLIER_SECONDS = 8;

/**
 * Walks through the main user journey over a transport: signs up, binds the recorder, records, waits for the transfer and the
 * transcript, and opens the recording.
 * @returns the recording's ID
 */
export async function runMainJourney(
  app: LinnetApp,
  environment: EmptyRecorderStack,
  transport: 'websocket' | 'web-bluetooth',
): Promise<string> {
  const { stack } = environment;
  await environment.addSpeech(EARLIER_SECONDS);
  await app.signUp('wren@example.org');
  await app.bind(transport);

  // Recordings from before pairing are transferred and transcribed automatically.
  await expect(app.rows('done')).toHaveCount(1, { timeout: 240_000 });

  await app.startRecording();
  await expect
    .poll(async () => (await stack.recorder.getStatus()).session?.elapsedMs ?? 0, {
      timeout: 60_000,
    })
    .toBeGreaterThan(RECORD_MS);
  const session = (await stack.recorder.getStatus()).session?.sessionId as number;
  await app.stopRecording();

  await expect(app.rows()).toHaveCount(2);
  const newest = app.rows().first();
  await expect(newest).toHaveAttribute('data-state', 'done', { timeout: 240_000 });
  const id = (await newest.getAttribute('data-record-id')) as string;
  await expectSameEverywhere(app, stack, id, session);

  await app.openRecording(id);
  await expect(app.page.getByTestId('record-type')).toHaveText('Meeting');
  return id;
}

/**
 * Asserts that recorder, phone and server have the same packets, and that the WAV file contains the decoded packets.
 */
async function expectSameEverywhere(
  app: LinnetApp,
  stack: Stack,
  id: string,
  session: number,
): Promise<void> {
  const recorderPackets = await stack.recorder.readPackets(session);
  const master = await app.readStoredFile(id, 'ogg');
  expect(Buffer.concat(demuxOgg(master).packets).equals(recorderPackets)).toBe(true);

  const { list } = await app.callApi<{ list: ServerRow[] }>('/task/index', {
    limit: 1000,
    page: 1,
  });
  const row = list.find(({ client_flag }) => client_flag === id);
  expect(row?.scene).toBe('meeting');
  const uploadedAudio = Buffer.from(await (await fetch(row?.url ?? '')).arrayBuffer());
  expect(uploadedAudio.equals(master)).toBe(true);

  const opus = await loadOpus(readOpusWasm());
  const samples = parseWave(await app.readStoredFile(id, 'wav')).samples;
  expect(Buffer.from(samples.buffer).equals(Buffer.from(decodeOggToPcm(master, opus).buffer))).toBe(
    true,
  );
}
