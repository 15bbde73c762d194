/** Tests a server without billing and with its own street map. */
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, test } from '@playwright/test';
import { EmptyRecorderStack } from '../support/empty-recorder-stack.ts';
import { LinnetApp } from '../support/linnet-app.ts';

/** A one-pixel PNG image. */
const pixel =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

let environment: EmptyRecorderStack;
/** The paths of requested tiles. */
const requestedPaths: string[] = [];
const tiles = createServer((request, response) => {
  requestedPaths.push(request.url ?? '');
  response.setHeader('content-type', 'image/png').end(Buffer.from(pixel, 'base64'));
});
test.beforeAll(async () => {
  await once(tiles.listen(0, '127.0.0.1'), 'listening');
  const { port } = tiles.address() as AddressInfo;
  environment = await EmptyRecorderStack.start({
    env: {
      ...{ BILLING: 'off', TRIAL_DAYS: '0', MAP_TILES_ATTRIBUTION: '© Somebody' },
      MAP_TILES_URL: `http://127.0.0.1:${port}/{z}/{x}/{y}.png`,
    },
  });
});
test.afterAll(async () => {
  await environment?.stop();
  tiles.close();
});

test('shows the operator’s map with its attribution, and everything is included', async ({
  page,
}) => {
  const app = new LinnetApp(page, environment.stack);
  await app.signUp('tit@example.org');
  await app.bind('websocket');
  await environment.addSpeech(3);
  const id = await app.rows().first().getAttribute('data-record-id');
  await app.open(`/pages/choose-location?id=${id}`);
  await page.getByTestId('coordinates').fill('48.8566, 2.3522');
  await expect(page.locator('img.leaflet-tile-loaded').first()).toBeVisible();
  await expect(page.locator('.earth-credit')).toHaveText('Map: © Somebody');
  // The map requests a street-level tile of Paris.
  await expect.poll(() => requestedPaths).toContain('/15/16598/11273.png');
  // The server doesn't charge.
  await app.show('/pages/vip');
  await expect(page.getByTestId('open')).toContainText('Everything is included');
});
