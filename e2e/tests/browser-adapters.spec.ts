/** Runs the contract suites against the app's database and audio store in the origin private file system. */
import { loadOpus } from '@linnet/audio/opus';
import { readOpusWasm } from '@linnet/audio/opus-wasm-node';
import { sqlDatabaseContract } from '@linnet/local-db/testing';
import {
  audioStoreContract,
  changeStoreContract,
  fullAudioStoreContract,
} from '@linnet/sync/testing';
import { vaultFolderContract } from '@linnet/vault/testing';
import { type BrowserContext, expect, type Page, test } from '@playwright/test';
import { type AdapterPage, serveAdapterPage } from '../browser/serve.ts';
import { openProfile } from '../support/open-profile.ts';
import { Quota } from '../support/quota.ts';
import { createSampleSession } from '../support/sample-session.ts';

/** Returns the names of a suite's test cases. The cases run in the page. */
function collectNames(declare: (test: (name: string) => void) => void): string[] {
  const names: string[] = [];
  declare((name) => names.push(name));
  return names;
}
const failOutsidePage = (): never => {
  throw new Error('runs in the page');
};
const suites = {
  sql: collectNames((test) => sqlDatabaseContract({ test, open: failOutsidePage })),
  changes: collectNames((test) => changeStoreContract({ test, open: failOutsidePage })),
  audio: collectNames((test) =>
    audioStoreContract({ test, open: failOutsidePage, sample: failOutsidePage }),
  ),
  vault: collectNames((test) =>
    vaultFolderContract({ test, create: failOutsidePage, isPicked: true }),
  ),
  full: collectNames((test) =>
    fullAudioStoreContract({
      test,
      open: failOutsidePage,
      sample: failOutsidePage,
      limit: failOutsidePage,
    }),
  ),
};

let server: AdapterPage;
let context: BrowserContext;
let page: Page;

async function loadPage(): Promise<void> {
  await page.goto(server.url);
  await page.waitForFunction(() => 'adapters' in window);
}

test.beforeAll(async () => {
  server = await serveAdapterPage(createSampleSession(await loadOpus(readOpusWasm())));
  context = await openProfile();
  page = await context.newPage();
  const quota = await Quota.attach(page);
  await page.exposeFunction('limitStorage', (bytes: number | null) => quota.setFreeBytes(bytes));
  await loadPage();
});
test.afterAll(async () => {
  await context?.close();
  await server?.close();
});

for (const suite of ['sql', 'changes', 'audio', 'vault', 'full'] as const) {
  test(`${suite}: the page has the same cases`, async () => {
    const names = await page.evaluate((which) => window.adapters.caseNames(which), suite);
    expect(names).toEqual(suites[suite]);
    expect(names.length).toBeGreaterThan(0);
  });

  for (const name of suites[suite]) {
    test(`${suite}: ${name}`, async () => {
      await page.evaluate(([which, each]) => window.adapters.runCase(which, each), [
        suite,
        name,
      ] as const);
    });
  }
}

test('reopens a lost connection (error −1404) once without losing data', async () => {
  expect(await page.evaluate(() => window.adapters.useAfterClose())).toEqual({
    code: 'closed -1404',
    connections: 2,
    numbers: [0, 1, 2],
  });
});

test('a database on a full disk reports the error, keeps its data, and recovers', async () => {
  const { code, fitted, full, after } = await page.evaluate(() => window.adapters.writeUntilFull());
  expect(code).toBe('full');
  expect(full).toEqual({ n: fitted, d: fitted });
  expect(after).toEqual({ n: fitted + 1, d: fitted });
});

test('opening the database on a second page fails because it is locked', async () => {
  expect(await page.evaluate(() => window.adapters.openTwice())).toBe('locked');
});

test('a database is kept if the browser fails to open it, and a later attempt succeeds', async () => {
  const { failures, rows } = await page.evaluate(() => window.adapters.openInFailingBrowser());
  // If SQLite failed to load before the first attempt, that attempt loads it again, which means one failure less.
  expect(failures.length).toBeLessThanOrEqual(2);
  expect(failures.at(-1)).toContain('The file system failed.');
  expect(rows).toEqual([{ n: 1 }]);
});

test('a first opening that was interrupted does not prevent later ones', async () => {
  expect(await page.evaluate(() => window.adapters.openAfterInterruptedCreation())).toEqual([
    { n: 1 },
  ]);
});

test('a new page waits for an unfinished statement of the previous page', async () => {
  for (let round = 0; round < 3; round += 1) {
    await page.evaluate(() => window.adapters.startLongStatement());
    await loadPage();
    expect(await page.evaluate(() => window.adapters.openAfterLongStatement())).toEqual([
      { one: 1 },
    ]);
  }
});

test('a second page cannot write to audio that another page is storing', async () => {
  expect(await page.evaluate(() => window.adapters.openLockedAudio())).toBe('io_failed');
});

for (const isHandedOver of [false, true]) {
  const where = isHandedOver ? 'in another tab' : 'in the same tab';
  test(`audio is converted while it arrives, and finished ${where}`, async () => {
    const { before, after, removed } = await page.evaluate(
      (isElsewhere) => window.adapters.receiveAudio(isElsewhere),
      isHandedOver,
    );
    expect(Object.keys(before).toSorted()).toEqual(['ogg.part', 'packets', 'wav.part']);
    expect(before['ogg.part']).toBeGreaterThan((before.packets ?? 0) * 0.9);
    expect(Object.keys(after).toSorted()).toEqual(['ogg', 'wav']);
    expect(after.ogg).toBeGreaterThan(before['ogg.part'] ?? 0);
    expect(removed).toEqual({});
  });
}

test('migrates a database of the first schema version after a reload', async () => {
  await page.evaluate(() => window.adapters.createFirstVersion());
  await loadPage();
  const { before, after, rows, SCHEMA_VERSION } = await page.evaluate(() =>
    window.adapters.migrateToCurrentVersion(),
  );
  expect([before, after]).toEqual([1, SCHEMA_VERSION]);
  expect(rows).toHaveLength(1);
  expect(rows[0]).toMatchObject({
    title: 'old',
    ai_title: '',
    summary_json: null,
    local_noise_file: '',
    sn: '',
  });
});

test('the log keeps the last ten days, within its maximum number of lines', async () => {
  expect(await page.evaluate(() => window.adapters.trimLog())).toEqual([
    ['day 2', 'day 11'],
    ['more 1', 'more 1', 'more 2', 'more 2'],
  ]);
});
