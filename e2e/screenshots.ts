/**
 * `npm run screenshots`: takes screenshots of every page of the real app, on a phone and on a desktop, in light and
 * dark, in English and Arabic. Writes all screenshots to `.cache/screenshots`, and a contact sheet of each look and the
 * README's images to `docs/screenshots`.
 */
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { writeWave } from '@linnet/audio/wave';
import { type Browser, type BrowserContextOptions, chromium, type Page } from '@playwright/test';
import config, { chromiumFlags } from './playwright.config.ts';
import { publishFirmware } from './support/firmware.ts';
import { LinnetApp } from './support/linnet-app.ts';
import { arabicTalks, englishTalks } from './support/sample-talks.ts';
import { ScriptedSpeechStack } from './support/scripted-speech-stack.ts';
import { ServerAccount } from './support/server-account.ts';
import { Stack } from './support/stack.ts';
import { waitUntil } from './support/wait-until.ts';

const root = join(import.meta.dirname, '..');
const allFolder = join(root, '.cache', 'screenshots');
const docsFolder = join(root, 'docs', 'screenshots');
const manifestFolder = join(root, 'apps', 'app', 'public', 'screenshots');

const phone: BrowserContextOptions = { viewport: { width: 390, height: 844 } };
const desktop: BrowserContextOptions = { viewport: { width: 1280, height: 800 } };

type Variant = {
  readonly name: string;
  readonly options: BrowserContextOptions;
  readonly language: 'en' | 'ar';
};
const variants: readonly Variant[] = [
  { name: 'phone-light', options: { ...phone, colorScheme: 'light' }, language: 'en' },
  { name: 'phone-dark', options: { ...phone, colorScheme: 'dark' }, language: 'en' },
  { name: 'phone-light-ar', options: { ...phone, colorScheme: 'light' }, language: 'ar' },
  { name: 'phone-dark-ar', options: { ...phone, colorScheme: 'dark' }, language: 'ar' },
  { name: 'desktop-light', options: { ...desktop, colorScheme: 'light' }, language: 'en' },
  { name: 'desktop-dark-ar', options: { ...desktop, colorScheme: 'dark' }, language: 'ar' },
];
/** Screenshots in the README, at twice the resolution. */
const readmeShots: ReadonlySet<string> = new Set([
  'phone-light-files',
  'phone-light-transcription',
  'phone-dark-recording',
]);
/** Screenshots in the web app's manifest, which browsers show before installation. */
const manifestShots: ReadonlySet<string> = new Set([
  'phone-light-files',
  'phone-light-transcription',
  'desktop-light-files',
]);

/** Pages for signed-out users. */
const helpPages = {
  about: '/pages/aboutUs',
  privacy: '/pages/privacyPolicy',
  agreement: '/pages/userAgreement',
  feedback: '/pages/kefu',
  'customer-service': '/pages/kefuOnLine',
  instructions: '/pages/instructions',
  question: '/pages/questions/question1',
};

/** Pages of the account and its recordings. */
const accountPages = {
  ask: '/pages/ask',
  space: '/pages/spaceManagement',
  'storage-location': '/pages/storageLocation',
  'cloud-backup': '/pages/cloudBackup',
  synchronization: '/pages/dataSynchronization',
  'personal-information': '/pages/personalInformation',
  'change-password': '/pages/changePassword',
  language: '/pages/language',
  'server-address': '/pages/serverAddress',
  purchases: '/pages/purchaseRecord',
};

/** Search queries that match several talks. */
const queries = { en: 'garden', ar: 'الحديقة' } as const;

/** A page in one look, with its screenshots. */
class Camera {
  readonly page: Page;
  readonly #variant: Variant;
  readonly shots: { readonly title: string; readonly file: string }[];

  constructor(page: Page, variant: Variant, shots: Camera['shots']) {
    this.page = page;
    this.#variant = variant;
    this.shots = shots;
  }

  async capture(title: string): Promise<void> {
    const { page } = this;
    await page.evaluate(() => document.fonts.ready.then(() => {}));
    const name = `${this.#variant.name}-${title}`;
    const file = join(allFolder, `${name}.png`);
    await page.screenshot({ path: file, scale: 'css' });
    if (readmeShots.has(name)) {
      await page.screenshot({ path: join(docsFolder, `${name}.png`), scale: 'device' });
    }
    if (manifestShots.has(name)) {
      await page.screenshot({ path: join(manifestFolder, `${name}.png`), scale: 'device' });
    }
    this.shots.push({ title, file });
  }
}

async function openCamera(
  browser: Browser,
  variant: Variant,
  shots: Camera['shots'],
): Promise<Camera> {
  const context = await browser.newContext({
    ...variant.options,
    reducedMotion: 'reduce',
    deviceScaleFactor: 2,
  });
  await context.addInitScript(
    (chosen) => localStorage.setItem('language', chosen),
    variant.language,
  );
  return new Camera(await context.newPage(), variant, shots);
}

async function closeGuide(page: Page): Promise<void> {
  await page.getByTestId('guide-done').click();
  await page.getByTestId('guide').waitFor({ state: 'detached' });
}

/** Shoots transfers of long recordings over the recorder's network and over Bluetooth. */
async function captureTransfers(
  camera: Camera,
  app: LinnetApp,
  { recorder }: Stack,
): Promise<void> {
  const { page } = camera;
  const finishedTransfer = page.locator('[data-testid="transfer-ended"][data-end="done"]');
  const addSilence = (minutes: number) =>
    recorder.addSession(writeWave(new Int16Array(minutes * 60 * 16_000), 16_000));
  await recorder.setSpeed(1);
  for (const minutes of [9, 5]) await addSilence(minutes);
  await app.openAndLoad('/pages/WiFiFastTransmission');
  await page.getByTestId('wifi-waiting').nth(1).waitFor();
  await camera.capture('transfer');
  await page.getByTestId('start-wifi').click();
  await page.getByTestId('by-hand').waitFor();
  await camera.capture('transfer-joining');
  await page.getByTestId('by-hand').click();
  await page.getByTestId('wifi-join').waitFor();
  await camera.capture('transfer-by-hand');
  const readText = async (id: string) => `${await page.getByTestId(id).textContent()}`;
  await recorder.joinWifi(await readText('wifi-name'), await readText('wifi-password'));
  await finishedTransfer.waitFor();
  await camera.capture('transfer-done');
  await addSilence(7);
  await app.openAndLoad('/pages/WiFiFastTransmission');
  await page.getByTestId('start-bluetooth').click();
  await page.locator('[data-testid="transfer-file"][data-state="transferring"]').waitFor();
  await page.getByTestId('transfer-left').waitFor();
  await camera.capture('transfer-under-way');
  await recorder.setSpeed(100);
  await finishedTransfer.waitFor();
}

/** Shoots the pages of a new user with a new recorder. */
async function captureNewUser(camera: Camera, stack: Stack, email: string): Promise<void> {
  const { page } = camera;
  const app = new LinnetApp(page, stack, { guide: 'show' });
  await app.open('/');
  await page.getByTestId('submit').waitFor();
  await camera.capture('sign-in');
  await app.open('/pages/register');
  await page.getByTestId('agree').waitFor();
  await camera.capture('register');
  await app.open('/pages/register/findMyPasswd');
  await page.getByTestId('repassword').waitFor();
  await camera.capture('forgot');

  for (const [title, path] of Object.entries(helpPages)) {
    await app.open(path);
    await page.getByRole('heading', { level: 1 }).waitFor();
    await camera.capture(title);
  }
  await app.open('/pages/demo');
  await page.locator('[data-testid="player"][data-status="ready"]').waitFor();
  await camera.capture('demo');

  await app.signUp(email);
  await page.getByRole('heading', { level: 1 }).waitFor();
  await camera.capture('files-empty');
  await app.open('/pages/deviceConnect');
  await page.getByTestId('way-websocket').waitFor();
  await camera.capture('connect');
  await page.getByTestId('way-websocket').click();
  await page.getByTestId('found-recorder').first().waitFor();
  await camera.capture('connect-found');
  await page.getByTestId('found-recorder').first().click();
  await page.getByTestId('bind-done').waitFor();
  await camera.capture('connect-done');
  await page.getByTestId('bind-to-files').click();
  await waitUntil(
    'a recording is being transferred',
    async () => (await app.rows('fetching').count()) > 0,
  );
  await camera.capture('files-fetching');
  await app.recordButton('idle').click();
  await app.recordButton('recording').waitFor();
  await waitUntil('eight seconds have been recorded', async () => {
    const time = await page.getByTestId('record-timer').textContent();
    return time !== null && Number(time.split(':').at(-1)) >= 8;
  });
  await camera.capture('recording');
  await app.stopRecording();
  await app.open('/pages/deviceFiles');
  await page.getByTestId('device-session').first().waitFor();
  await camera.capture('device-files');
  await app.open('/pages/myDevice');
  await page.getByTestId('usage').waitFor();
  await camera.capture('my-device');
  await publishFirmware(stack, { version: '1.2.0', bytes: 1_240_000 });
  await app.open('/pages/upgrade');
  await page.getByTestId('offered').waitFor();
  await camera.capture('upgrade');
  await app.openAndLoad('/pages/bluetoothConnection');
  await camera.capture('bluetooth-connection');
  await captureTransfers(camera, app, stack);
  await app.open('/pages/me');
  await page.getByTestId('sign-out').waitFor();
  await page.locator('[data-testid="connected"][data-status="connected"]').waitFor();
  await camera.capture('me');
  await stack.recorder.setFaults({ refuseConnect: true, drop: true });
  await app.open('/pages/deviceConnect');
  await page.getByTestId('link-why').waitFor();
  await camera.capture('connect-away');
}

/** Shoots the pages of a user with several recordings. */
async function captureExistingUser(
  camera: Camera,
  stack: Stack,
  { email, language }: { email: string; language: Variant['language'] },
): Promise<void> {
  const { page } = camera;
  const app = new LinnetApp(page, stack, { guide: 'show' });
  await app.open('/pages/index');
  await app.signIn(email);
  await app.rows('done').nth(3).waitFor({ timeout: 60_000 });
  await page.getByTestId('guide-done').waitFor();
  await camera.capture('guide');
  await closeGuide(page);
  await camera.capture('files');
  const longest = app.rows('done').first();
  const id = (await longest.getAttribute('data-record-id')) as string;
  await app.openRecording(id);
  await page.getByTestId('paragraph').first().waitFor();
  const tabs = await page
    .locator('.detail-tabs [data-testid^="tab-"]')
    .evaluateAll((all) => all.map(({ dataset }) => dataset.testid as string));
  for (const tab of tabs) {
    await page.getByTestId(tab).click();
    await page.locator(`[data-testid="${tab}"][aria-selected="true"]`).waitFor();
    await page.locator('[role="tabpanel"]:not([hidden]) > :not(.waiting)').first().waitFor();
    await camera.capture(tab.replace('tab-', ''));
  }
  await page.getByTestId('export').click();
  await page.getByTestId('export-save').waitFor();
  await camera.capture('export');
  await page.keyboard.press('Escape');

  await app.open(`/pages/choose-location?id=${id}`);
  await page.locator('[data-testid="map"][data-drawn="true"]').waitFor();
  await camera.capture('choose-location');
  await page.getByTestId('map').click({ position: { x: 180, y: 120 } });
  await page.getByTestId('place-save').click();
  await page.waitForURL('**/pages/fileDetail?**');
  await app.openAndLoad(`/pages/open-location?id=${id}`);
  await page.locator('[data-testid="map"][data-drawn="true"]').waitFor();
  await camera.capture('open-location');
  await app.openAndLoad(`/pages/payResult?order=${await app.placeOrder('success')}`);
  await camera.capture('paid');
  for (const [title, path] of Object.entries(accountPages)) {
    await app.openAndLoad(path);
    await camera.capture(title);
  }
  await app.open('/pages/vip');
  await page.getByTestId('subscribe').waitFor();
  await camera.capture('vip');
  await app.open('/pages/transliterationRecord');
  await page.getByTestId('used-chart').waitFor();
  await camera.capture('minutes-used');
  await app.open(`/pages/search?q=${encodeURIComponent(queries[language])}`);
  await page.getByTestId('found').first().waitFor();
  await camera.capture('search');
  await app.open('/pages/files');
  await app.rows('done').nth(3).waitFor();
  const binnedRow = app.row(`${await app.rows('done').last().getAttribute('data-record-id')}`);
  await binnedRow.getByRole('button').last().click();
  await page.getByRole('menuitem').last().click();
  await binnedRow.waitFor({ state: 'detached' });
  await app.open('/pages/recycleBin');
  await page.getByTestId('recover').first().waitFor();
  await camera.capture('recycle-bin');
}

/** Gap between images on a contact sheet, in pixels. */
const GAP_PX = 16;

/** Creates a contact sheet with all screenshots of a look. */
async function makeSheet(
  browser: Browser,
  variant: Variant,
  shots: Camera['shots'],
): Promise<void> {
  const { width = 0, height = 0 } = variant.options.viewport ?? {};
  const scale = width < 900 ? 0.5 : 0.375;
  const perRow = width < 900 ? 6 : 3;
  const figures = await Promise.all(
    shots.map(async ({ title, file }) => {
      const source = `data:image/png;base64,${(await readFile(file)).toString('base64')}`;
      return `<figure><img src="${source}" width="${width * scale}" height="${height * scale}"><figcaption>${title}</figcaption></figure>`;
    }),
  );
  const isDark = variant.options.colorScheme === 'dark';
  const page = await browser.newPage({
    viewport: { width: perRow * (width * scale + GAP_PX) + GAP_PX, height: 800 },
  });
  await page.setContent(`<style>
    body { margin: ${GAP_PX}px; display: flex; flex-wrap: wrap; gap: ${GAP_PX}px; font: 12px system-ui;
      background: ${isDark ? '#000' : '#e8e2da'}; color: ${isDark ? '#aaa' : '#555'}; }
    figure { margin: 0; } img { display: block; border-radius: 8px; } figcaption { padding: 4px; }
  </style>${figures.join('')}`);
  await page.screenshot({
    path: join(docsFolder, `${variant.name}.jpg`),
    type: 'jpeg',
    quality: 80,
    fullPage: true,
  });
  await page.close();
}

async function captureVariant(browser: Browser, variant: Variant): Promise<void> {
  const shots: Camera['shots'] = [];
  const email = `${variant.name}@example.org`;
  // A recorder is bound to one account, so every user gets a separate stack.
  const newUserStack = await Stack.start({ speed: 12, env: { RECORDER_SCENE: 'microphone' } });
  try {
    await captureNewUser(await openCamera(browser, variant, shots), newUserStack, email);
  } finally {
    await newUserStack.stop();
  }
  const environment = await ScriptedSpeechStack.start();
  try {
    const account = await ServerAccount.register(environment.stack, email);
    for (const talk of variant.language === 'ar' ? arabicTalks : englishTalks) {
      await environment.transcribe(account, talk);
    }
    await captureExistingUser(await openCamera(browser, variant, shots), environment.stack, {
      email,
      language: variant.language,
    });
  } finally {
    await environment.stop();
  }
  await makeSheet(browser, variant, shots);
}

await mkdir(allFolder, { recursive: true });
await mkdir(docsFolder, { recursive: true });
const selectedVariant = process.argv[2];
const browser = await chromium.launch({ ...config.use?.launchOptions, args: chromiumFlags });
try {
  for (const variant of variants.filter(
    ({ name }) => !selectedVariant || name === selectedVariant,
  )) {
    await captureVariant(browser, variant);
    console.log(`${variant.name} done`);
  }
} finally {
  await browser.close();
}
const sections = variants.map(
  ({ name }) => `## ${name}\n\n![Every page, ${name}](screenshots/${name}.jpg)`,
);
await writeFile(
  join(root, 'docs', 'pages.md'),
  `# Every page\n\nGenerated by \`npm run screenshots\` from the real app. The talks in it are fictional.\n\n${sections.join('\n\n')}\n`,
);
