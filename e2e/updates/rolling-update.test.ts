/** Updates a server from the version before the last migration, process by process, while phones use it. */
import { expect, it, onTestFinished } from 'vitest';
import { Crowd } from '../crowd/crowd.ts';
import { createTalks } from '../crowd/talks.ts';
import { Resources } from '../processes/resources.ts';
import { waitUntil } from '../support/wait-until.ts';
import { LocalServer } from './local-server.ts';
import { rehearseUpdate } from './rehearsal.ts';
import { openPreviousVersion } from './versions.ts';

/** Number of phones that upload recordings, each with its own account. */
const PHONES = 3;
const LIVE_PHONES = 1;
/** Length of the recording with live text in seconds: about as long as the update. */
const LIVE_SECONDS = 30;
/** Duration after which all waiting ends, in milliseconds. */
const LIMIT_MS = 400_000;

it('no call fails and nothing is lost during an update from the previous version', {
  timeout: LIMIT_MS + 30_000,
}, async () => {
  const resources = new Resources();
  onTestFinished(() => resources.stop());
  const failed = new AbortController();
  const signal = AbortSignal.any([AbortSignal.timeout(LIMIT_MS), failed.signal]);
  const previous = await openPreviousVersion(resources);
  const talks = await createTalks(LIVE_PHONES, LIVE_SECONDS);
  const { script, live: liveTalks } = talks;
  const server = await LocalServer.start({ version: previous.folder, script, resources });
  const counts = { phones: PHONES, livePhones: LIVE_PHONES };
  const crowd = await Crowd.signUp({ server, talks, signal, ...counts });
  const hasFailed = () => crowd.problems.length > 0 || Object.keys(crowd.retries).length > 0;
  const pause = async () => {
    const enough = crowd.stored.length + PHONES;
    await waitUntil('the phones continue', () => hasFailed() || crowd.stored.length >= enough);
    // Phones would repeat a failed call until the test times out.
    if (hasFailed()) failed.abort(new Error('the rehearsal has failed'));
  };

  await rehearseUpdate({ server, previous, crowd, liveTalks, pause, onStep: () => undefined });

  const { problems, retries } = crowd;
  const errors = await server.errors();
  expect({ problems, retries, errors }).toEqual({ problems: [], retries: {}, errors: [] });
});
