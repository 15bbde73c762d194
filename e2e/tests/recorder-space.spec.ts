/** Tests the notification for an almost full recorder, shown by a real Chromium. */
import { type BrowserContext, expect, type Page, test } from '@playwright/test';
import { EmptyRecorderStack } from '../support/empty-recorder-stack.ts';
import { LinnetApp } from '../support/linnet-app.ts';
import { openProfile } from '../support/open-profile.ts';

let environment: EmptyRecorderStack;
let context: BrowserContext | undefined;

test.use({ serviceWorkers: 'allow' });
test.beforeAll(async () => {
  environment = await EmptyRecorderStack.start();
});
test.afterAll(async () => {
  await context?.close();
  await environment?.stop();
});

/** Returns the notifications shown by Chromium. */
const listNotifications = (page: Page) =>
  page.evaluate(async () => {
    const registration = await navigator.serviceWorker.ready;
    const notifications = await registration.getNotifications();
    return notifications.map(({ title, body, lang }) => ({ title, body, lang }));
  });

test('a recorder that is almost full is notified once, if the user has turned it on', async () => {
  const { stack } = environment;
  context = await openProfile();
  await context.grantPermissions(['notifications'], { origin: stack.url });
  const page = context.pages()[0] ?? (await context.newPage());
  const app = new LinnetApp(page, stack);
  await app.signUp('redstart@example.org');
  await app.bind('websocket');
  await page.evaluate(() => navigator.serviceWorker.ready.then(() => undefined));
  await app.show('/pages/notifications');
  // Without a mail server, the page says so instead of offering emails.
  await expect(page.getByText('This server doesn’t send emails.')).toBeVisible();
  await expect(page.getByTestId('mail-transcript')).toHaveCount(0);

  // At this size, the notification threshold is 100 kB, half of the storage. A second of audio takes 8 kB.
  await stack.recorder.setFaults({ storageBytes: 200_000 });
  const isOn = page.getByTestId('notify-recorder-space');
  await expect(isOn).not.toBeChecked();
  await isOn.click();
  await expect(isOn).toBeChecked();
  expect(await listNotifications(page)).toEqual([]);
  await environment.addSpeech(15);
  await expect
    .poll(() => listNotifications(page))
    .toEqual([
      expect.objectContaining({
        ...{ title: 'Recorder almost full', lang: 'en' },
        body: expect.stringMatching(/\n.* of 200 kB free$/),
      }),
    ]);

  await page.evaluate(async () => {
    const registration = await navigator.serviceWorker.ready;
    for (const notification of await registration.getNotifications()) notification.close();
  });
  await environment.addSpeech(1);
  await app.show('/pages/myDevice');
  await expect(page.getByText('2 recordings').first()).toBeVisible();
  expect(await listNotifications(page)).toEqual([]);
});
