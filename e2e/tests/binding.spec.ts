/** Tests bindings with a key (protocol version 2): keys stored in the account, cleared bindings, and new owners. */
import { COMMANDS, FrameDecoder } from '@linnet/device/codec';
import { type BrowserContext, expect, type Page, test } from '@playwright/test';
import { EmptyRecorderStack } from '../support/empty-recorder-stack.ts';
import { LinnetApp } from '../support/linnet-app.ts';
import { PageErrors } from '../support/page-errors.ts';

type KnownRecorder = { sn: string; bindingKey: string | null };

let environment: EmptyRecorderStack;
const contexts: BrowserContext[] = [];
const pageErrors = new PageErrors();

/** Opens a phone without data. Logs its requests for keys, and the commands it sends to the recorder unencrypted. */
async function openPhone(open: () => Promise<BrowserContext>) {
  const context = await open();
  contexts.push(context);
  pageErrors.listenTo(context);
  const page = await context.newPage();
  const cleartextCommands: number[] = [];
  const requests = { keys: 0 };
  page.on('websocket', (socket) => {
    if (!socket.url().includes('/ble')) return;
    const decoder = new FrameDecoder();
    socket.on('framesent', ({ payload }) => {
      for (const frame of decoder.push(new Uint8Array(Buffer.from(payload)))) {
        if (frame.flags === 0) cleartextCommands.push(frame.command);
      }
    });
  });
  page.on('request', (request) => {
    if (request.url().endsWith('/device/index')) requests.keys += 1;
  });
  return { page, app: new LinnetApp(page, environment.stack), clear: cleartextCommands, requests };
}

const readKnownRecorders = (page: Page) =>
  page.evaluate(() => JSON.parse(localStorage.getItem('BIND_DEVICE') ?? '[]') as KnownRecorder[]);

/** Disconnects a phone, because the recorder accepts only one at a time. */
async function disconnectPhone(page: Page): Promise<void> {
  await page.goto('about:blank');
  await expect
    .poll(async () => (await environment.stack.recorder.getStatus()).connected)
    .toBe(false);
}

test.describe.configure({ mode: 'serial' });
test.beforeAll(async () => {
  environment = await EmptyRecorderStack.start({ speed: 4, env: { TRIAL_DAYS: '0' } });
});
test.afterAll(async () => {
  await Promise.all(contexts.map((context) => context.close()));
  await environment?.stop();
});
test.afterEach(() => {
  expect(pageErrors.takeUnexpected()).toEqual([]);
});

let first: Awaited<ReturnType<typeof openPhone>>;

test('binding creates a key that the account stores and that seals all further traffic', async ({
  browser,
}) => {
  first = await openPhone(() => browser.newContext({ locale: 'en-GB' }));
  const { app, page, clear } = first;
  await app.signUp('robin@example.org');
  await app.bind('websocket');
  expect((await environment.stack.recorder.getStatus()).isSealed).toBe(true);
  const [recorder] = await readKnownRecorders(page);
  expect(recorder?.bindingKey).toMatch(/^[0-9a-f]{64}$/);
  const { list } = await app.callApi<{ list: { binding_key: string }[] }>('/device/index', {});
  expect(list.map(({ binding_key }) => binding_key)).toEqual([recorder?.bindingKey]);
  const { handshake, agreeKey, openChannel } = COMMANDS;
  expect(clear).toEqual([handshake.number, agreeKey.number, openChannel.number]);
});

test('a phone with a missing or outdated key requests the current key from the account once', async () => {
  const { app, page, requests } = first;
  const [{ bindingKey } = { bindingKey: null }] = await readKnownRecorders(page);
  for (const wrong of [null, '0f'.repeat(32)]) {
    await page.evaluate((key) => {
      const stored = JSON.parse(localStorage.getItem('BIND_DEVICE') ?? '[]') as object[];
      const changed = stored.map((recorder) => ({ ...recorder, bindingKey: key }));
      localStorage.setItem('BIND_DEVICE', JSON.stringify(changed));
    }, wrong);
    const before = requests.keys;
    await app.open('/pages/deviceConnect');
    await expect.poll(async () => (await readKnownRecorders(page))[0]?.bindingKey).toBe(bindingKey);
    await expect
      .poll(async () => (await environment.stack.recorder.getStatus()).connected)
      .toBe(true);
    expect(requests.keys - before).toBe(1);
  }
});

test('another phone of the account binds the recorder without confirmation', async ({
  browser,
}) => {
  const { recorder } = environment.stack;
  await first.page.goto('about:blank');
  await expect.poll(async () => (await recorder.getStatus()).connected).toBe(false);
  await recorder.setFaults({ bindConfirm: 'button' });
  const second = await openPhone(() => browser.newContext({ locale: 'en-GB' }));
  await second.app.open();
  await second.app.signIn('robin@example.org');
  await second.app.open('/pages/me');
  await expect(second.page.getByText(/^Paired with your account: Linnet \w{4}\./)).toBeVisible();
  await second.app.bind('websocket');
  expect(second.clear).not.toContain(COMMANDS.agreeKey.number);
  await second.page.close();
  await recorder.setFaults({ bindConfirm: 'auto' });
});

test('the app does not reconnect to a recorder with a cleared binding, and offers to bind it again', async () => {
  const { app, page, clear, requests } = first;
  await environment.stack.recorder.clearBindings();
  await expect
    .poll(async () => (await environment.stack.recorder.getStatus()).isSealed)
    .toBe(false);
  clear.length = 0;
  const before = requests.keys;
  await app.open('/pages/deviceConnect');
  await expect(page.getByText('it was paired again', { exact: false })).toBeVisible();
  const { handshake, openChannel } = COMMANDS;
  const attempts = [handshake.number, openChannel.number];
  expect(clear).toEqual(attempts);
  expect(requests.keys - before).toBe(1);

  await page.getByRole('button', { name: 'Connect another recorder' }).click();
  await page.getByTestId('way-websocket').click();
  await page.getByTestId('found-recorder').first().click();
  await expect(page.getByTestId('bind-done')).toBeVisible();
  expect((await environment.stack.recorder.getStatus()).isSealed).toBe(true);
});

test('a new owner does not see recordings of the previous owner', async ({ browser }) => {
  const { app, page } = first;
  const session = await environment.addSpeech(2);
  await app.open('/pages/deviceFiles');
  await expect(page.locator(`[data-session-id="${session}"]`)).toBeVisible();
  // The previous owner unbound the recorder only in the account, and cleared it with its buttons.
  await app.callApi('/device/unbinding', { sn: (await environment.stack.recorder.getStatus()).sn });
  await page.goto('about:blank');
  await environment.stack.recorder.clearBindings();
  const otherPhone = await openPhone(() => browser.newContext({ locale: 'en-GB' }));
  await otherPhone.app.signUp('jay@example.org');
  await otherPhone.app.bind('websocket');
  await otherPhone.app.open('/pages/deviceFiles');
  const sessionId = await environment.addSpeech(1);
  await expect(otherPhone.page.locator(`[data-session-id="${sessionId}"]`)).toBeVisible();
  await expect(otherPhone.page.locator(`[data-session-id="${session}"]`)).toHaveCount(0);
  const { sessions } = await environment.stack.recorder.getStatus();
  expect(sessions.map(({ sessionId }) => sessionId)).toContain(session);
});

test('a binding signed by the recorder replaces an unsigned binding, but not a signed one', async ({
  browser,
}) => {
  const { recorder } = environment.stack;
  const { sn } = await recorder.getStatus();
  const jay = contexts.at(-1)?.pages()[0];
  if (!jay) throw new Error('the second account has no page');
  await disconnectPhone(jay);
  await recorder.clearBindings();
  const owner = await openPhone(() => browser.newContext({ locale: 'en-GB' }));
  await owner.app.signUp('wren@example.org');
  const listSerials = async (app: LinnetApp) =>
    (await app.callApi<{ list: { sn: string }[] }>('/device/index', {})).list.map(
      (each) => each.sn,
    );
  // Jay sold the recorder without unbinding it. That binding was signed, so it remains.
  await owner.app.open('/pages/deviceConnect');
  await owner.page.getByTestId('way-websocket').click();
  await owner.page.getByTestId('found-recorder').first().click();
  await expect(owner.page.getByRole('alert')).toContainText('4200008');
  expect((await recorder.getStatus()).bind).toBe('unbound');
  await disconnectPhone(owner.page);
  await jay.goto(`${environment.stack.url}/pages/files`);
  await new LinnetApp(jay, environment.stack).callApi('/device/unbinding', { sn });
  await disconnectPhone(jay);

  await first.app.open('/pages/files');
  await first.app.callApi('/device/binding', { sn });
  expect(await listSerials(first.app)).toEqual([sn]);
  await disconnectPhone(first.page);
  await owner.app.bind('websocket');
  expect(await listSerials(owner.app)).toEqual([sn]);
  await disconnectPhone(owner.page);
  await first.app.open('/pages/files');
  expect(await listSerials(first.app)).toEqual([]);
  await disconnectPhone(first.page);
});

test('a bound recorder asks to hold its button, and stays bound if the server rejects the new binding', async ({
  browser,
}) => {
  const { recorder } = environment.stack;
  const owner = contexts.at(-1)?.pages()[0];
  if (!owner) throw new Error('the owner has no page');
  await recorder.setFaults({ bindConfirm: 'button' });
  const { app, page } = await openPhone(() => browser.newContext({ locale: 'en-GB' }));
  await app.signUp('rook@example.org');
  await app.open('/pages/deviceConnect');
  await page.getByTestId('way-websocket').click();
  await page.getByTestId('found-recorder').first().click();
  await expect(page.getByTestId('bind-status')).toHaveAttribute('data-step', 'holding');
  await expect(page.getByText('Hold the button on your recorder for five seconds')).toBeVisible();
  const [buttons] = await Promise.all([
    page.context().waitForEvent('page'),
    page.getByTestId('recorder-controls').click(),
  ]);
  // A click on the control page holds the button as long as needed.
  await buttons.getByRole('button', { name: 'Confirm the bind' }).click();
  await expect(page.getByRole('alert')).toContainText('4200008');
  await disconnectPhone(page);
  await recorder.setFaults({ bindConfirm: 'auto' });
  await owner.goto(`${environment.stack.url}/pages/files`);
  await expect(new LinnetApp(owner, environment.stack).recordButton('idle')).toBeVisible();
});
