import type { Account, TestServer } from './server.ts';
import type { Phone } from './sync.ts';
import { createPhone } from './sync.ts';
import { toneWave, uploadRecording } from './uploads.ts';

/** An account with one recording that hasn't been transcribed. */
export interface OwnerWithRecording {
  readonly owner: Account;
  readonly phone: Phone;
  /** The recording's ID on the server. */
  readonly id: string;
  /** The recording's client flag. Edits identify the recording by it. */
  readonly recording: string;
}

/** Registers an account that uploads a recording of a tone. */
export async function registerWithRecording(
  server: TestServer,
  seconds: number,
  sampleRate: number,
): Promise<OwnerWithRecording> {
  const owner = await server.register();
  const wave = toneWave(seconds, sampleRate);
  const { id, client_flag: recording } = await uploadRecording(server, owner, wave, { ext: 'wav' });
  return { owner, phone: createPhone(server, owner), id, recording };
}
