import { execute } from '@linnet/server/testing/database';
import type { Crowd, ReachableServer } from '../crowd/crowd.ts';
import type { Phone } from '../crowd/phone.ts';
import type { Talk } from '../crowd/talks.ts';
import { currentVersion, type PreviousVersion } from './versions.ts';

/** A server whose processes can be replaced one by one. */
export type UpdatableServer = ReachableServer & {
  /** Names of the API processes and workers, in the order in which they are updated. */
  readonly processes: readonly string[];
  /** Stops a process, and starts that of another version. Resolves once it is ready. */
  update(process: string, version: string): Promise<void>;
};

export type RehearsalOptions = {
  /** Runs the previous version. */
  readonly server: UpdatableServer;
  readonly previous: PreviousVersion;
  readonly crowd: Crowd;
  /** The recordings of the crowd's phones with live text. */
  readonly liveTalks: readonly Talk[];
  /** Waits before the first step of the update, between two steps, and after the last. */
  readonly pause: () => Promise<unknown>;
  readonly onStep: (step: string) => void;
};

/**
 * Updates a server to the current version, one process after the other, while phones upload recordings, rename them,
 * search for them and stream live text. The first updated process migrates the database, which the previous version
 * uses until the end of the update. Failed calls and everything lost are added to the crowd's retries and problems.
 */
export async function rehearseUpdate(options: RehearsalOptions): Promise<void> {
  const { server, previous, crowd, liveTalks, onStep } = options;
  const countMigrations = () => countApplied(server.databaseUrl, previous.newMigrations);
  if ((await countMigrations()) > 0) throw new Error('the server runs another version');
  onStep('phones use the previous version');
  const stop = new AbortController();
  const using = Promise.all([
    ...crowd.phones.map((phone) => crowd.guard(() => useAllTheTime(crowd, phone, stop.signal))),
    ...crowd.livePhones.map((phone, index) =>
      crowd.guard(() => crowd.recordLive(phone, liveTalks[index] as Talk)),
    ),
  ]);
  await crowd.guard(() => updateAll(options));
  if ((await countMigrations()) < previous.newMigrations.length) {
    crowd.problems.push('the database was not migrated');
  }
  stop.abort();
  await using;
  await crowd.compareStored();
}

async function updateAll({ server, pause, onStep }: RehearsalOptions): Promise<void> {
  await pause();
  for (const process of server.processes) {
    onStep(`updating ${process}`);
    await server.update(process, currentVersion);
    await pause();
  }
}

/** Uploads recordings one after the other, and waits for the transcript of each, until `stop` aborts. */
async function useAllTheTime(crowd: Crowd, phone: Phone, stop: AbortSignal): Promise<void> {
  while (!stop.aborted) {
    const stored = await crowd.upload(phone);
    await phone.requestTranscript(stored);
    await crowd.compareTranscript(stored);
    await crowd.compareSearch(stored);
  }
}

/** Counts the migrations that were applied to the database. */
async function countApplied(databaseUrl: string, migrations: readonly string[]): Promise<number> {
  const rows = await execute(
    databaseUrl,
    'select name from kysely_migration where name = any($1::text[])',
    [migrations],
  );
  return rows.length;
}
