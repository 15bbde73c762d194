import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openDatabase } from '@linnet/server/database';
import { startPostgres } from '@linnet/server/embedded';
import { chromium, type Page } from '@playwright/test';
import config, { chromiumFlags } from '../playwright.config.ts';
import { LinnetApp } from '../support/linnet-app.ts';
import { ServerAccount } from '../support/server-account.ts';
import { Stack } from '../support/stack.ts';
import type { Measurement } from './measurement.ts';

const owner = 'mapper@example.org';
const NODE_COUNT = 500;
/** The CPU throttling rate that simulates a low-end phone on a desktop. */
const CPU_SLOWDOWN = 4;
/** Frames longer than this count as dropped: one and a half frames at 60 Hz. */
const DROPPED_FRAME_MS = 25;
/** Distance and speed of the pan gesture. */
const [PAN_DISTANCE_PX, PAN_PX_PER_SECOND] = [3000, 1200];

/** Measures dropped frames while a 500-node mind map is panned, at a phone's screen size and speed. */
export async function run(): Promise<Measurement[]> {
  const folder = await mkdtemp(join(tmpdir(), 'linnet-bench-'));
  const postgres = await startPostgres({ dataDir: folder, log: () => undefined });
  const stack = await Stack.start({ env: { DATABASE_URL: postgres.url, BILLING: 'off' } });
  const browser = await chromium.launch({ ...config.use?.launchOptions, args: chromiumFlags });
  try {
    await ServerAccount.register(stack, owner);
    const id = await addMap(postgres.url);
    const context = { viewport: { width: 390, height: 844 }, hasTouch: true };
    const page = await browser.newPage(context);
    const app = new LinnetApp(page, stack);
    await app.open('/pages/index');
    await app.signIn(owner);
    await app.rows().first().waitFor();
    await app.open(`/pages/fileDetail?id=${id}&tab=mindMap`);
    await page.getByTestId('map-node').first().waitFor();
    return [
      await measurePanning(page, 'initial view', 0),
      await measurePanning(page, 'complete map in view', 12),
    ];
  } finally {
    await browser.close();
    await stack.stop();
    await postgres.stop();
    await rm(folder, { recursive: true, force: true });
  }
}

/** Adds a recording with a large mind map. @returns its ID on the phone */
async function addMap(url: string): Promise<string> {
  const { db } = openDatabase(url, (error) => {
    throw error;
  });
  try {
    const { id: account } = await db
      .selectFrom('accounts')
      .select('id')
      .where('email', '=', owner)
      .executeTakeFirstOrThrow();
    const [id, stamp, rev] = [randomUUID(), new Date(), 1];
    const mind_map = Array.from({ length: NODE_COUNT }, (_, index) => ({
      id: `n${index}`,
      // The root has eight children, every other node at most four.
      parentid: index === 0 ? '' : index <= 8 ? 'n0' : `n${Math.floor((index - 9) / 4) + 1}`,
      topic: `What was said about the harbour and its orchids, ${index}`,
    }));
    await db
      .insertInto('recordings')
      .values({
        ...{ id: randomUUID(), account_id: account, client_flag: id, name: 'A map', source: 2 },
        ...{ mime_type: 'audio/ogg', ext: 'ogg', total_time: 60, rev, recorded_at: stamp },
        ...{ created_at: stamp, updated_at: stamp, mind_map: JSON.stringify(mind_map) },
      })
      .execute();
    await db.updateTable('accounts').set({ rev }).where('id', '=', account).execute();
    return id;
  } finally {
    await db.destroy();
  }
}

/** Pans the map back and forth by touch. @param zoomOuts number of zoom-out steps before panning */
async function measurePanning(page: Page, view: string, zoomOuts: number): Promise<Measurement> {
  for (let press = 0; press < zoomOuts; press += 1) await page.getByTestId('map-smaller').click();
  const box = await page.locator('.map-frame').boundingBox();
  if (!box) throw new Error('the mind map is not visible');
  const session = await page.context().newCDPSession(page);
  await session.send('Emulation.setCPUThrottlingRate', { rate: CPU_SLOWDOWN });
  const frames = await page.evaluateHandle(() => {
    const durations: number[] = [];
    let last = performance.now();
    const next = (now: number) => {
      durations.push(now - last);
      last = now;
      requestAnimationFrame(next);
    };
    requestAnimationFrame(next);
    return durations;
  });
  const start = await frames.evaluate(({ length }) => length);
  for (const direction of [-1, 1]) {
    await session.send('Input.synthesizeScrollGesture', {
      ...{ x: box.x + box.width / 2, y: box.y + box.height / 2 },
      ...{
        xDistance: 0,
        yDistance: direction * PAN_DISTANCE_PX,
        speed: PAN_PX_PER_SECOND,
        gestureSourceType: 'touch',
      },
    });
  }
  const ms = (await frames.jsonValue()).slice(start).sort((a, b) => a - b);
  await session.send('Emulation.setCPUThrottlingRate', { rate: 1 });
  return {
    name: `app: frames dropped while a map of ${NODE_COUNT} nodes is panned, ${view}`,
    value:
      Math.round((1000 * ms.filter((each) => each > DROPPED_FRAME_MS).length) / ms.length) / 1000,
    unit: 'share',
    detail: {
      frames: ms.length,
      p50Ms: Math.round(ms[Math.floor(ms.length / 2)] ?? 0),
      p95Ms: Math.round(ms[Math.floor(ms.length * 0.95)] ?? 0),
      nodesDrawn: await page.getByTestId('map-node').count(),
    },
  };
}
