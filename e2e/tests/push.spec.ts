/** Tests notifications, from the server through a push service to a real Chromium that decrypts and shows them. */
import { type BrowserContext, expect, type Page, test } from '@playwright/test';
import { LinnetApp } from '../support/linnet-app.ts';
import { openProfile } from '../support/open-profile.ts';
import { PushService } from '../support/push-service.ts';
import { ScriptedSpeechStack } from '../support/scripted-speech-stack.ts';
import { ServerAccount } from '../support/server-account.ts';

let environment: ScriptedSpeechStack;
let service: PushService;
let context: BrowserContext | undefined;

test.use({ serviceWorkers: 'allow' });
test.beforeAll(async () => {
  service = await PushService.start();
  // The push service is on loopback, which the server rejects by default.
  environment = await ScriptedSpeechStack.start({ env: { WEBHOOKS_PRIVATE: 'on' } });
});
test.afterAll(async () => {
  await context?.close();
  await environment?.stop();
  await service?.stop();
});

/** Redirects push messages to the test push service, because Chromium's subscriptions point to Google's. */
async function redirectMessages(browser: BrowserContext): Promise<void> {
  await browser.route('**/push/subscribe', async (route) => {
    const body = route.request().postDataJSON();
    const { pathname } = new URL(body.endpoint);
    await route.continue({
      postData: JSON.stringify({ ...body, endpoint: service.origin + pathname }),
    });
  });
}

/** Returns the notifications shown by Chromium. */
const listNotifications = (page: Page) =>
  page.evaluate(async () => {
    const registration = await navigator.serviceWorker.ready;
    const notifications = await registration.getNotifications();
    return notifications.map(({ title, body, lang, data }) => ({ title, body, lang, data }));
  });

test('a notification reaches the browser while the app is closed, and opens its recording', async () => {
  const { stack } = environment;
  context = await openProfile('', { flags: service.flags });
  await redirectMessages(context);
  await context.grantPermissions(['notifications'], { origin: stack.url });
  const page = context.pages()[0] ?? (await context.newPage());
  const app = new LinnetApp(page, stack);
  await app.signUp('nightingale@example.org');

  // Off by default, even if the browser allows notifications.
  await app.open('/pages/me');
  await page.getByTestId('to-notifications').click();
  const notificationsSwitch = page.getByTestId('notifications-on');
  await expect(notificationsSwitch).not.toBeChecked();
  await page.evaluate(() => navigator.serviceWorker.ready.then(() => undefined));
  await notificationsSwitch.click();
  await expect(notificationsSwitch).toBeChecked();
  await page.getByTestId('test-notification').click();
  await expect
    .poll(() => listNotifications(page))
    .toEqual([expect.objectContaining({ title: 'Notifications work', lang: 'en' })]);
  expect(service.posted[0]?.headers).toMatchObject({
    'content-encoding': 'aes128gcm',
    authorization: expect.stringMatching(/^vapid t=/),
    ttl: expect.stringMatching(/^\d+$/),
  });

  // Close the app.
  await page.goto('about:blank');
  const account = await ServerAccount.signIn(stack, 'nightingale@example.org');
  const talk = await environment.transcribe(account, {
    ...{ title: 'Dawn chorus', language: 'en' },
    lines: ['The heron waits by the pond.', 'The wren sings in the hedge.'],
  });
  await expect.poll(() => service.posted.length).toBe(2);
  expect(service.posted[1]?.body.toString('latin1')).not.toContain('Dawn');
  await app.open('/pages/files');
  await expect(app.rows('done')).toHaveCount(1);
  const transcript = { title: 'Transcript ready', body: 'Dawn chorus' };
  await expect
    .poll(() => listNotifications(page))
    .toContainEqual(expect.objectContaining(transcript));

  // A tap opens the recording in the open page. Automated browsers can't tap notifications, so dispatch the event in
  // the service worker.
  const worker = context.serviceWorkers()[0] ?? (await context.waitForEvent('serviceworker'));
  await worker.evaluate(async () => {
    const scope = globalThis as unknown as ServiceWorkerScope;
    const notifications = await scope.registration.getNotifications();
    const notification = notifications.find(({ title }) => title === 'Transcript ready');
    const event = new Event('notificationclick');
    scope.dispatchEvent(Object.assign(event, { notification, waitUntil: () => undefined }));
  });
  await expect.poll(() => page.url()).toBe(`${stack.url}/pages/fileDetail?id=${talk.id}`);
  expect((await listNotifications(page)).map(({ title }) => title)).toEqual(['Notifications work']);

  // A message that arrives while the user views the recording shows no notification. A later message does.
  await page.evaluate(async () => {
    const registration = await navigator.serviceWorker.ready;
    for (const notification of await registration.getNotifications()) notification.close();
  });
  await app.callApi('/task/create', {
    ...{ id: talk.serverId, language: 'en', again: talk.taskId },
  });
  await expect.poll(() => service.posted.length).toBe(3);
  await app.callApi('/push/test');
  await expect.poll(() => listNotifications(page)).not.toEqual([]);
  expect((await listNotifications(page)).map(({ title }) => title)).toEqual(['Notifications work']);
});

/** The parts of the service worker's scope used by the test. */
type ServiceWorkerScope = {
  readonly registration: ServiceWorkerRegistration;
  dispatchEvent(event: Event): boolean;
};
